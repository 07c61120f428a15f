#!/usr/bin/env bash
# Print the path of the virtual Pi's kernel, built from the distribution's source package if it is not there yet.
# It is kept outside the repository, named by the hash of its options and patches: a few minutes once, then nothing.
# usage: kernel.sh
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/tabletop-companion/virtual-pi
kernel=$cache/linux-$(cat "$here/kernel.config" "$here"/patches/*.patch | sha256sum | cut -c1-16)

quietly() {  # a command whose output matters only when it fails
    "$@" >build.log 2>&1 || { tail -n 30 build.log >&2; exit 1; }
}

mkdir -p "$cache"
exec 9>"$cache/lock"
flock 9  # of two that build at once, the second waits and finds it done
if [ ! -x "$kernel" ]; then
    "$here/../../.ci/system-packages" linux-source='/usr/src/linux-source-*.tar.xz' gcc libc6-dev make flex bison bc \
        patch xz-utils >&2
    source=$(printf '%s\n' /usr/src/linux-source-*.tar.xz | sort -V | tail -n 1)
    rm -rf "$cache"/build-*  # what a build that was killed has left
    work=$(mktemp -d "$cache/build-XXXXXX")
    trap 'rm -rf "$work"' EXIT
    echo "Building the virtual Pi's kernel from $source; this takes a few minutes." >&2
    # Not the half of it that is for readers, other processors or hardware; but all of its Kconfig files.
    tar xf "$source" -C "$work" --strip-components=1 --exclude='*/Documentation/*/*' --exclude='*/arch/*/boot/dts/*' \
        --exclude='*/arch/[!ux]*.[chS]' --exclude='*/drivers/gpu/*.[ch]' --exclude='*/drivers/media/*.[ch]' \
        --exclude='*/drivers/net/*.[ch]' --exclude='*/sound/*.[ch]'
    cd "$work"
    for change in "$here"/patches/*.patch; do
        # Newer kernels may have mended it themselves; whether they boot and hear edges is what the tests show.
        patch -s -p1 --dry-run <"$change" >/dev/null && patch -s -p1 <"$change" ||
            echo "Not needed or not fitting this kernel: $(basename "$change")" >&2
    done
    quietly make -s ARCH=um KCONFIG_ALLCONFIG="$here/kernel.config" allnoconfig
    # An option that the kernel does not know, or whose needs are not met, is dropped silently.
    if missing=$(grep '^CONFIG_' "$here/kernel.config" | grep -vxFf .config); then
        echo "This kernel does not take these options:" "$missing" >&2
        exit 1
    fi
    quietly make -s ARCH=um -j"$(nproc)" linux
    strip -o "$work/stripped" linux
    mv "$work/stripped" "$kernel"
fi
echo "$kernel"
