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

file(RELATIVE_PATH TRIGON_PREFIX_FROM_PKGCONFIG /${TRIGON_PKGCONFIG_DIR} /)
set(packages trigon trigon-blas trigon-lapack)
if(TARGET trigon_clblas)
  list(APPEND packages trigon-clblas)
endif()
foreach(package IN LISTS packages)
  configure_file(${PROJECT_SOURCE_DIR}/packaging/${package}.pc.in ${PROJECT_BINARY_DIR}/${package}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${package}.pc DESTINATION ${TRIGON_PKGCONFIG_DIR})
endforeach()
