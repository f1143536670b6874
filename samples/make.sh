#!/bin/sh
# make.sh [ESXSIM] - makes the captures of this folder again, byte for byte.
# The simulator is the first argument or, without one, the variable ESXSIM. The story of each
# capture is in README.md; the seeds choose hosts whose names are worth reading.
set -eu

esxsim=${1:-${ESXSIM:?is not set: give the path of esxsim}}
case $esxsim in
/*) ;;
*) esxsim=$PWD/$esxsim ;;
esac
cd "$(dirname "$0")"

# make SCENARIO SEED
make() {
    "$esxsim" "$1" --seed "$2" --samples 120 --interval 5 --style all --lean -o "$1.csv"
    gzip -n -9 -f "$1.csv"
}

make healthy 7
make slow-array 2
make slow-window 11
make queue-full 9
make iops-limit 9
make guest-queue 18
make reservation-conflicts 18
make nfs-slow 23
make mixed 5
