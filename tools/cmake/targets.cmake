# What all of our own targets share. Nothing here touches global flags, so that dvk is clean as a subproject.

function(dvk_common target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF CXX_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wconversion $<$<BOOL:${DVK_WERROR}>:-Werror>)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(${target} PRIVATE -Wno-restrict)  # false alarms on string + "text": GCC bug 105651
  endif()
  if(DVK_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${DVK_SANITIZE} -fno-sanitize-recover=all
      -fno-omit-frame-pointer -g)
    target_link_options(${target} PUBLIC -fsanitize=${DVK_SANITIZE})
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized)  # the instrumentation misleads it, in <regex> say
    endif()
  endif()
endfunction()

# dvk_library(name SOURCES... ): a library target dvk_<name> with the alias dvk::<name>.
function(dvk_library name)
  add_library(dvk_${name} ${ARGN})
  add_library(dvk::${name} ALIAS dvk_${name})
  dvk_common(dvk_${name})
  set_target_properties(dvk_${name} PROPERTIES EXPORT_NAME ${name}
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
  target_include_directories(dvk_${name}
    PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
    PRIVATE ${PROJECT_SOURCE_DIR}/kernels ${PROJECT_BINARY_DIR}/kernels/generated)
  get_target_property(type dvk_${name} TYPE)
  if(type STREQUAL "SHARED_LIBRARY")
    dvk_shared(dvk_${name})
  endif()
  set_property(GLOBAL APPEND PROPERTY DVK_LIBRARIES dvk_${name})
endfunction()

# dvk_shared(target): what only a shared library needs.
function(dvk_shared target)
  target_compile_definitions(${target} PUBLIC DVK_SHARED PRIVATE DVK_BUILDING)
  set_target_properties(${target} PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
  if(APPLE)
    set_target_properties(${target} PROPERTIES INSTALL_RPATH "@loader_path")
  elseif(UNIX)
    # Hidden visibility does not reach templates of the standard library; the map does.
    set(map ${PROJECT_SOURCE_DIR}/tools/cmake/exports.map)
    target_link_options(${target} PRIVATE -Wl,--version-script=${map})
    if(NOT DVK_SANITIZE)
      target_link_options(${target} PRIVATE -Wl,-z,defs)  # a sanitizer's runtime stands in the program
    endif()
    set_target_properties(${target} PROPERTIES INSTALL_RPATH "$ORIGIN" LINK_DEPENDS ${map})
  endif()
endfunction()

# dvk_program(name SOURCES...): a tool, test or benchmark; may read the families' private headers.
function(dvk_program name)
  add_executable(${name} ${ARGN})
  dvk_common(${name})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/kernels
    ${PROJECT_BINARY_DIR}/kernels/generated)
endfunction()
