# SPDX-License-Identifier: Apache-2.0
# The manual pages: docs/man/*.1.in with what the commands say of themselves, into share/man of the build tree; and the pages
# of docs/reference that are generated, into the source tree by `cmake --build BUILD --target docs`.
file(GLOB pages CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/docs/man/*.1.in")
set(heddle_man "")
foreach(page ${pages})
    get_filename_component(name "${page}" NAME_WLE)
    set(made "${CMAKE_BINARY_DIR}/share/man/man1/${name}")
    add_custom_command(OUTPUT "${made}.gz"
        COMMAND sh "${PROJECT_SOURCE_DIR}/docs/man/make-page" $<TARGET_FILE:heddle-driver> $<TARGET_FILE:heddle-translate> "${page}" ${PROJECT_VERSION} > "${made}"
        COMMAND gzip -9nf "${made}"
        DEPENDS "${page}" "${PROJECT_SOURCE_DIR}/docs/man/make-page" heddle-driver heddle-translate heddle VERBATIM)
    list(APPEND heddle_man "${made}.gz")
endforeach()
file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/share/man/man1")
add_custom_target(heddle-man ALL DEPENDS ${heddle_man})
install(FILES ${heddle_man} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)

add_custom_target(docs COMMAND "${PROJECT_SOURCE_DIR}/docs/reference/generate" "${CMAKE_BINARY_DIR}" "${PROJECT_SOURCE_DIR}/docs/reference"
    DEPENDS heddle-driver heddle-translate heddle VERBATIM)
