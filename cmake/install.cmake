# What an installed Trigon is: libraries, headers, the command line, a CMake package and pkg-config files.
# Every path in them is relative to the files themselves, so that an installation can be moved.
include(CMakePackageConfigHelpers)

set(TRIGON_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/trigon)
set(TRIGON_PKGCONFIG_DIR ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

set(libraries trigon)
foreach(flavour blas blas64 lapack lapack64 clblas)
  if(TARGET trigon_${flavour})
    set_target_properties(trigon_${flavour} PROPERTIES EXPORT_NAME ${flavour})
    add_library(trigon::${flavour} ALIAS trigon_${flavour})
    list(APPEND libraries trigon_${flavour})
  endif()
endforeach()
if(NOT TARGET trigon::trigon)
  add_library(trigon::trigon ALIAS trigon)
endif()

install(TARGETS ${libraries} EXPORT trigon-targets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
# Plug-ins lie beside libtrigon.so, where the registry looks.
foreach(backend cuda hip opencl)
  if(TARGET trigon_${backend})
    install(TARGETS trigon_${backend} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  endif()
endforeach()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(TARGET trigon_cli)
  install(TARGETS trigon_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

install(EXPORT trigon-targets NAMESPACE trigon:: DESTINATION ${TRIGON_CMAKE_DIR})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/trigon-config.cmake.in
  ${PROJECT_BINARY_DIR}/trigon-config.cmake INSTALL_DESTINATION ${TRIGON_CMAKE_DIR})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/trigon-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/trigon-config.cmake ${PROJECT_BINARY_DIR}/trigon-config-version.cmake
  DESTINATION ${TRIGON_CMAKE_DIR})

# Where a place is not below the prefix, the files name it and cannot be moved.
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  set(TRIGON_PC_PREFIX ${CMAKE_INSTALL_PREFIX})
else()
  file(RELATIVE_PATH TRIGON_PC_PREFIX /${TRIGON_PKGCONFIG_DIR} /)
  string(PREPEND TRIGON_PC_PREFIX "\${pcfiledir}/")
endif()
foreach(place LIBDIR INCLUDEDIR)
  set(TRIGON_PC_${place} ${CMAKE_INSTALL_${place}})
  if(NOT IS_ABSOLUTE "${TRIGON_PC_${place}}")
    string(PREPEND TRIGON_PC_${place} "\${prefix}/")
  endif()
endforeach()

# trigon_install_pc(NAME TEMPLATE): TEMPLATE may ask for @TRIGON_PC_WIDTH@, 64 in the flavour with such integers.
function(trigon_install_pc name template)
  string(REGEX MATCH "64$" TRIGON_PC_WIDTH ${name})
  set(TRIGON_PC_NOTE)
  if(TRIGON_PC_WIDTH)
    set(TRIGON_PC_NOTE ", with 64-bit integers and suffixed names")
  endif()
  configure_file(${PROJECT_SOURCE_DIR}/packaging/${template}.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${TRIGON_PKGCONFIG_DIR})
endfunction()
trigon_install_pc(trigon trigon)
if(TARGET trigon_blas)
  trigon_install_pc(trigon-blas trigon-blas)
  trigon_install_pc(trigon-blas64 trigon-blas)
  trigon_install_pc(trigon-lapack trigon-lapack)
  trigon_install_pc(trigon-lapack64 trigon-lapack)
endif()
if(TARGET trigon_clblas)
  trigon_install_pc(trigon-clblas trigon-clblas)
endif()

install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/packaging/third-party.txt
  DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/trigon)
