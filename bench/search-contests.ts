/**
 * The contests that come with Polya as benches of whole searches need them: a program whose choices are named pieces, few
 * enough that each program is compiled, run and judged by the official tool once and remembered for all searches. What
 * does nothing (`spare` lines) is no part of what is remembered.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ProblemSpec } from '../src/core/problem.ts';
import { type CaseOutcome, type ProgramTask, programEvaluationIn } from '../src/core/program.ts';
import { ahcFamily } from '../src/families/ahc/family.ts';
import { layout } from '../src/families/ahc/layout.ts';
import { createIo } from '../src/io/files.ts';
import { localFiles } from '../src/io/local-files.ts';
import { ahcParts } from '../src/open/families/ahc/parts.ts';
import { filesOf, practiceContest } from '../src/practice/atcoder/contest.ts';
import { chosenSandbox } from '../src/sandbox/choose.ts';
import { contestOf } from '../test/ahc/practice-workspace.ts';

/** The values of each piece, from which a step goes to a neighbour. */
export type Pieces = Readonly<Record<string, readonly number[]>>;

export type SearchContest = {
  readonly id: string;
  readonly pieces: Pieces;
  readonly program: string;
  readonly spec: ProblemSpec;
  readonly task: ProgramTask;
};

const searched = 8;
const unseen = 8;
const lantern: Pieces = {
  POWER: [1, 2, 3, 4],
  NEIGHBOUR_WEIGHT: [0, 0.5, 1, 1.5],
  LEAST_PROFIT: [0.5, 1, 1.5],
};
const parcels: Pieces = {
  LENGTH_WEIGHT: [0, 0.25, 0.5, 1, 1.5, 2],
  DETOUR_WEIGHT: [0, 0.25, 0.5, 1, 1.5, 2],
};
const springs: Pieces = { STEPS: [1, 2, 4], STARTS: [1, 3, 6], LIMIT: [250, 1000] };

export const searchContestIds = ['polya001', 'polya002', 'polya003'] as const;

export async function openContest(
  id: (typeof searchContestIds)[number],
  base: string,
): Promise<SearchContest> {
  const pieces = { polya001: lantern, polya002: parcels, polya003: springs }[id];
  const family = ahcFamily(ahcParts(localFiles(base), process.env));
  const identity = { tool: 'polya', version: '0' };
  const io = createIo({ sandbox: chosenSandbox(), filesFolder: base, identity });
  const { signal } = new AbortController();
  const spec = await family.load({ workspace: workspaceOf(id, base) }, io, signal);
  const own = family.open(spec).program;
  const names = own?.fresh?.(0, searched + unseen) ?? [];
  if (!own || names.length < searched + unseen) throw new Error(`${id} makes no inputs.`);
  const known = new Map<string, Promise<readonly CaseOutcome[]>>();
  const outcomesOf = (source: string): Promise<readonly CaseOutcome[]> => {
    const bare = withoutSpare(source);
    const context = { io, runId: 'bench', stage: '', past: [], signal };
    const found =
      known.get(bare) ?? own.evaluate(bare, names, context).then((each) => programEvaluationIn(each).cases);
    known.set(bare, found);
    return found;
  };
  const task: ProgramTask = {
    ...own,
    // A time that changes from one run to the next would make the same search another one.
    timeLimitMs: null,
    best: {},
    cases: names.slice(0, searched),
    fresh: (first, count) => names.slice(searched).slice(first, first + count),
    evaluate: async (source, cases) => {
      const compiled = !source.includes('BROKEN');
      const all = compiled ? await outcomesOf(source) : [];
      const outcomes = cases.flatMap((name) => all.find((each) => each.name === name) ?? []);
      const shown = compiled ? outcomes.map((each) => ({ ...each, cpuMs: 1, wallMs: 1 })) : [];
      return { score: null, data: { compiled, message: '', cases: shown, backend: 'remembered' } };
    },
  };
  return { id, pieces, program: programOf(id), spec, task };
}

export const withoutSpare = (source: string): string => source.replaceAll(/^static int spare.*\n/gm, '');

export function withPiece(source: string, name: string, value: number): string {
  return source.replace(new RegExp(`(\\b${name} = )-?[\\d.]+`), (_all, head: string) => `${head}${value}`);
}

export function pieceOf(source: string, name: string): number {
  return Number(new RegExp(`\\b${name} = (-?[\\d.]+)`).exec(source)?.[1] ?? Number.NaN);
}

function programOf(id: string): string {
  const { folder } = practiceContest(id);
  const read = (name: string) => readFileSync(join(folder, 'solutions', `${name}.cpp`), 'utf8');
  if (id !== 'polya003') return withSpare(read('tunable'));
  const starts =
    "for (int k = 1; k < STARTS; k++) { int a = random() % n, b = random() % n, t = ask('?', a, b); if (t < here) i = a, j = b, here = t; }";
  return withSpare(
    read('weak')
      .replace('int n, m,', 'const int STEPS = 2;\nconst int STARTS = 1;\nconst int LIMIT = 1000;\nint n, m,')
      .replace('spent < 1000 * m', 'spent < LIMIT * m')
      .replace("here = ask('?', i, j);\n", `here = ask('?', i, j);\n        ${starts}\n`)
      .replace('steps < 2 * n', 'steps < STEPS * n'),
  );
}

/** Programs grow: there is something to be rid of from the beginning. */
function withSpare(source: string): string {
  return `${source.trimEnd()}\n${Array.from({ length: 30 }, (_, at) => `static int spare${at} = ${at} * ${at + 1} + ${at};`).join('\n')}\n`;
}

function workspaceOf(id: string, base: string): string {
  const practice = practiceContest(id);
  const folder = join(base, 'workspace', id);
  const put = (name: string, content: string | Uint8Array): void => {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  };
  for (const [path, bytes] of Object.entries(filesOf(practice, 'tools')))
    put(`${layout.crate}/${path}`, bytes);
  // A workspace has inputs; those that count are made.
  if (practice.inputs === 'seeds') put(`${layout.inputs}/0000.txt`, '1 1\n');
  put(layout.config, '# of a bench\n');
  put(layout.statement, `# ${practice.title}\n`);
  put(layout.contest, JSON.stringify(contestOf(practice)));
  return folder;
}
