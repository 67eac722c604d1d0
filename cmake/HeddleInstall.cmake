# SPDX-License-Identifier: Apache-2.0
# Package files: find_package(heddle) and pkg-config. The targets `heddle` (library) and
# `heddle-translate` come from runtime/ and pragmas/, which install only their own headers, if at all:
# what is installed is decided here.
include(CMakePackageConfigHelpers)

set(heddle_cmakedir "${CMAKE_INSTALL_LIBDIR}/cmake/heddle")

if(TARGET heddle)
    install(TARGETS heddle-verify LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
    install(TARGETS heddle EXPORT heddleTargets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
    install(EXPORT heddleTargets NAMESPACE heddle:: DESTINATION ${heddle_cmakedir})
endif()
if(EXISTS "${PROJECT_SOURCE_DIR}/runtime/include")
    install(DIRECTORY "${PROJECT_SOURCE_DIR}/runtime/include/" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.h")
endif()
if(TARGET heddle-translate)
    install(TARGETS heddle-translate RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/heddle)
endif()
install(PROGRAMS toolchain/fetch-cuda toolchain/bundle DESTINATION ${CMAKE_INSTALL_DATADIR}/heddle)
install(FILES toolchain/lib.sh toolchain/nvlink.c DESTINATION ${CMAKE_INSTALL_DATADIR}/heddle)

configure_package_config_file(cmake/heddleConfig.cmake.in heddleConfig.cmake
    INSTALL_DESTINATION ${heddle_cmakedir} PATH_VARS CMAKE_INSTALL_BINDIR)
write_basic_package_version_file(heddleConfigVersion.cmake COMPATIBILITY SameMajorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/heddleConfig.cmake"
              "${CMAKE_CURRENT_BINARY_DIR}/heddleConfigVersion.cmake"
    DESTINATION ${heddle_cmakedir})

# relative to the .pc file's own place, so that a moved installation keeps working
file(RELATIVE_PATH heddle_pc_prefix "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
configure_file(cmake/heddle.pc.in heddle.pc @ONLY)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/heddle.pc" DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
