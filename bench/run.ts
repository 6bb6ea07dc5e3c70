/**
 * `npm run bench`, or `node bench/run.ts [--json] [--write] [NAME …]`: runs all benches or those that are named, and prints one
 * table. It judges nothing by its exit status: a figure that misses its aim is for people to look at.
 */
import { parseArgs } from 'node:util';
import { ahcBench } from './ahc.ts';
import { ahcInitBench } from './ahc-init.ts';
import { answers } from './answers.ts';
import { append } from './append.ts';
import { appendPostgres } from './append-postgres.ts';
import { blocks } from './blocks.ts';
import { compile } from './compile.ts';
import { containersBench } from './containers.ts';
import { evolutionBench } from './evolution.ts';
import { evolutionContestBench } from './evolution-contest.ts';
import { evolutionSearchBench, evolutionTuningBench } from './evolution-search.ts';
import { fleet } from './fleet.ts';
import { gridsBench } from './grids.ts';
import { induction } from './induction.ts';
import { libraryBench } from './library.ts';
import { long } from './long.ts';
import { manyRuns } from './many-runs.ts';
import type { Bench } from './measure.ts';
import { memory } from './memory.ts';
import { models } from './models.ts';
import { pace } from './pace.ts';
import { questionsBench } from './questions.ts';
import { resume } from './resume.ts';
import { sandboxBench } from './sandbox.ts';
import { session } from './session.ts';
import { size } from './size.ts';
import { startUp } from './start-up.ts';
import { step } from './step.ts';
import { stoppingBench } from './stopping.ts';
import { type NamedRow, printJson, printTable } from './table.ts';
import { turn } from './turn.ts';
import { view } from './view.ts';
import { watch } from './watch.ts';

const benches: readonly Bench[] = [
  append,
  appendPostgres,
  fleet,
  step,
  turn,
  size,
  session,
  resume,
  long,
  blocks,
  manyRuns,
  watch,
  view,
  startUp,
  models,
  pace,
  compile,
  memory,
  questionsBench,
  stoppingBench,
  sandboxBench,
  containersBench,
  answers,
  ahcInitBench,
  evolutionBench,
  evolutionContestBench,
  evolutionSearchBench,
  evolutionTuningBench,
  gridsBench,
  induction,
  ahcBench,
  libraryBench,
];

const { values, positionals } = parseArgs({
  options: { json: { type: 'boolean', default: false }, write: { type: 'boolean', default: false } },
  allowPositionals: true,
});

const unknown = positionals.find((name) => !benches.some((bench) => bench.name === name));
if (unknown) {
  console.error(`There is no bench ${unknown}. There are: ${benches.map((bench) => bench.name).join(', ')}.`);
  process.exitCode = 2;
} else {
  await runBenches(benches.filter((bench) => positionals.length === 0 || positionals.includes(bench.name)));
}

async function runBenches(chosen: readonly Bench[]): Promise<void> {
  const rows: NamedRow[] = [];
  for (const bench of chosen) {
    if (process.stderr.isTTY) process.stderr.write(`${bench.name} …\n`);
    for (const row of await bench.run({ write: values.write })) rows.push({ bench: bench.name, ...row });
  }
  if (values.json) printJson(rows);
  else printTable(rows);
  if (!values.json) for (const { name, note } of chosen) if (note) console.log(`${name}: ${note}`);
}
