/**
 * Whole programs that a workspace or a search begins with: the template that `init` puts there, with a reading of the input
 * and what is printed put into it. Pure.
 */
import type { PlainAnswer } from './answer.ts';
import { kindsIn, printingCode } from './code.ts';
import { type Talk, talkingCode } from './talk.ts';
import type { Understood } from './understanding.ts';

export function answeringProgram(understood: Understood, answer: PlainAnswer): string {
  const printing = printingCode(answer, kindsIn(understood.steps));
  return programThat([...beginning(understood), `  // A plain answer: ${answer.told}.`, ...printing]);
}

export function talkingProgram(understood: Understood, talk: Talk): string {
  const talking = talkingCode(talk);
  return programThat([...beginning(understood), `  // A plain talk: ${talk.told}.`, ...talking]);
}

function beginning({ reading, isWhole }: Understood): readonly string[] {
  if (reading === null) return ['  // How the input is read is not understood; this answer does without it.'];
  return isWhole
    ? reading
    : [...reading, '  // The rest of the input is not read: its format was not understood.'];
}

/** Where no answer is known. */
export function readingProgram({ reading, isWhole }: Understood): string {
  if (reading === null || !isWhole) return solutionTemplate;
  return programThat([...reading, '  // Print an answer here: what is valid says the statement.']);
}

function programThat(body: readonly string[]): string {
  const isHint = (line: string) => line.includes('// Read the input as');
  return solutionTemplate
    .split('\n')
    .flatMap((line) => (isHint(line) ? body : [line]))
    .join('\n');
}

/** Compiles as it is, knows how late it is, and has numbers by chance. */
export const solutionTemplate = `#include <bits/stdc++.h>
using namespace std;

// Seconds since the program began.
double elapsed() {
  static const auto begin = chrono::steady_clock::now();
  return chrono::duration<double>(chrono::steady_clock::now() - begin).count();
}

// The same numbers in each run: what changes a score is then the program.
struct Random {
  uint64_t state = 88172645463325252ULL;
  uint64_t next() {
    state ^= state << 7;
    return state ^= state >> 9;
  }
  int below(int n) { return static_cast<int>(next() % static_cast<uint64_t>(n)); }
  double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }
};

int main() {
  ios::sync_with_stdio(false);
  cin.tie(nullptr);
  elapsed();
  Random random;
  // Read the input as problem/input_format.txt says, and print an answer.
  return 0;
}
`;

/** Polya where it is installed; else g++ and cargo of this machine, one case after the other. */
export const testScript = `#!/bin/sh
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
  score=$(printf '%s\\n' "$said" | sed -n 's/^ *Score *= *\\([0-9][0-9]*\\) *$/\\1/p' | sort -u)
  # A tool may repeat what the program wrote: of several scores none counts.
  case $score in *[!0-9]*) score= ;; esac
  echo "$name \${score:-$said}"
  total=$((total + \${score:-0}))
  count=$((count + 1))
done
echo "total $total over $count cases"
`;
