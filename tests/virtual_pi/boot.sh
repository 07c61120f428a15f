#!/usr/bin/env bash
# Boot the virtual Pi on this machine's own files, which it only reads, and run a job in it. Its console is our output;
# it ends when the guest switches itself off. Nothing but the folder EXCHANGE is written to.
# usage: boot.sh KERNEL EXCHANGE PYTHON      EXCHANGE/job is the bash script to run, with EXCHANGE mounted at /mnt
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# panic=-1: a guest that dies ends instead of hanging. con0 is our standard output; con=null: no other terminals.
exec "$1" mem=512M root=/dev/root rootfstype=hostfs rootflags=/ ro init="$here/init.sh" exchange="$2" python="$3" \
    con=null con0=null,fd:1 panic=-1 quiet </dev/null
