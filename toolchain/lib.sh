# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# What the scripts of this folder share: messages, Debian packages, the build. Sourced, never run.

# The versions of LLVM that are tested, the default first, and the packages of one.
llvm_list=$(dirname "${BASH_SOURCE[0]}")/llvm-versions
llvm_versions() { sed -nE 's/^([0-9]+) .*/\1/p' "$llvm_list"; }
llvm_packages() { sed -n "s/^$1 //p" "$llvm_list"; }

# use_llvm VERSION: what each purpose then needs from Debian 12.
# shellcheck disable=SC2034
use_llvm() {
    llvm=$1
    packages_core="$(llvm_packages "$llvm") cmake ninja-build" # all but the applications
    packages_build="$packages_core zlib1g-dev libpng-dev libexpat1-dev"
    packages_test="clang-format-19 gcc make pkg-config python3 llvm-$llvm libclang-rt-$llvm-dev libcmocka-dev libparasail-dev
        libopenh264-dev spin libopenblas0 ffmpeg libglpk-dev rocm-device-libs"
    packages_page="chromium-headless-shell" # opens the page of `heddle trace`; 300 MB
    packages_demo="$packages_core zlib1g-dev bowtie2-examples ssw-align"
}
use_llvm "$(llvm_versions | sed -n 1p)"

say() { printf '%s\n' "$*"; }
step() { printf '\n== %s\n' "$*"; }
die() {
    printf '%s: %s\n' "$(basename "$0")" "$*" >&2
    exit 1
}

repository() { (cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P); }

# Runs a command as root: directly, or through sudo; fails with one line where neither is possible.
as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        return 126
    fi
}

is_installed() {
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ] && return
    # a virtual package (pkg-config is pkgconf's) counts when its command is there
    [ "$1" = pkg-config ] && command -v pkg-config >/dev/null
}

# The packages of the list that are not installed.
missing_packages() {
    local p
    for p in "$@"; do
        is_installed "$p" || printf '%s ' "$p"
    done
}

# What apt-get says went wrong, on one line.
reason() { grep '^E: ' "$1" | tail -n 1 | cut -c 4-; }

# Installing never takes away what somebody installed: Debian's libomp-NN-dev exclude each other.
refuse_removals() {
    local removed
    # shellcheck disable=SC2086
    removed=$(apt-get install -s --no-install-recommends $1 2>/dev/null | sed -n 's/^Remv \([^ ]*\).*/\1/p' | tr '\n' ' ')
    [ -z "$removed" ] || die "apt-get would remove ${removed% } to install $1. A bare machine has room for them:\
 tests/bare-machine toolchain/check --llvm=$llvm"
}

# need_packages PURPOSE PACKAGE…: installs what is missing and says so; does nothing when all is there.
need_packages() {
    local purpose=$1 missing log hint
    shift
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        have_without_apt "$@" && return
        die "this is no Debian system (no apt-get). Install by hand what these Debian 12 packages hold: $*"
    fi
    missing=$(missing_packages "$@")
    missing=${missing% }
    [ -z "$missing" ] && return
    hint="Install by hand: apt-get install $missing"
    say "installing with apt-get, for $purpose: $missing"
    log=$(mktemp)
    if ! as_root true 2>/dev/null; then
        die "needs root or sudo to install packages. $hint"
    fi
    # a fresh index only when the one that is there does not know a package
    # shellcheck disable=SC2086
    if ! apt-get install -s --no-install-recommends $missing >"$log" 2>&1; then
        as_root env DEBIAN_FRONTEND=noninteractive apt-get update -q >"$log" 2>&1 || true
        if ! apt-get install -s --no-install-recommends $missing >"$log" 2>&1; then
            die "apt-get does not know a package (no network, or not Debian 12 'bookworm'): $(reason "$log"). $hint"
        fi
    fi
    refuse_removals "$missing"
    # shellcheck disable=SC2086
    if ! as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
        $missing >"$log" 2>&1; then
        as_root env DEBIAN_FRONTEND=noninteractive apt-get update -q >>"$log" 2>&1 || true
        as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
            $missing >>"$log" 2>&1 || {
            die "apt-get could not install (no network?): $(reason "$log"). $hint"
        }
    fi
    rm -f "$log"
}

# Elsewhere than on Debian the work can go on when the commands are there; a missing library is then
# named by CMake.
have_without_apt() {
    command -v "clang-$llvm" >/dev/null && command -v cmake >/dev/null && command -v ninja >/dev/null
}

# Whether the machine has an NVIDIA driver with a GPU behind it.
have_gpu() {
    [ -e /dev/nvidia0 ] || [ -e /dev/dxg ]
}

# Gets the CUDA tools when a GPU is there; without them the build is for the CPU, which is said.
cuda_for_gpu() {
    if ! have_gpu; then
        say "no NVIDIA GPU here: building for the CPU"
        return
    fi
    if command -v apt-get >/dev/null; then need_packages "fetching CUDA tools" python3 python3-pip; fi
    "$(dirname "${BASH_SOURCE[0]}")/fetch-cuda" ||
        say "no CUDA tools could be had (above): the GPU stays unused"
}

# configure PRESET, build PRESET ARGUMENTS…: quiet unless they fail.
configure() {
    local log
    log=$(mktemp)
    cmake --preset "$1" >"$log" 2>&1 || {
        tail -n 40 "$log" >&2
        die "configuring failed; the whole log: $log"
    }
    rm -f "$log"
}

build() {
    local preset=$1 log
    shift
    log=$(mktemp)
    cmake --build --preset "$preset" "$@" >"$log" 2>&1 || {
        grep -E -A 12 'error|FAILED' "$log" | head -n 60 >&2 || true
        die "building failed; the whole log: $log"
    }
    rm -f "$log"
}

configure_and_build() {
    configure "$1"
    build "$1"
}

seconds_since() { echo "$(($(date +%s) - $1))"; }
