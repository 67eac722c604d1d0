# SPDX-License-Identifier: Apache-2.0
# Finds the folder of libomptarget and libomp of the compiler in use: HEDDLE_LLVM_LIBDIR.
# With a compiler that is not clang (gcc builds the tools and the serial references) clang-19 is asked.
if(NOT HEDDLE_LLVM_LIBDIR)
    if(CMAKE_C_COMPILER_ID STREQUAL "Clang")
        set(heddle_clang "${CMAKE_C_COMPILER}" ${CMAKE_C_COMPILER_ARG1})
    else()
        find_program(HEDDLE_CLANG NAMES clang-19 clang DOC "clang of LLVM 19 or later")
        set(heddle_clang "${HEDDLE_CLANG}")
    endif()
    execute_process(COMMAND ${heddle_clang} -print-file-name=libomptarget.so
        OUTPUT_VARIABLE heddle_omptarget OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    if(heddle_omptarget AND IS_ABSOLUTE "${heddle_omptarget}")
        get_filename_component(heddle_omptarget "${heddle_omptarget}" DIRECTORY)
        get_filename_component(heddle_omptarget "${heddle_omptarget}" REALPATH)
    else()
        set(heddle_omptarget HEDDLE_LLVM_LIBDIR-NOTFOUND)
        message(WARNING "no libomptarget for ${heddle_clang}: install libomp-19-dev (toolchain/check does)")
    endif()
    set(HEDDLE_LLVM_LIBDIR "${heddle_omptarget}" CACHE PATH "folder of libomptarget.so and libomp.so")
endif()
