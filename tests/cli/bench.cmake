# Tests of `trigon bench` and `trigon check`, with libraries that are wrong on purpose.
add_library(test_broken_blas MODULE test_bench_broken_blas.c)
add_library(test_prefixed_blas MODULE test_bench_broken_blas.c)
target_compile_definitions(test_prefixed_blas PRIVATE TEST_PREFIXED)
add_library(test_drop_in MODULE test_check_drop_in.c)
target_link_libraries(test_drop_in PRIVATE ${CMAKE_DL_LIBS})
set_target_properties(test_broken_blas test_prefixed_blas test_drop_in PROPERTIES
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
set(defects none drops_terms reads_too_far reads_c spreads_nan skips_zeros writes_padding is_not_reentrant
  keeps_a_thread raises_flags)
foreach(defect IN LISTS defects)
  add_library(test_gemm_${defect} MODULE test_check_provider.cpp)
  target_compile_definitions(test_gemm_${defect} PRIVATE TEST_DEFECT=${defect})
  target_compile_options(test_gemm_${defect} PRIVATE -O1 -ffp-contract=off)
  set_target_properties(test_gemm_${defect} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
endforeach()

add_library(test_exits MODULE test_exits.c)
set_target_properties(test_exits PROPERTIES C_VISIBILITY_PRESET default
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})

set(libraries BROKEN_BLAS=$<TARGET_FILE:test_broken_blas> PREFIXED_BLAS=$<TARGET_FILE:test_prefixed_blas>
  EXITS=$<TARGET_FILE:test_exits> TRIGON_LIBRARY=$<TARGET_FILE:trigon> TRIGON_SONAME=$<TARGET_SONAME_FILE_NAME:trigon>
  GEMM_FOLDER=$<TARGET_FILE_DIR:test_gemm_none> OTHER_BITS=$<TARGET_FILE:test_drop_in>)
trigon_cli_test(bench ${libraries})
trigon_cli_test(bench_files ${libraries})
trigon_cli_test(bench_device)
trigon_cli_test(check ${libraries})
trigon_cli_test(check_provider ${libraries})
set_tests_properties(cli.bench cli.bench_files cli.bench_device cli.check cli.check_provider PROPERTIES TIMEOUT 900)
set_tests_properties(cli.check_provider PROPERTIES COST 40)  # seconds; begun last, it would be waited for alone

# The table of LAPACK's routines, with a Cholesky factor that is none. (A sanitizer cannot be preloaded.)
if(TARGET lapack_routines AND TARGET trigon_lapack AND NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  add_library(test_wrong_lapack MODULE test_wrong_lapack.c)
  set_target_properties(test_wrong_lapack PROPERTIES C_VISIBILITY_PRESET default
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
  trigon_cli_test(lapack_table TABLE=${PROJECT_SOURCE_DIR}/bench/lapack/lapack_table.py
    ROUTINES=$<TARGET_FILE:lapack_routines> LAPACK=$<TARGET_FILE:trigon_lapack> BLAS=$<TARGET_FILE:trigon_blas>
    WRONG=$<TARGET_FILE:test_wrong_lapack>)
endif()
