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
    llvm_folder=${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/heddle/llvm-$llvm # see unpack_beside
    packages_llvm="$(llvm_packages "$llvm") llvm-$llvm libclang-rt-$llvm-dev"
    packages_core="$(llvm_packages "$llvm") cmake ninja-build" # all but the applications
    packages_build="$packages_core zlib1g-dev libpng-dev libexpat1-dev libyaml-dev"
    packages_test="clang-format-19 gcc g++ make pkg-config python3 llvm-$llvm libclang-rt-$llvm-dev libcmocka-dev libparasail-dev
        libopenh264-dev spin libopenblas0 ffmpeg libglpk-dev rocm-device-libs libmetis5"
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

# plan_of PACKAGE…: what apt-get would do to install them: Inst or Remv and a package on each line.
plan_of() { apt-get install -s --no-install-recommends "$@" 2>/dev/null | sed -nE 's/^(Inst|Remv) ([^ ]+).*/\1 \2/p'; }
removed_for() { plan_of "$@" | sed -n 's/^Remv //p' | tr '\n' ' '; }

# without LIST PACKAGE…: the packages that LIST, a text, does not name.
without() {
    local list=" $1 " p
    shift
    for p in "$@"; do
        case $list in *" $p "*) ;; *) printf '%s ' "$p" ;; esac
    done
}

# $packages_llvm and what they need, as far as it is made of LLVM's source.
all_of_llvm() {
    local no=(--no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces --no-enhances)
    # shellcheck disable=SC2086
    apt-cache depends --recurse "${no[@]}" $packages_llvm | grep -E '^[a-z0-9][^:]*$' | sort -u |
        { xargs apt-cache show --no-all-versions 2>/dev/null || true; } | # which does not know virtual ones
        awk '/^Package: / { name = $2 } /^Source: llvm-toolchain-/ { printf "%s ", name }'
}

# use_unpacked_llvm: its programs come first, and its packages are not missing.
use_unpacked_llvm() {
    local rest
    # shellcheck disable=SC2086
    rest=$(without "$packages_llvm" $missing)
    [ "$rest" = "$missing" ] || PATH=$llvm_folder/usr/bin:$PATH
    missing=$rest
}

# Installing never takes away what somebody installed. Debian's libomp-NN-dev exclude each other and libomp-dev: where
# such a one is, LLVM is unpacked for heddle alone. $parts: its packages; $also: what they need besides.
plan_unpacking() {
    local removed
    # shellcheck disable=SC2086
    removed=$(removed_for $missing)
    # shellcheck disable=SC2086
    if [ -z "$removed" ] || [ "$(without "$packages_llvm" $missing)" = "$missing" ]; then return 0; fi
    say "unpacking LLVM $llvm into $llvm_folder: to install it, apt-get would remove ${removed% }"
    parts=$(all_of_llvm)
    use_unpacked_llvm
    # shellcheck disable=SC2046,SC2086
    also=$(without "$parts $missing" $(plan_of $packages_llvm | sed -n 's/^Inst //p'))
}

# unpack FOLDER PACKAGE…: without clang's static libraries, which take half of the room.
unpack() {
    local folder=$1 deb lib
    shift
    mkdir -p "$folder" && cd "$folder" || return
    apt-get download -q "$@" || { as_root apt-get update -q && apt-get download -q "$@"; } || return
    for deb in *.deb; do
        dpkg -x "$deb" . && rm -f "$deb" usr/lib/llvm-*/lib/libclang*.a || return
    done
    for lib in usr/lib/x86_64-linux-gnu/libLLVM.so.*; do # LLVM's programs look here, and where Debian installs it
        ln -s "../../x86_64-linux-gnu/${lib##*/}" "usr/lib/llvm-$llvm/lib/" || return
    done
}

# Whole or not at all, and after what it needs is there.
unpack_llvm() {
    local log part=$llvm_folder.part
    log=$(mktemp)
    rm -rf "$part" # of a run that was interrupted
    if ! (unpack "$part" "$@" && mv -T "$part" "$llvm_folder") >"$log" 2>&1; then
        rm -rf "$part"
        die "LLVM $llvm could not be unpacked (no network?): $(tail -n 1 "$log")"
    fi
    rm -f "$log"
}

refuse_removals() {
    local removed
    removed=$(removed_for "$@")
    [ -z "$removed" ] || die "apt-get would remove ${removed% } to install $*"
}

install_packages() {
    local log
    log=$(mktemp)
    if ! as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@" >"$log" 2>&1; then
        as_root env DEBIAN_FRONTEND=noninteractive apt-get update -q >>"$log" 2>&1 || true
        as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@" >>"$log" 2>&1 ||
            die "apt-get could not install (no network?): $(reason "$log"). $hint"
    fi
    rm -f "$log"
}

# need_packages PURPOSE PACKAGE…: installs what is missing and says so; does nothing when all is there.
need_packages() {
    local purpose=$1 missing parts='' also='' log hint
    shift
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        have_without_apt "$@" && return
        die "this is no Debian system (no apt-get). Install by hand what these Debian 12 packages hold: $*"
    fi
    missing=$(missing_packages "$@")
    if [ -d "$llvm_folder" ]; then use_unpacked_llvm; fi
    [ -z "$missing" ] && return
    hint="Install by hand: apt-get install ${missing% }"
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
    rm -f "$log"
    plan_unpacking
    # shellcheck disable=SC2086
    if [ -n "$missing$also" ]; then
        refuse_removals $missing $also
        say "installing with apt-get, for $purpose: ${missing% }${also:+ + $(wc -w <<<"$also") that LLVM needs}"
        install_packages $missing $also
    fi
    # shellcheck disable=SC2086
    if [ -n "$parts" ]; then unpack_llvm $parts; fi
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
