/**
 * Compiling in the real sandbox: with what was made ahead against without, a kept program against a compilation, a
 * look at the syntax against a build. `made ahead` is the compiler's own wall time; the others are whole calls.
 */
import type { LanguageId } from '../src/core/sandbox.ts';
import type { Backend } from '../src/sandbox/backend.ts';
import { openBubblewrap } from '../src/sandbox/bubblewrap.ts';
import type { Source, Step } from '../src/sandbox/languages/language.ts';
import { type FoundTool, findTools } from '../src/sandbox/languages/languages.ts';
import { inBox } from '../src/sandbox/layout.ts';
import { defaultCompileLimits } from '../src/sandbox/limits.ts';
import { runOnce } from '../src/sandbox/run-once.ts';
import { createSandbox } from '../src/sandbox/sandbox.ts';
import { type Bench, contest, counter, type Row, timed } from './measure.ts';

const never = new AbortController().signal;
const rounds = 3;
const numbers = counter();

const cppProgram = () => `#include <bits/stdc++.h>
using namespace std;
// ${process.pid} ${numbers()}
struct Edge { int to, cost; };
int main() {
  int n, m; cin >> n >> m;
  vector<vector<Edge>> graph(n);
  while (m--) { int a, b, c; cin >> a >> b >> c; graph[a].push_back({b, c}); graph[b].push_back({a, c}); }
  vector<long long> best(n, LLONG_MAX);
  priority_queue<pair<long long, int>, vector<pair<long long, int>>, greater<>> queue;
  queue.push({best[0] = 0, 0});
  while (!queue.empty()) {
    auto [cost, at] = queue.top(); queue.pop();
    if (cost > best[at]) continue;
    for (auto [to, more] : graph[at]) if (cost + more < best[to]) queue.push({best[to] = cost + more, to});
  }
  map<string, int> names; set<int> seen(best.begin(), best.end());
  ranges::sort(best); for (auto each : best | views::take(3)) cout << each << ' ';
}`;
const kotlinProgram = () => `// ${process.pid} ${numbers()}
import java.io.File
data class Point(val x: Int, val y: Int)
fun main() {
    val cells = File("input.txt").readLines().flatMapIndexed { y, line -> line.mapIndexed { x, c -> Point(x, y) to c } }
    val walls = cells.filter { it.second == '#' }.map { it.first }.toSet()
    println(walls.groupBy { it.y }.mapValues { (_, row) -> row.maxOf { it.x } }.values.sum())
}`;
const rustProgram = () => `// ${process.pid} ${numbers()}
use std::collections::{BinaryHeap, HashMap};
fn main() {
    let mut names: HashMap<String, usize> = HashMap::new();
    let mut heap = BinaryHeap::new();
    for (n, word) in std::env::args().enumerate() { names.insert(word, n); heap.push(n); }
    println!("{:?} {:?}", names, heap.into_sorted_vec());
}`;

export const compile: Bench = {
  name: 'compile',
  note: 'Kotlin has an archive of classes (AppCDS) and no warm compiler: a compiler that stays would carry one program’s traces into the next (docs/languages.md).',
  async run() {
    const backend = await openBubblewrap();
    const sandbox = createSandbox({ openBackend: async () => backend });
    const tools = await findTools(backend);
    const rows: Row[] = [];
    for (const [name, program, what] of ahead) {
      const found = tools.find(({ tool }) => tool.name === name);
      if (found) rows.push(await madeAhead(backend, found, { program, what }));
    }
    for (const [language, program] of programs) rows.push(await kept(sandbox, language, program));
    for (const [language, program] of [programs[0], programs[2]])
      rows.push(await looked(sandbox, language, program));
    return rows;
  },
};

type Make = () => string;

const ahead: readonly [string, Make, string][] = [
  ['g++20', cppProgram, 'bits/stdc++.h compiled ahead'],
  ['clang++20', cppProgram, 'bits/stdc++.h compiled ahead'],
  ['kotlin', kotlinProgram, 'an archive of the compiler’s classes'],
];
const programs: readonly [[LanguageId, Make], [LanguageId, Make], [LanguageId, Make]] = [
  ['cpp', cppProgram],
  ['kotlin', kotlinProgram],
  ['rust', rustProgram],
];

async function madeAhead(
  backend: Backend,
  found: FoundTool,
  { program, what }: { program: Make; what: string },
): Promise<Row> {
  const { tool, language } = found;
  await tool.prepare?.(never);
  const launch = async (choose: (step: Step) => readonly string[]) => {
    const source: Source = { source: program() };
    const step = tool.compile?.(source, defaultCompileLimits) ?? { command: [], mounts: [] };
    const files = [{ path: inBox(language.sourceFile), bytes: Buffer.from(source.source) }];
    const limits = { ...defaultCompileLimits, processes: 256 };
    const job = { command: choose(step), files, stdin: null, collectPath: null, limits };
    const finished = await runOnce(backend, { job, mounts: step.mounts ?? [] }, never);
    if (finished.step.verdict !== 'ok') throw new Error(finished.step.stderr.text);
    return finished.step.wallMs;
  };
  const result = await contest({
    rounds,
    ours: () => launch(({ command }) => command),
    floor: () => launch(({ plain, command }) => plain?.command ?? command),
  });
  return { what: `${tool.name}: ${what}`, unit: 'ms', against: 'without', ...result, aim: null };
}

type Sandbox = ReturnType<typeof createSandbox>;

async function kept(sandbox: Sandbox, language: LanguageId, program: Make): Promise<Row> {
  const source = program();
  await sandbox.build({ language, source }, never);
  const result = await contest({
    rounds,
    ours: () => timed(() => sandbox.build({ language, source }, never)),
    floor: () => timed(() => sandbox.build({ language, source: program() }, never)),
  });
  const aim = { of: 'ratio', atMost: 0.05 } as const;
  return {
    what: `${language}: a program that was built before`,
    unit: 'ms',
    against: 'a build',
    ...result,
    aim,
  };
}

async function looked(sandbox: Sandbox, language: LanguageId, program: Make): Promise<Row> {
  const result = await contest({
    rounds,
    ours: () => timed(() => sandbox.check({ language, source: program() }, never)),
    floor: () => timed(() => sandbox.build({ language, source: program() }, never)),
  });
  return { what: `${language}: a look at the syntax`, unit: 'ms', against: 'a build', ...result, aim: null };
}
