# Trigon as a subdirectory, without a build type, and with a fixed place for libraries.
#   cmake -D SOURCE=… -D WORK=… -P configure.cmake
file(REMOVE_RECURSE ${WORK})

# configure(DIRECTORY SOURCE options…)
function(configure directory source)
  execute_process(COMMAND ${CMAKE_COMMAND} -S ${source} -B ${WORK}/${directory} -G Ninja --no-warn-unused-cli -D TRIGON_CUDA=OFF ${ARGN}
    OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# must_hold(FILE REGEX)
function(must_hold file regex)
  file(READ ${WORK}/${file} text)
  if(NOT text MATCHES "${regex}")
    message(SEND_ERROR "${file} does not hold ${regex}")
  endif()
endfunction()

# What the tools and tests need is not asked for: with these settings, looking for it is an error.
file(WRITE ${WORK}/outer/CMakeLists.txt
  "cmake_minimum_required(VERSION 3.25)\nproject(outer CXX)\nadd_subdirectory(\"${SOURCE}\" trigon)\n")
configure(subdirectory ${WORK}/outer -D CMAKE_DISABLE_FIND_PACKAGE_CLI11=ON
  -D CMAKE_DISABLE_FIND_PACKAGE_nlohmann_json=ON -D CMAKE_DISABLE_FIND_PACKAGE_GTest=ON)
must_hold(subdirectory/CMakeCache.txt "CMAKE_BUILD_TYPE:STRING=\n")  # the outer project's own matter

configure(fixed ${SOURCE} -D TRIGON_TOOLS=OFF -D TRIGON_TESTS=OFF -D CMAKE_INSTALL_LIBDIR=/opt/lib)
must_hold(fixed/CMakeCache.txt "CMAKE_BUILD_TYPE:STRING=Release\n")
must_hold(fixed/trigon.pc "libdir=/opt/lib\n")
must_hold(fixed/cmake_install.cmake "ORIGIN:/opt/lib\"")
