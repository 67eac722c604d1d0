# SPDX-License-Identifier: Apache-2.0
# Writes a file as a C array that ends with a zero: cmake -DIN=… -DOUT=… -DNAME=… -P embed.cmake
file(READ "${IN}" bytes HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
file(WRITE "${OUT}" "static const unsigned char ${NAME}[] = {${bytes}0};\n")
