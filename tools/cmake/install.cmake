# Install rules: headers, libraries, the command line, a CMake package and pkg-config files. All of it
# may be moved afterwards: nothing installed names the prefix.
#
# The CMake package's components, and the pkg-config files, are one for each library and one (dvk) for
# all; what a library needs is read off its target, so that nothing is listed twice.

include(CMakePackageConfigHelpers)

get_property(libraries GLOBAL PROPERTY DVK_LIBRARIES)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/dvk)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/dvk DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS ${libraries} dvk_dvk EXPORT dvkTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(TARGET dvk_cli)
  set_target_properties(dvk_cli PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
  if(BUILD_SHARED_LIBS AND NOT APPLE)
    file(RELATIVE_PATH to_libraries ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
    set_target_properties(dvk_cli PROPERTIES INSTALL_RPATH "$ORIGIN/${to_libraries}")
  endif()
  install(TARGETS dvk_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

# Sets, for one library, what it links to: public and private (libraries of dvk, by component), and
# outside (what is not dvk's; nobody has to name what a shared library links to).
macro(dvk_links target)
  set(public "")
  set(private "")
  set(outside "")
  get_target_property(interface_links ${target} INTERFACE_LINK_LIBRARIES)
  get_target_property(links ${target} LINK_LIBRARIES)
  foreach(library IN LISTS links)
    if(library MATCHES "^dvk::(.*)")
      if(library IN_LIST interface_links)
        list(APPEND public ${CMAKE_MATCH_1})
      else()
        list(APPEND private ${CMAKE_MATCH_1})
      endif()
    elseif(library MATCHES "^dvk_dep::(.*)" AND NOT BUILD_SHARED_LIBS)
      list(APPEND outside ${CMAKE_MATCH_1})
    endif()
  endforeach()
endmacro()

# dvk_pkg_config(name DESCRIPTION text [LIBS flags...] [PRIVATE_LIBS ...] [REQUIRES ...] [PRIVATE ...])
function(dvk_pkg_config name)
  cmake_parse_arguments(pc "" "DESCRIPTION" "LIBS;PRIVATE_LIBS;REQUIRES;PRIVATE" ${ARGN})
  set(pc_NAME ${name})
  list(JOIN pc_LIBS " " pc_LIBS)
  list(JOIN pc_PRIVATE_LIBS " " pc_PRIVATE_LIBS)
  list(JOIN pc_REQUIRES ", " pc_REQUIRES)
  list(JOIN pc_PRIVATE ", " pc_PRIVATE)
  file(RELATIVE_PATH to_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
  string(REGEX REPLACE "/$" "" to_prefix ${to_prefix})
  set(pc_LIBDIR "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
  set(pc_INCLUDEDIR "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
  foreach(folder IN ITEMS LIBDIR INCLUDEDIR)
    if(IS_ABSOLUTE "${CMAKE_INSTALL_${folder}}")
      set(pc_${folder} "${CMAKE_INSTALL_${folder}}")
    endif()
  endforeach()
  configure_file(${PROJECT_SOURCE_DIR}/tools/cmake/pkgconfig.pc.in
                 ${PROJECT_BINARY_DIR}/pkgconfig/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/pkgconfig/${name}.pc
          DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()

# A C linker does not know what C++ needs at run time.
set(runtime "")
if(NOT BUILD_SHARED_LIBS)
  foreach(library IN LISTS CMAKE_CXX_IMPLICIT_LINK_LIBRARIES)
    if(NOT library IN_LIST CMAKE_C_IMPLICIT_LINK_LIBRARIES AND NOT library MATCHES "/")
      list(APPEND runtime -l${library})
    endif()
  endforeach()
endif()

set(components "")
set(all_outside "")
set(outside_lines "")  # of dvkConfig.cmake
foreach(target IN LISTS libraries)  # each comes after those that it links to
  get_target_property(component ${target} EXPORT_NAME)
  dvk_links(${target})
  list(APPEND components ${component})

  set(required ${public})
  list(TRANSFORM required REPLACE "(.+)" "dvk-\\1 = ${PROJECT_VERSION}")
  set(required_private ${private})
  list(TRANSFORM required_private REPLACE "(.+)" "dvk-\\1 = ${PROJECT_VERSION}")
  foreach(name IN LISTS outside)
    cmake_parse_arguments(dep "" "PKG_CONFIG" "" ${_dvk_${name}})
    list(APPEND required_private "${dep_PKG_CONFIG} >= ${DVK_MIN_${name}}")
  endforeach()
  dvk_pkg_config(dvk-${component} DESCRIPTION "${PROJECT_DESCRIPTION}: ${component}"
    LIBS -l${target} PRIVATE_LIBS ${runtime} REQUIRES ${required} PRIVATE ${required_private})

  set(outside_${component} ${outside})
  foreach(part IN LISTS public private)
    list(APPEND outside_${component} ${outside_${part}})
  endforeach()
  list(REMOVE_DUPLICATES outside_${component})
  list(APPEND all_outside ${outside_${component}})
  string(APPEND outside_lines "set(_dvk_outside_${component} ${outside_${component}})\n")
endforeach()
list(REMOVE_DUPLICATES all_outside)
string(APPEND outside_lines "set(_dvk_outside_dvk ${all_outside})\n")
list(TRANSFORM components REPLACE "(.+)" "dvk-\\1 = ${PROJECT_VERSION}" OUTPUT_VARIABLE all)
dvk_pkg_config(dvk DESCRIPTION "${PROJECT_DESCRIPTION}" REQUIRES ${all})

configure_package_config_file(${PROJECT_SOURCE_DIR}/tools/cmake/dvkConfig.cmake.in
  ${PROJECT_BINARY_DIR}/dvkConfig.cmake INSTALL_DESTINATION ${package_dir}
  NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/dvkConfigVersion.cmake
  COMPATIBILITY SameMajorVersion)
install(EXPORT dvkTargets NAMESPACE dvk:: DESTINATION ${package_dir})
install(FILES ${PROJECT_BINARY_DIR}/dvkConfig.cmake ${PROJECT_BINARY_DIR}/dvkConfigVersion.cmake
  tools/cmake/dependencies.cmake DESTINATION ${package_dir})
