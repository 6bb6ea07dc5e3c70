#!/bin/sh
# Tests a solution on the official inputs: ./test.sh [FILE] [options of "ahc-agent test"]
# Without Polya only FILE counts, and solution and tools run with your rights, outside of any sandbox.
set -eu
cd "$(dirname "$0")"

if command -v ahc-agent > /dev/null 2>&1; then exec ahc-agent test "$@"; fi
if command -v polya > /dev/null 2>&1; then exec polya ahc test "$@"; fi

source=main.cpp
if [ $# -gt 0 ]; then case $1 in -*) ;; *) source=$1 ;; esac; fi
mkdir -p out
g++ -std=c++20 -O2 -DONLINE_JUDGE -DATCODER -o out/program "$source"

tool=
if [ -f tools/tester/Cargo.toml ] && command -v cargo > /dev/null 2>&1; then
  (cd tools/tester && cargo build --release --quiet) || echo 'The tools do not build: nothing is scored.' >&2
  for name in tester score vis; do
    [ -n "$tool" ] || [ ! -x "tools/tester/target/release/$name" ] || tool=$PWD/tools/tester/target/release/$name
  done
else
  echo 'There is no cargo, or there are no tools: nothing is scored.' >&2
fi

total=0
count=0
for input in tools/tester/in/*.txt; do
  [ -f "$input" ] || { echo 'There are no inputs in tools/tester/in.' >&2; exit 1; }
  name=$(basename "$input" .txt)
  output=$PWD/out/$name.out
  case $tool in
    */tester) said=$(timeout 60 "$tool" out/program < "$input" 2>&1 > "$output") || said="$said (failed)" ;;
    '') said=$(timeout 60 out/program < "$input" 2>&1 > "$output") || said="$said (failed)" ;;
    *)
      if timeout 60 out/program < "$input" > "$output"; then
        said=$(cd out && "$tool" "../$input" "$output" 2>&1) || said="$said (failed)"
      else
        said='the program failed'
      fi
      ;;
  esac
  score=$(printf '%s\n' "$said" | sed -n 's/^ *Score *= *\([0-9][0-9]*\) *$/\1/p' | sort -u)
  # A tool may repeat what the program wrote: of several scores none counts.
  case $score in *[!0-9]*) score= ;; esac
  echo "$name ${score:-$said}"
  total=$((total + ${score:-0}))
  count=$((count + 1))
done
echo "total $total over $count cases"
