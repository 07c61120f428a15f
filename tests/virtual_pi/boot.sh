#!/usr/bin/env bash
# Boot the virtual Pi on this machine's own files, which it only reads, and run a job in it. Its console is our output;
# it ends when the guest switches itself off, or when whoever started it has ended. Nothing but the folder EXCHANGE is
# written to.
# usage: boot.sh KERNEL EXCHANGE PYTHON      EXCHANGE/job is the bash script to run, with EXCHANGE mounted at /mnt
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

# The guest's memory is a nameless file of up to 512 MB. /dev/shm would be too small in a container, and forbid running
# programs from it; where the kernel lies there is room, and programs run.
TMPDIR=$(dirname "$1")
export TMPDIR

# It and the programs in it take turns, at every system call. On one processor they hand over to each other; on two,
# each turn would wait for its place on a busy machine, and the guest gets on ten times slower.
processor=$(taskset -cp $$ | sed 's/.*[^0-9]//')  # the last of those we may use

# The guest has no source of randomness; without a gift, whatever asks for some waits for minutes.
head -c 64 /dev/urandom >"$2/seed"

# panic=-1: a guest that dies ends instead of hanging. con0 is our standard output; con=null: no other terminals.
exec setpriv --pdeathsig TERM -- taskset -c "$processor" "$1" mem=512M root=/dev/root rootfstype=hostfs rootflags=/ \
    ro init="$here/init.sh" exchange="$2" python="$3" uml_dir="$2/" con=null con0=null,fd:1 panic=-1 quiet </dev/null
