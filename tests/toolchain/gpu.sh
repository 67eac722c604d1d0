#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Machines with GPUs and CUDA tools of several kinds, all stand-ins: what is chosen, what is said.
# shellcheck source=tests/toolchain/common.sh
. "$(dirname "$0")/common.sh"

S=$HEDDLE_SOURCE/toolchain
make_home "$T/home"
cd "$T" || exit
H=$T/home/bin/heddle
make_cuda "$T/c124" 12.4
make_cuda "$T/c130" 13.0
make_cuda "$T/c102" 10.2
works "a fitting CUDA is used" env HEDDLE_CUDA="$T/c124" "$S/fetch-cuda"; said "12.4" "12\.4: $T/c124"
works "CUDA_PATH too" env HEDDLE_CUDA="$T/c130" CUDA_PATH="$T/c124" "$S/fetch-cuda"; said "not 13" "$T/c124"
works "the driver agrees" env HEDDLE_CUDA="$T/c130" CUDA_PATH="$T/c124" "$H" doctor; said "12.4" "ok +CUDA tools +$T/c124"
works "too old" env HEDDLE_CUDA="$T/c102" CUDA_PATH="$T/c124" "$H" doctor; said "12.4 instead" "ok +CUDA tools +$T/c124"
mkdir -p "$XDG_CACHE_HOME/heddle"; make_cuda "$XDG_CACHE_HOME/heddle/cuda-11.8" 11.8
works "the cache" "$H" doctor;                        said "is found" 'ok +CUDA tools +.*heddle/cuda-11.8'
works "flags for a GPU" "$H" cc --targets=sm_90,sm_80,x86_64 '-###' -c "$T/standin.c"
said "archs" 'sm_90' ; said "both" 'sm_80'

# GPUs
unset HEDDLE_TARGETS
for sm in 90 86 100; do make_driver "$T/sm$sm" 1 $sm; done
# shellcheck disable=SC2317
with() { env LD_LIBRARY_PATH="$T/$1" "${@:2}"; }
works "native: sm_90" with sm90 "$H" cc '-###' -c "$T/standin.c";    said "sm_90" 'target-cpu" "sm_90"'
works "native: sm_86" with sm86 "$H" cc '-###' -c "$T/standin.c";    said "sm_86" 'target-cpu" "sm_86"'
works "a GPU too new for this LLVM" with sm100 "$H" cc -c "$T/standin.c" -o x.o; said "is said" 'sm_100'
works "HEDDLE_TARGETS" env HEDDLE_TARGETS=host LD_LIBRARY_PATH="$T/sm90" "$H" cc '-###' -c "$T/standin.c"; unsaid "host" 'nvptx'
works "own offload flags win" with sm86 "$H" cc --offload-arch=sm_80 --cuda-path="$T/c124" '-###' -c "$T/standin.c"
said "sm_80" 'target-cpu" "sm_80"'; unsaid "not sm_86" 'target-cpu" "sm_86"'
works "doctor sees the GPU" with sm90 "$H" doctor;                   said "name" 'GPU 0 +Stand-in GPU, sm_90'
works "CPU program, GPU machine" with sm90 "$H" doctor "$H";         said "no image" 'holds no offload image'
if ! ldconfig -p | grep -q 'libcuda\.so '; then
    said "libcuda.so.1 alone is a warning" 'only libcuda\.so\.1'
    # shellcheck disable=SC2016
    works "run makes the link" with sm90 "$H" run sh -c 'readlink "${LD_LIBRARY_PATH%%:*}/libcuda.so"'
    said "to the library" "$T/sm90/libcuda.so.1"
    works "again" with sm90 "$H" run true
fi

# a GPU but no tools
rm -rf "$XDG_CACHE_HOME/heddle"
if [ ! -d /usr/lib/cuda ]; then
    fails "explicit GPU without tools" 1 env PATH="/usr/bin:/bin" "$H" cc --targets=sm_90 -c "$T/standin.c"
    said "what to do" 'fetch-cuda'
    works "GPU present without tools: for the CPU" with sm90 env PATH="/usr/bin:/bin" "$H" cc "$T/standin.c" -shared -o cpu.so
    said "and says so" 'CPU only'
fi

# damaged programs
"$H" cc --targets=x86_64 -fPIC -shared "$T/standin.c" -o whole.so
for n in 100 9000 12000 16000; do
    head -c $n whole.so >cut.so
    works "doctor of a cut program, $n bytes" "$H" doctor cut.so
done
finish

