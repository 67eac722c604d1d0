# SPDX-License-Identifier: Apache-2.0
# Functions for the parts of this project:
#
#   heddle_add_app(NAME sw SOURCES sw.c … [LIBRARIES …] [TARGETS host|native|…])
#       a program compiled and linked through the build tree's `heddle cc`: bin/<name>
#   heddle_add_variant(sw wide SOURCES nest.c … [DEFINITIONS D=…] [OPTIONS …])
#       files of that program once more (or the only time), under definitions of their own
#   heddle_add_test(NAME n SOURCES … [LIBRARIES …] [LABELS …] [TIMEOUT s] [ARGS …] [ENVIRONMENT …] [APP])
#       a CMocka test program: bin/tests/<name>; status 77 is "skipped". APP: compiled as an app is.
#   heddle_add_script_test(NAME n COMMAND … [LABELS …] [TIMEOUT s] [ENVIRONMENT …] [LONG])
#       any command (LONG: only where `ctest -C long`, as `toolchain/check --long` does, asks for it); it finds the build tree in $HEDDLE_BUILD and the sources in
#       $HEDDLE_SOURCE, the compiler in $HEDDLE_CLANG and its major version in $HEDDLE_LLVM.

# Sends the target's compilations and its link through `heddle cc` of the build tree.
function(heddle_use_driver target targets)
    set(launcher "${CMAKE_BINARY_DIR}/bin/heddle" cc --targets=${targets} --no-rpath)
    if(HEDDLE_VERIFY) # apps that check what their directives assert
        list(APPEND launcher --verify)
        add_dependencies(${target} heddle-verify)
    endif()
    set_target_properties(${target} PROPERTIES
        C_COMPILER_LAUNCHER "${launcher}" C_LINKER_LAUNCHER "${launcher}")
    foreach(tool heddle-driver heddle-translate)
        if(TARGET ${tool})
            add_dependencies(${target} ${tool})
        endif()
    endforeach()
    if(TARGET heddle-translate) # a changed translator translates again
        get_target_property(sources ${target} SOURCES)
        set_property(SOURCE ${sources} APPEND PROPERTY 
            OBJECT_DEPENDS "${CMAKE_BINARY_DIR}/bin/heddle-translate")
    endif()
endfunction()

function(heddle_add_app)
    cmake_parse_arguments(A "" "NAME;TARGETS" "SOURCES;LIBRARIES" ${ARGN})
    if(NOT A_TARGETS)
        set(A_TARGETS "${HEDDLE_TARGETS}")
    endif()
    add_executable(${A_NAME} ${A_SOURCES})
    target_link_libraries(${A_NAME} PRIVATE ${A_LIBRARIES})
    foreach(library heddle_app_common heddle::heddle)
        if(TARGET ${library})
            target_link_libraries(${A_NAME} PRIVATE ${library})
        endif()
    endforeach()
    heddle_use_driver(${A_NAME} "${A_TARGETS}")
    set_target_properties(${A_NAME} PROPERTIES HEDDLE_APP_TARGETS "${A_TARGETS}")
    install(TARGETS ${A_NAME} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT apps)
endfunction()

# A file that is compiled several times cannot be a source of one target several times.
function(heddle_add_variant app variant)
    cmake_parse_arguments(V "" "" "SOURCES;DEFINITIONS;OPTIONS" ${ARGN})
    set(objects ${app}_${variant})
    add_library(${objects} OBJECT ${V_SOURCES})
    target_compile_definitions(${objects} PRIVATE ${V_DEFINITIONS})
    target_compile_options(${objects} PRIVATE ${V_OPTIONS})
    target_link_libraries(${objects} PRIVATE $<TARGET_PROPERTY:${app},LINK_LIBRARIES>)
    get_target_property(targets ${app} HEDDLE_APP_TARGETS)
    heddle_use_driver(${objects} "${targets}")
    target_sources(${app} PRIVATE $<TARGET_OBJECTS:${objects}>)
endfunction()

# What all tests have in common. The time is for those that hang: a slow or busy machine is no failure.
function(heddle_set_test name labels timeout environment)
    if(NOT timeout OR timeout LESS 600)
        set(timeout 600)
    endif()
    set_tests_properties(${name} PROPERTIES
        SKIP_RETURN_CODE 77
        TIMEOUT ${timeout}
        LABELS "${labels}"
        ENVIRONMENT "HEDDLE_BUILD=${CMAKE_BINARY_DIR};HEDDLE_SOURCE=${CMAKE_SOURCE_DIR};HEDDLE_CLANG=${HEDDLE_CLANG};HEDDLE_LLVM=${HEDDLE_LLVM_MAJOR};${environment}")
endfunction()

function(heddle_add_test)
    cmake_parse_arguments(T "APP" "NAME;TIMEOUT;TARGETS" "SOURCES;LIBRARIES;LABELS;ARGS;ENVIRONMENT" ${ARGN})
    if(NOT HEDDLE_TESTS)
        return()
    endif()
    add_executable(${T_NAME} ${T_SOURCES})
    set_target_properties(${T_NAME} PROPERTIES
        RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin/tests"
        INSTALL_RPATH "${CMAKE_BINARY_DIR}/lib;${HEDDLE_LLVM_LIBDIR}")
    target_link_libraries(${T_NAME} PRIVATE ${T_LIBRARIES} cmocka)
    if(T_APP)
        if(TARGET heddle::heddle)
            target_link_libraries(${T_NAME} PRIVATE heddle::heddle)
        endif()
        if(NOT T_TARGETS)
            set(T_TARGETS "${HEDDLE_TARGETS}")
        endif()
        heddle_use_driver(${T_NAME} "${T_TARGETS}")
    endif()
    add_test(NAME ${T_NAME} COMMAND ${T_NAME} ${T_ARGS})
    heddle_set_test(${T_NAME} "${T_LABELS}" "${T_TIMEOUT}" "${T_ENVIRONMENT}")
endfunction()

function(heddle_add_script_test)
    cmake_parse_arguments(T "LONG" "NAME;TIMEOUT" "COMMAND;LABELS;ENVIRONMENT" ${ARGN})
    if(NOT HEDDLE_TESTS)
        return()
    endif()
    if(T_LONG)
        list(APPEND T_LABELS long)
        set(configurations CONFIGURATIONS long)
    endif()
    add_test(NAME ${T_NAME} COMMAND ${T_COMMAND} ${configurations})
    heddle_set_test(${T_NAME} "${T_LABELS}" "${T_TIMEOUT}" "${T_ENVIRONMENT}")
endfunction()
