#!/bin/sh
# Checks and measures Tintype on this machine, and leaves everything in one folder. Needs neither Swift nor a network.
#
# usage: ./run.sh [RESULTS_FOLDER]      (default: results)
#
#   DEVICE=NAME         what the batch compares with the CPU (default: gpu; where there is none, an OpenCL device)
#   COPIES=N ROUNDS=N   how often the batch takes each photo, and how often it runs (default: 16 and 3)
#   PHOTOS=N            of the table from files to files, as far as there is memory for them (default: 1500)
#   LIMIT=SECONDS       for each of the conformance test, which then says how far it came, and the benchmark, whose rounds
#                       begin within a third of it (default: 150)
#   QUICK=1             fewer combinations and one round: does it work at all
#
# Exit code: 0 where every device gives the same bytes.
set -u

here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "${1:-results}" || exit 2
out=$(cd "${1:-results}" && pwd)
limit=${LIMIT:-150}
rounds=${ROUNDS:-3}
copies=${COPIES:-16}
photos=${PHOTOS:-1500}
quick=
[ "${QUICK:-0}" = 1 ] && { quick=--quick rounds=1 photos=${PHOTOS:-12}; }
failures=0
# A cache from another version of a driver, or somebody else's, shall not matter.
XDG_CACHE_HOME=$out/cache
export XDG_CACHE_HOME

say() { printf '%s\n' "$*" | tee -a "$out/summary.txt"; }
fail() {
    failures=$((failures + 1))
    say "FAILED: $*"
}
tintype() { "$here/tintype" "$@"; }
now() { date +%s; }

collect_facts() {
    {
        uname -a
        cat /etc/os-release /proc/cpuinfo /proc/meminfo
    } > "$out/machine.txt" 2>&1
    if command -v nvidia-smi > /dev/null; then
        nvidia-smi > "$out/nvidia-smi.txt" 2>&1
        nvidia-smi -q > "$out/nvidia-smi-q.txt" 2>&1
    fi
    say "$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1), $(nproc) cores"
}

# usage: step NAME SECONDS COMMAND...: standard output to NAME.json, the rest to NAME.log.
step() {
    name=$1 seconds=$2
    shift 2
    began=$(now)
    timeout "$seconds" "$@" > "$out/$name.json" 2> "$out/$name.log"
    code=$?
    say "$name: exit code $code, $(($(now) - began)) s"
    return $code
}

# usage: filter DEVICE FOLDER CHAIN ROUND: prints megapixels a second.
filter() {
    rm -rf "$2"
    tintype apply -f "$3" -d "$1" -o "$2" --no-journal --progress none --json "$out/scratch/photos" \
        > "$out/batch-$1-$3-$4.jsonl" 2>> "$out/batch.log" || return
    sed -n 's/.*"megapixelsPerSecond":\([0-9.]*\).*"type":"summary".*/\1/p' "$out/batch-$1-$3-$4.jsonl"
}

# usage: floor REPORT: prints what libjpeg-turbo alone reaches with these photos, in megapixels a second.
floor() {
    mkdir -p "$out/scratch/floor"
    pixels=$(sed -n 's/.*"pixels":\([0-9]*\).*"type":"summary".*/\1/p' "$1")
    began=$(date +%s.%N)
    "$here/jpeg_floor" rgb "$(nproc)" "$out/scratch/floor" "$out"/scratch/photos/*.jpg 2>> "$out/batch.log" || return
    awk -v pixels="$pixels" -v began="$began" -v ended="$(date +%s.%N)" \
        'BEGIN { print pixels / (ended - began) / 1e6 }'
}

# The same photos on the device and on the CPU: how fast, and whether one byte differs.
batch() {
    mkdir -p "$out/scratch/photos"
    for photo in "$here"/photos/*.jpg; do
        copy=0
        while [ "$copy" -lt "$copies" ]; do
            cp "$photo" "$out/scratch/photos/$copy-${photo##*/}"
            copy=$((copy + 1))
        done
    done
    blur=tilt-shift:radius=8,band=0.2,falloff=0.2
    for chain in sepia noir "$blur,transition=mix" "$blur,transition=lens"; do
        round=1
        while [ "$round" -le "$rounds" ]; do
            cpu=$(filter cpu "$out/scratch/cpu" "$chain" "$round") || fail "$chain on the CPU"
            own=$(filter "$device" "$out/scratch/device" "$chain" "$round") || fail "$chain on $device"
            base=$(floor "$out/batch-cpu-$chain-$round.jsonl") || fail "the floor"
            say "$chain, round $round, MP/s: $own on $device, $cpu on the CPU, floor $base"
            round=$((round + 1))
        done
        diff -r "$out/scratch/cpu" "$out/scratch/device" > "$out/batch-$chain.diff" 2>&1 ||
            fail "$device and the CPU give different photos with $chain"
    done
    rm -rf "$out/scratch"
}

: > "$out/summary.txt"
: > "$out/batch.log"
say "$(cat "$here/BUNDLE.txt" | head -n 1)"
tintype --version > /dev/null || {
    fail "the tool does not start: $(sed -n 2p "$here/BUNDLE.txt")"
    exit 1
}
collect_facts
step devices 60 "$here/tintype" devices --json || fail "the list of devices"
sed -n 's/^ *"name" : "\(.*\)",*$/device: \1/p' "$out/devices.json" | while read -r line; do say "$line"; done
# Which drivers have no entry, and what is missing.
while read -r line; do say "$line"; done < "$out/devices.log"

device=${DEVICE:-gpu}
if [ "$device" = gpu ] && ! grep -qE '"kind" : "(gpu|accelerator)"' "$out/devices.json"; then
    device=0
    say "There is no GPU: device 0 stands in."
fi

step conformance $((limit + 120)) "$here/tintype" conformance $quick --limit "$limit" --json ||
    fail "conformance: see conformance.json"
sed -nE 's/^ *"(device|equalCases|layouts|allLayouts|difference|codec[A-Za-z]*)" : (.*[^,]),*$/\1 \2/p' "$out/conformance.json" |
    while read -r line; do say "conformance, $line"; done
# For a subcommand that it does not know, the tool shows its own help.
if "$here/tintype" help bench 2> /dev/null | grep -q 'USAGE: tintype bench'; then
    # The tool's own limit is of the rounds alone: checks come before them, and the first round is always completed.
    step bench "$limit" "$here/tintype" bench $quick --seconds $((limit / 3)) --json --report "$out/bench.html"
    case $? in
    0) ;;
    124)
        say "bench: stopped at the limit of $limit s"
        # It reports what was measured until then, if it still has the time.
        if [ ! -s "$out/bench.json" ]; then
            fail "bench: it did not end"
        elif grep -qE '"status" : "(wrong|failed)"' "$out/bench.json"; then
            fail "bench: see bench.json"
        fi
        ;;
    *) fail "bench: see bench.log" ;;
    esac
else
    say "bench: this build has no such subcommand"
fi
batch
"$here/files_to_files" "$device" "$photos" "$here"/photos/*.jpg > "$out/table.md" 2>> "$out/batch.log" ||
    fail "the table from files to files: see batch.log"
while read -r line; do say "$line"; done < "$out/table.md"
rm -rf "$out/cache"

[ "$failures" -eq 0 ] && say "All devices gave the same bytes." && exit 0
say "$failures failed."
exit 1
