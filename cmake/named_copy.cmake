# trigon_add_named_copy(LIBRARY FILE sources…): LIBRARY once more, with more sources, under the name FILE that programs
# ask for, in lib/trigon.
#
# Not a link: ldconfig would make links to it under the name that is recorded inside, and leave them behind. And not an
# empty library that needs LIBRARY: its symbols would come after those of whatever the program's other libraries need,
# such as the OpenBLAS behind Debian's LAPACK.
function(trigon_add_named_copy library file)
  set(target ${library}_as_${file})
  add_library(${target} SHARED $<TARGET_OBJECTS:${library}> ${ARGN})
  # Without a SOVERSION, the file's name is what is recorded.
  set_target_properties(${target} PROPERTIES
    PREFIX "" OUTPUT_NAME ${file} SUFFIX "" LINKER_LANGUAGE CXX
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/trigon)
  foreach(property LINK_LIBRARIES LINK_OPTIONS LINK_DEPENDS INSTALL_RPATH)
    get_target_property(value ${library} ${property})
    set_property(TARGET ${target} PROPERTY ${property} ${value})
  endforeach()
  install(TARGETS ${target} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/trigon)
endfunction()
