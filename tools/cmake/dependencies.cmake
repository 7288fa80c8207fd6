# Finds what dvk is built from, and gives each thing one plain name: dvk_dep::<name>.
#
#   include(tools/cmake/dependencies.cmake)
#   dvk_dependency(xsimd REQUIRED)   # stops with one message that says what to install
#   dvk_dependency(deflate)          # optional: look at DVK_HAVE_deflate
#
# Call it from the top-level CMakeLists.txt, so that the targets are visible everywhere. A project
# that embeds dvk may define dvk_dep::<name> itself beforehand; then nothing is searched for.
#
# Search order: CMAKE_PREFIX_PATH, DVK_DEPS_DIR (where tools/setup.sh unpacks what the distribution
# has only in too old a version), the system. With DVK_FETCH_DEPS=ON, what is still missing is
# fetched from its public repository, at a fixed commit; nothing is ever fetched unasked.
#
# dvkConfig.cmake includes this file too, to find again what a static dvk links to; and so it may be
# included several times, from folders that do not see each other's variables.

get_filename_component(_dvk_root "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
set(DVK_DEPS_DIR "${_dvk_root}/.deps" CACHE PATH "Prefix searched before the system's for dvk's dependencies")
option(DVK_FETCH_DEPS "Fetch missing dependencies from their repositories, at fixed commits" OFF)
set(DVK_GTEST_SOURCE_DIR "" CACHE PATH
    "Build GoogleTest from these sources (a cross build takes /usr/src/googletest unasked)")

# Minimum versions. tools/setup.sh reads these lines too: this is the only place they stand.
set(DVK_MIN_xsimd 13.0)
set(DVK_MIN_roaring 4.0)
set(DVK_MIN_lz4 1.9)
set(DVK_MIN_zstd 1.4)
set(DVK_MIN_simdjson 3.0)
set(DVK_MIN_zlib 1.2.11)
set(DVK_MIN_isal 2.30)
set(DVK_MIN_deflate 1.10)
set(DVK_MIN_cli11 2.1)
set(DVK_MIN_gtest 1.12)
set(DVK_MIN_benchmark 1.7)

# One row per dependency. HEADER and LIBRARY are looked for as files: config packages differ too
# much between distributions (Debian's for xsimd insists on xtl, lz4 has none before 1.10).
# VERSION_MACROS are the parts of the version, in VERSION_HEADER or else in HEADER.
# PACKAGE and TARGET instead: a config package that all distributions have alike.
# PKG_CONFIG is the name of its pkg-config file, for what an installed dvk links to.
# FETCH is what FetchContent_Declare gets, FETCH_TARGET the target that this makes, FETCH_OPTIONS
# what is switched off in it. Commits: xsimd 14.3.0, lz4 1.10.0, zstd 1.5.7, simdjson 3.13.0, CLI11
# 2.4.2, GoogleTest 1.14.0, Benchmark 1.8.3; CRoaring 4.3.11 by the hash of its archive.
set(_dvk_xsimd TITLE "xsimd" DEBIAN libxsimd-dev HEADER xsimd/xsimd.hpp
    VERSION_HEADER xsimd/config/xsimd_config.hpp
    VERSION_MACROS XSIMD_VERSION_MAJOR XSIMD_VERSION_MINOR XSIMD_VERSION_PATCH
    FETCH_TARGET xsimd
    FETCH GIT_REPOSITORY https://github.com/xtensor-stack/xsimd.git
          GIT_TAG e88a72831858123924f7118f345dfe5d70d95991)
set(_dvk_roaring TITLE "CRoaring" DEBIAN libroaring-dev HEADER roaring/roaring.h LIBRARY roaring
    PKG_CONFIG roaring
    VERSION_HEADER roaring/roaring_version.h VERSION_MACROS ROARING_VERSION
    FETCH_TARGET roaring FETCH_OPTIONS ENABLE_ROARING_TESTS
    FETCH URL https://github.com/RoaringBitmap/CRoaring/archive/refs/tags/v4.3.11.tar.gz
          URL_HASH SHA256=acd3a17e6c95acf3154d60c38c90e927e6c531805bc740a040fa111819af380e)
set(_dvk_lz4 TITLE "lz4" DEBIAN liblz4-dev HEADER lz4.h LIBRARY lz4 PKG_CONFIG liblz4
    VERSION_MACROS LZ4_VERSION_MAJOR LZ4_VERSION_MINOR LZ4_VERSION_RELEASE
    FETCH_TARGET lz4_static FETCH_OPTIONS LZ4_BUILD_CLI LZ4_BUILD_LEGACY_LZ4C
    FETCH GIT_REPOSITORY https://github.com/lz4/lz4.git SOURCE_SUBDIR build/cmake
          GIT_TAG ebb370ca83af193212df4dcbadcc5d87bc0de2f0)
set(_dvk_zstd TITLE "zstd" DEBIAN libzstd-dev HEADER zstd.h LIBRARY zstd PKG_CONFIG libzstd
    VERSION_MACROS ZSTD_VERSION_MAJOR ZSTD_VERSION_MINOR ZSTD_VERSION_RELEASE
    FETCH_TARGET libzstd_static FETCH_OPTIONS ZSTD_BUILD_PROGRAMS ZSTD_BUILD_SHARED
    FETCH GIT_REPOSITORY https://github.com/facebook/zstd.git SOURCE_SUBDIR build/cmake
          GIT_TAG f8745da6ff1ad1e7bab384bd1f9d742439278e99)
set(_dvk_simdjson TITLE "simdjson" DEBIAN libsimdjson-dev HEADER simdjson.h LIBRARY simdjson
    PKG_CONFIG simdjson
    VERSION_MACROS SIMDJSON_VERSION
    FETCH_TARGET simdjson FETCH_OPTIONS SIMDJSON_DEVELOPER_MODE
    FETCH GIT_REPOSITORY https://github.com/simdjson/simdjson.git
          GIT_TAG 0c0ce1bd48baa0677dc7c0945ea7cd1e8b52b297)
set(_dvk_cli11 TITLE "CLI11" DEBIAN libcli11-dev HEADER CLI/CLI.hpp
    VERSION_HEADER CLI/Version.hpp VERSION_MACROS CLI11_VERSION
    FETCH_TARGET CLI11::CLI11 FETCH_OPTIONS CLI11_BUILD_TESTS CLI11_BUILD_EXAMPLES CLI11_BUILD_DOCS
    FETCH GIT_REPOSITORY https://github.com/CLIUtils/CLI11.git
          GIT_TAG 6c7b07a878ad834957b98d0f9ce1dbe0cb204fc9)
set(_dvk_gtest TITLE "GoogleTest" DEBIAN libgtest-dev PACKAGE GTest TARGET GTest::gtest
    FETCH_TARGET gtest FETCH_OPTIONS BUILD_GMOCK INSTALL_GTEST
    FETCH GIT_REPOSITORY https://github.com/google/googletest.git
          GIT_TAG f8d7d77c06936315286eb55f8de22cd23c188571)
set(_dvk_benchmark TITLE "Google Benchmark" DEBIAN libbenchmark-dev
    PACKAGE benchmark TARGET benchmark::benchmark
    FETCH_TARGET benchmark::benchmark
    FETCH_OPTIONS BENCHMARK_ENABLE_TESTING BENCHMARK_ENABLE_GTEST_TESTS BENCHMARK_ENABLE_INSTALL
    FETCH GIT_REPOSITORY https://github.com/google/benchmark.git
          GIT_TAG 344117638c8ff7e239044fd0fa7085839fc03021)
# Only benchmarks compare against these, so they are never fetched.
set(_dvk_zlib TITLE "zlib" DEBIAN zlib1g-dev HEADER zlib.h LIBRARY z VERSION_MACROS ZLIB_VERSION)
set(_dvk_isal TITLE "ISA-L" DEBIAN libisal-dev HEADER isa-l.h LIBRARY isal
    VERSION_MACROS ISAL_MAJOR_VERSION ISAL_MINOR_VERSION ISAL_PATCH_VERSION)
set(_dvk_deflate TITLE "libdeflate" DEBIAN libdeflate-dev HEADER libdeflate.h LIBRARY deflate
    VERSION_MACROS LIBDEFLATE_VERSION_STRING)

# dvk_dependency(<name> [REQUIRED])
# Defines dvk_dep::<name> and sets, in the caller's scope, DVK_HAVE_<name> and DVK_VERSION_<name>.
function(dvk_dependency name)
  cmake_parse_arguments(arg "REQUIRED" "" "" ${ARGN})
  cmake_parse_arguments(
    dep "" "TITLE;DEBIAN;HEADER;VERSION_HEADER;LIBRARY;PKG_CONFIG;PACKAGE;TARGET;FETCH_TARGET"
    "VERSION_MACROS;FETCH;FETCH_OPTIONS" ${_dvk_${name}})
  if(NOT dep_TITLE)
    message(FATAL_ERROR "dvk_dependency: no dependency is called '${name}'")
  endif()
  set(version "given by the embedding project")
  set(problem "")
  if(NOT TARGET dvk_dep::${name})
    if(name STREQUAL "gtest" AND (DVK_GTEST_SOURCE_DIR OR CMAKE_CROSSCOMPILING))
      _dvk_gtest_from_source()
    elseif(dep_PACKAGE)
      _dvk_find_package(${name})
    else()
      _dvk_find_files(${name})
    endif()
    if(problem AND DVK_FETCH_DEPS AND dep_FETCH)
      message(STATUS "dvk: fetching ${dep_TITLE}: ${problem}")
      _dvk_fetch(${name})
    endif()
    if(NOT problem)
      message(STATUS "dvk: ${dep_TITLE} ${version} (${where})")
    endif()
  elseif(DEFINED DVK_VERSION_${name})
    set(version "${DVK_VERSION_${name}}")
  endif()
  if(problem)
    set(DVK_HAVE_${name} FALSE PARENT_SCOPE)
    set(text "${dep_TITLE} >= ${DVK_MIN_${name}}: ${problem}.")
    if(arg_REQUIRED)
      set(hint "On Debian run tools/setup.sh (package ${dep_DEBIAN}); elsewhere install it and set CMAKE_PREFIX_PATH")
      if(dep_FETCH)
        string(APPEND hint ", or configure with -DDVK_FETCH_DEPS=ON")
      endif()
      message(FATAL_ERROR "dvk needs ${text}\n${hint}.")
    endif()
    message(STATUS "dvk: going without ${text} Debian: ${dep_DEBIAN}")
    return()
  endif()
  set(DVK_HAVE_${name} TRUE PARENT_SCOPE)
  set(DVK_VERSION_${name} "${version}" PARENT_SCOPE)
endfunction()

# The helpers below are macros: they see the row (dep_*) and set problem, version and where.

macro(_dvk_define name)
  add_library(dvk_dep::${name} INTERFACE IMPORTED GLOBAL)
  set_target_properties(dvk_dep::${name} PROPERTIES INTERFACE_LINK_LIBRARIES "${ARGN}")
endmacro()

macro(_dvk_find_package name)
  find_package(${dep_PACKAGE} CONFIG QUIET HINTS "${DVK_DEPS_DIR}")
  set(version "${${dep_PACKAGE}_VERSION}")
  set(where "${${dep_PACKAGE}_DIR}")
  if(NOT ${dep_PACKAGE}_FOUND)
    set(problem "not found")
  elseif(version VERSION_LESS DVK_MIN_${name})
    set(problem "${version} in ${where} is too old")
  else()
    set_target_properties(${dep_TARGET} PROPERTIES IMPORTED_GLOBAL TRUE)
    _dvk_define(${name} ${dep_TARGET})
  endif()
endmacro()

macro(_dvk_find_files name)
  set(anywhere "")
  if(NOT dep_LIBRARY)
    set(anywhere NO_CMAKE_FIND_ROOT_PATH)  # headers alone serve a cross build too
  endif()
  find_path(DVK_${name}_INCLUDE_DIR ${dep_HEADER}
            HINTS "${DVK_DEPS_DIR}" PATH_SUFFIXES include ${anywhere})
  mark_as_advanced(DVK_${name}_INCLUDE_DIR)
  set(where "${DVK_${name}_INCLUDE_DIR}")
  if(NOT where)
    set(problem "header ${dep_HEADER} not found")
  else()
    _dvk_read_version("${where}/${dep_HEADER}" "${where}/${dep_VERSION_HEADER}" "${dep_VERSION_MACROS}")
    if(version VERSION_LESS DVK_MIN_${name})
      set(problem "${version} in ${where} is too old")
    endif()
  endif()
  if(NOT problem AND dep_LIBRARY)
    find_library(DVK_${name}_LIBRARY ${dep_LIBRARY} HINTS "${DVK_DEPS_DIR}"
                 PATH_SUFFIXES lib/${CMAKE_LIBRARY_ARCHITECTURE} lib lib64)
    mark_as_advanced(DVK_${name}_LIBRARY)
    set(where "${DVK_${name}_LIBRARY}")
    if(NOT where)
      set(problem "header found in ${DVK_${name}_INCLUDE_DIR}, but no library ${dep_LIBRARY}")
    endif()
  endif()
  if(NOT problem)
    set(include_dir "${DVK_${name}_INCLUDE_DIR}")
    if(CMAKE_CROSSCOMPILING AND NOT dep_LIBRARY)
      # The folder may be the host's /usr/include, and must not shadow the target's: take from it
      # nothing but this dependency's own folder.
      set(include_dir "${CMAKE_BINARY_DIR}/_deps/headers/${name}")
      get_filename_component(folder "${dep_HEADER}" DIRECTORY)
      file(MAKE_DIRECTORY "${include_dir}")
      file(CREATE_LINK "${where}/${folder}" "${include_dir}/${folder}" SYMBOLIC)
    endif()
    _dvk_define(${name} ${DVK_${name}_LIBRARY})
    set_target_properties(dvk_dep::${name} PROPERTIES
                          INTERFACE_INCLUDE_DIRECTORIES "${include_dir}")
  endif()
endmacro()

# Reads "#define MACRO 1" or "#define MACRO "1.2.3"" for each macro and joins the parts by dots.
function(_dvk_read_version header version_header macros)
  if(EXISTS "${version_header}" AND NOT IS_DIRECTORY "${version_header}")
    set(header "${version_header}")
  endif()
  set(parts "")
  foreach(macro IN LISTS macros)
    set(pattern "^[ \t]*#[ \t]*define[ \t]+${macro}[ \t=]+\"?([0-9][0-9.]*)")
    file(STRINGS "${header}" line REGEX "${pattern}" LIMIT_COUNT 1)
    if(line MATCHES "${pattern}")
      list(APPEND parts "${CMAKE_MATCH_1}")
    endif()
  endforeach()
  list(JOIN parts "." version)
  if(NOT version)
    set(version "0 (of unknown version)")
  endif()
  set(version "${version}" PARENT_SCOPE)
endfunction()

# Settings for a dependency's own CMakeLists.txt: they count as its options, and only there.
macro(_dvk_as_options)
  set(CMAKE_POLICY_DEFAULT_CMP0077 NEW)
  set(CMAKE_POLICY_DEFAULT_CMP0048 NEW)
  set(CMAKE_WARN_DEPRECATED OFF)
  foreach(option IN LISTS dep_FETCH_OPTIONS)
    set(${option} OFF)
  endforeach()
endmacro()

# Distributions ship GoogleTest compiled for the host only, without a sanitizer, but also its
# sources: those serve cross builds and instrumented ones.
macro(_dvk_gtest_from_source)
  set(where "${DVK_GTEST_SOURCE_DIR}")
  if(NOT where)
    set(where /usr/src/googletest)
  endif()
  if(EXISTS "${where}/googletest/CMakeLists.txt")
    _dvk_as_options()
    add_subdirectory("${where}" "${CMAKE_BINARY_DIR}/_deps/googletest" EXCLUDE_FROM_ALL)
    target_compile_options(gtest PRIVATE -w)  # it asks for -Werror; its warnings are not ours
    _dvk_define(gtest gtest)
    set(version "built from source")
  else()
    set(problem "no GoogleTest sources in ${where} (Debian: googletest)")
  endif()
endmacro()

macro(_dvk_fetch name)
  include(FetchContent)
  _dvk_as_options()
  set(BUILD_SHARED_LIBS OFF)
  set(BUILD_STATIC_LIBS ON)
  set(CMAKE_POSITION_INDEPENDENT_CODE ON)  # so that they can go into a shared dvk
  set(system "")
  if(CMAKE_VERSION VERSION_GREATER_EQUAL 3.25)
    set(system SYSTEM)  # its headers' warnings are not ours
  endif()
  FetchContent_Declare(dvk_${name} ${dep_FETCH} ${system})
  FetchContent_MakeAvailable(dvk_${name})
  _dvk_define(${name} ${dep_FETCH_TARGET})
  set(version "fetched")
  set(where "${dvk_${name}_SOURCE_DIR}")
  set(problem "")
endmacro()
