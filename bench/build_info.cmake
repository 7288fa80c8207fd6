# Run at every build: writes the commit and whether the tree differs from it to OUTPUT, touching the file only if it changes.
cmake_minimum_required(VERSION 3.22)
execute_process(COMMAND git rev-parse --short=12 HEAD WORKING_DIRECTORY ${SOURCE_DIR}
                OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed)
  set(commit "unknown")
endif()
execute_process(COMMAND git status --porcelain --untracked-files=no WORKING_DIRECTORY ${SOURCE_DIR}
                OUTPUT_VARIABLE changes ERROR_QUIET)
set(dirty "no")
if(changes)
  set(dirty "yes")
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#define DVK_COMMIT \"@commit@\"\n#define DVK_DIRTY \"@dirty@\"\n" @ONLY)
