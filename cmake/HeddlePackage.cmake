# SPDX-License-Identifier: Apache-2.0
# heddle_VERSION_amd64.deb: cmake --preset package && cmake --build --preset package --target package
# In it: the command, the translator, the run time, headers, CMake and pkg-config files, manual pages; no applications.
set(HEDDLE_MAINTAINER "heddle maintainers <maintainers@heddle.invalid>" CACHE STRING "who answers for the Debian package")
set(debian "${PROJECT_SOURCE_DIR}/cmake/debian")
set(doc "${CMAKE_INSTALL_DATADIR}/doc/heddle")

add_custom_command(OUTPUT "${CMAKE_BINARY_DIR}/changelog.gz" DEPENDS "${debian}/changelog"
    COMMAND gzip -9nc "${debian}/changelog" > "${CMAKE_BINARY_DIR}/changelog.gz" VERBATIM)
add_custom_target(heddle-changelog ALL DEPENDS "${CMAKE_BINARY_DIR}/changelog.gz")
install(FILES README.md "${debian}/copyright" "${CMAKE_BINARY_DIR}/changelog.gz" DESTINATION ${doc})
install(DIRECTORY docs DESTINATION ${doc} FILES_MATCHING REGEX "\\.(md|c|h|svg|png)$" PATTERN man EXCLUDE)
configure_file("${debian}/lintian-overrides.in" "${CMAKE_BINARY_DIR}/lintian-overrides" @ONLY)
install(FILES "${CMAKE_BINARY_DIR}/lintian-overrides" DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides RENAME heddle)

set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME heddle)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "${HEDDLE_MAINTAINER}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "annotated C loops on every core and GPU of a machine")
file(READ "${debian}/description" CPACK_DEBIAN_PACKAGE_DESCRIPTION)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
# what heddle cc starts: clang, its offload packager and linker wrapper, ld.lld for x86_64 devices; what programs load
heddle_llvm_packages(${HEDDLE_LLVM_MAJOR} packages)
string(REGEX REPLACE "libclang-([0-9]+)-dev" "libclang1-\\1" packages "${packages}") # the translator's library, no headers
string(REPLACE " " ", " packages "${packages}")
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libc6 (>= 2.36), ${packages}")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "cmake, pkg-config, python3-pip")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA "${debian}/triggers;${debian}/shlibs")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)
