# No function has a static variable that its first call makes: where a fork interrupts another thread that makes one, the
# child would wait for it for ever (core/once.hpp has what is used in their place).
#   cmake -D NM=… -D LIBRARY=… -P guards.cmake
execute_process(COMMAND ${NM} -D --undefined-only ${LIBRARY} OUTPUT_VARIABLE needs COMMAND_ERROR_IS_FATAL ANY)
if(NOT needs MATCHES "__cxa_finalize")
  message(FATAL_ERROR "nothing is known of ${LIBRARY}:\n${needs}")
endif()
if(needs MATCHES "__cxa_guard")
  message(FATAL_ERROR "static variables that are made when they are first asked for; nm -C ${LIBRARY} | grep guard")
endif()
