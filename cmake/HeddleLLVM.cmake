# SPDX-License-Identifier: Apache-2.0
# Which LLVM. HEDDLE_LLVM chooses it by its major version: the compiler is then clang-NN, and libclang, libomptarget and all tools are those
# of the same installation. toolchain/llvm-versions lists the versions.
#   heddle_choose_compiler()   before project(): HEDDLE_LLVM=NN becomes CMAKE_C_COMPILER
#   heddle_find_llvm()         after it: HEDDLE_LLVM_MAJOR, HEDDLE_CLANG, HEDDLE_LLVM_PREFIX, HEDDLE_LLVM_RESOURCES,
#                              HEDDLE_LLVM_LIBDIR, HEDDLE_OMPTARGET_NAME
# With a compiler that is not clang (gcc builds the tools and the serial references) the default version is asked for.
set(HEDDLE_LLVM_LIST "${CMAKE_CURRENT_LIST_DIR}/../toolchain/llvm-versions")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${HEDDLE_LLVM_LIST}")
file(STRINGS "${HEDDLE_LLVM_LIST}" HEDDLE_LLVM_LINES REGEX "^[0-9]+ ")
list(TRANSFORM HEDDLE_LLVM_LINES REPLACE " .*" "" OUTPUT_VARIABLE HEDDLE_LLVM_VERSIONS)
list(GET HEDDLE_LLVM_VERSIONS 0 HEDDLE_LLVM_OLDEST)
list(GET HEDDLE_LLVM_VERSIONS -1 HEDDLE_LLVM_NEWEST)
list(JOIN HEDDLE_LLVM_VERSIONS ", " versions)
set(HEDDLE_LLVM "" CACHE STRING "major version of LLVM (tested: ${versions}), or default, which is ${HEDDLE_LLVM_OLDEST}; empty: the compiler's")

macro(heddle_choose_compiler)
    if(HEDDLE_LLVM STREQUAL "default" AND CMAKE_C_COMPILER)
        set(HEDDLE_LLVM "")
    elseif(HEDDLE_LLVM STREQUAL "default")
        set(HEDDLE_LLVM ${HEDDLE_LLVM_OLDEST})
    endif()
    if(HEDDLE_LLVM AND NOT HEDDLE_LLVM MATCHES "^[0-9]+$")
        message(FATAL_ERROR "HEDDLE_LLVM=${HEDDLE_LLVM}: a major version is wanted, such as ${HEDDLE_LLVM_NEWEST}, or default")
    endif()
    if(HEDDLE_LLVM AND HEDDLE_LLVM LESS HEDDLE_LLVM_OLDEST)
        message(FATAL_ERROR "HEDDLE_LLVM=${HEDDLE_LLVM}: ${HEDDLE_LLVM_OLDEST} or later is needed")
    endif()
    if(HEDDLE_LLVM AND NOT CMAKE_C_COMPILER)
        set(CMAKE_C_COMPILER clang-${HEDDLE_LLVM})
    endif()
endmacro()

# The Debian packages of a version, separated by blanks; those of the newest where the list has none of its own.
function(heddle_llvm_packages version result)
    list(GET HEDDLE_LLVM_LINES -1 line)
    foreach(candidate IN LISTS HEDDLE_LLVM_LINES)
        if(candidate MATCHES "^${version} ")
            set(line "${candidate}")
        endif()
    endforeach()
    string(REGEX REPLACE "^([0-9]+) " "" packages "${line}")
    string(REPLACE "-${CMAKE_MATCH_1}" "-${version}" packages "${packages}")
    set(${result} "${packages}" PARENT_SCOPE)
endfunction()

# The folder of libomptarget and libomp, or NOTFOUND.
function(heddle_find_omptarget result)
    execute_process(COMMAND ${HEDDLE_CLANG} -print-file-name=libomptarget.so
        OUTPUT_VARIABLE file OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    set(folder NOTFOUND)
    if(file AND IS_ABSOLUTE "${file}")
        get_filename_component(folder "${file}" DIRECTORY)
        get_filename_component(folder "${folder}" REALPATH)
    else()
        heddle_llvm_packages(${HEDDLE_LLVM_MAJOR} packages)
        message(WARNING "no libomptarget for ${HEDDLE_CLANG}: apt-get install ${packages}")
    endif()
    set(${result} "${folder}" PARENT_SCOPE)
endfunction()

macro(heddle_find_llvm)
    set(HEDDLE_LLVM_MAJOR ${HEDDLE_LLVM_OLDEST})
    if(CMAKE_C_COMPILER_ID STREQUAL "Clang")
        string(REGEX MATCH "^[0-9]+" HEDDLE_LLVM_MAJOR "${CMAKE_C_COMPILER_VERSION}")
        set(HEDDLE_CLANG "${CMAKE_C_COMPILER}")
    else()
        find_program(HEDDLE_CLANG NAMES clang-${HEDDLE_LLVM_MAJOR} clang DOC "clang of LLVM ${HEDDLE_LLVM_OLDEST} or later")
    endif()
    if(HEDDLE_LLVM AND NOT HEDDLE_LLVM EQUAL HEDDLE_LLVM_MAJOR)
        message(FATAL_ERROR "HEDDLE_LLVM=${HEDDLE_LLVM}, and the compiler is ${CMAKE_C_COMPILER} "
            "(${CMAKE_C_COMPILER_ID} ${CMAKE_C_COMPILER_VERSION}): a build folder keeps its compiler, take another one")
    endif()
    execute_process(COMMAND ${HEDDLE_CLANG} -print-resource-dir
        OUTPUT_VARIABLE HEDDLE_LLVM_RESOURCES OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    get_filename_component(HEDDLE_LLVM_PREFIX "${HEDDLE_LLVM_RESOURCES}/../../.." REALPATH) # PREFIX/lib/clang/NN
    if(NOT HEDDLE_LLVM_LIBDIR)
        heddle_find_omptarget(heddle_omptarget)
        set(HEDDLE_LLVM_LIBDIR "${heddle_omptarget}" CACHE PATH "folder of libomptarget.so and libomp.so")
    endif()
    file(REAL_PATH "${HEDDLE_LLVM_LIBDIR}/libomptarget.so" HEDDLE_OMPTARGET_NAME)
    get_filename_component(HEDDLE_OMPTARGET_NAME "${HEDDLE_OMPTARGET_NAME}" NAME) # with its version, as programs ask for it
endmacro()
