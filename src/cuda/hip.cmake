# libtrigon-hip.so: the same sources for AMD's devices, compiled by hipcc. Built where it is asked for.
set(TRIGON_HIP OFF CACHE BOOL "Build the HIP backend (with Debian's hipcc)")
set(TRIGON_HIP_ARCHITECTURES gfx90a gfx1030 CACHE STRING "What the HIP backend is compiled for")
if(NOT TRIGON_HIP)
  return()
endif()
find_program(TRIGON_HIPCC hipcc REQUIRED)
find_library(TRIGON_AMDHIP amdhip64 REQUIRED)

list(TRANSFORM TRIGON_HIP_ARCHITECTURES PREPEND --offload-arch= OUTPUT_VARIABLE offload)
foreach(kernels kernels_s kernels_d kernels_c kernels_z)
  set(object ${CMAKE_CURRENT_BINARY_DIR}/hip_${kernels}.o)
  add_custom_command(OUTPUT ${object}
    COMMAND ${TRIGON_HIPCC} -x hip -std=c++20 -O3 -DNDEBUG -fPIC -fvisibility=hidden -ffp-contract=off ${offload}
      -I${PROJECT_SOURCE_DIR}/include -I${PROJECT_SOURCE_DIR}/src -MD -MF ${object}.d -MT ${object}
      -c ${CMAKE_CURRENT_SOURCE_DIR}/${kernels}.cu -o ${object}
    DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${kernels}.cu DEPFILE ${object}.d
    COMMENT "Compiling ${kernels}.cu for HIP" VERBATIM)
  list(APPEND objects ${object})
endforeach()
trigon_add_plugin(hip plugin.cpp provider.cpp queues.cpp cublas.cpp runtime.cpp ${objects})
list(JOIN TRIGON_HIP_ARCHITECTURES ", " built_for)
target_compile_definitions(trigon_hip PRIVATE TRIGON_HIP __HIP_PLATFORM_AMD__ TRIGON_CUDA_NAME="hip"
  TRIGON_CUDA_BUILT_FOR="${built_for}")
target_link_libraries(trigon_hip PRIVATE ${TRIGON_AMDHIP} ${CMAKE_DL_LIBS})
