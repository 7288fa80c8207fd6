# Cross build for 32-bit x86, where size_t has 32 bits, with the distribution's cross compiler. x86-64 kernels that
# were built with 32-bit support run the tests themselves; qemu-user stands in for the others. Static, so that no
# library folder of the target is needed.
#
#   cmake -DCMAKE_TOOLCHAIN_FILE=tools/cmake/i686-linux-gnu.cmake ...

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR i686)
set(CMAKE_C_COMPILER i686-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER i686-linux-gnu-g++)
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
set(BUILD_SHARED_LIBS OFF CACHE BOOL "a static cross build has no use for shared libraries")

# Only the target's own folders: a library of the host must not be taken for the target's.
set(CMAKE_FIND_ROOT_PATH /usr/i686-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
