/**
 * What was evaluated in a workspace: a line in `.ahc/history.jsonl` for each evaluation, with what every case came to.
 * The file is only added to. An input that changed is another case, whatever its name is.
 */
import { z } from 'zod';
import type { Folder } from '../../../core/io.ts';
import { jsonIn } from '../../../core/json.ts';
import { isoTime } from '../../../text/format.ts';
import type { CaseVerdict } from '../judge/verdict.ts';
import { layout } from '../layout.ts';

const verdicts = ['AC', 'WA', 'TLE', 'RE', 'MLE', 'OLE'] as const satisfies readonly CaseVerdict[];

/** A case as a row, because a history holds many: name, hash of the input, verdict, score, CPU and wall ms, bytes. */
const caseRow = z.tuple([
  z.string(),
  z.string(),
  z.enum(verdicts),
  z.number().nullable(),
  z.number(),
  z.number(),
  z.number(),
]);

const historyLine = z.object({
  format: z.literal(1),
  atMs: z.number(),
  file: z.string(),
  /** Hash of the source: see versions.ts. */
  source: z.string(),
  direction: z.enum(['maximise', 'minimise']),
  scoring: z.enum(['absolute', 'relative']),
  backend: z.string(),
  /** False: CE, nothing was run. */
  compiled: z.boolean(),
  /** How many cases were asked for; there are fewer rows where it was broken off. */
  asked: z.number(),
  cases: z.array(caseRow),
});

/** One case of one evaluation, as it is kept and compared. */
export type CaseRecord = {
  readonly name: string;
  readonly input: string;
  readonly verdict: CaseVerdict;
  readonly score: number | null;
  readonly cpuMs: number;
  readonly wallMs: number;
  readonly memoryBytes: number;
};

export type EvaluationRecord = Omit<z.infer<typeof historyLine>, 'format' | 'cases'> & {
  readonly cases: readonly CaseRecord[];
};

export async function appendEvaluation(folder: Folder, { cases, ...rest }: EvaluationRecord): Promise<void> {
  const rows = cases.map((each) => [
    each.name,
    each.input,
    each.verdict,
    each.score,
    Math.round(each.cpuMs * 10) / 10,
    Math.round(each.wallMs * 10) / 10,
    each.memoryBytes,
  ]);
  await appendLine(folder, layout.history, { format: 1, ...rest, cases: rows });
}

/** In the order in which they ended. */
export async function readHistory(folder: Pick<Folder, 'read'>): Promise<Lines<EvaluationRecord>> {
  const { values, damaged } = await readLines(folder, layout.history, historyLine);
  return {
    values: values.map(({ format: _, cases, ...rest }) => ({ ...rest, cases: cases.map(recordOf) })),
    damaged,
  };
}

function recordOf([name, input, verdict, score, cpuMs, wallMs, memoryBytes]: z.infer<
  typeof caseRow
>): CaseRecord {
  return { name, input, verdict, score, cpuMs, wallMs, memoryBytes };
}

/** What a version came to, each case as it was seen last. */
export function casesOfVersion(history: readonly EvaluationRecord[], source: string): readonly CaseRecord[] {
  const latest = new Map<string, CaseRecord>();
  for (const evaluation of history) {
    if (evaluation.source !== source) continue;
    for (const each of evaluation.cases) latest.set(caseKey(each), each);
  }
  return [...latest.values()].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

export function caseKey({ name, input }: Pick<CaseRecord, 'name' | 'input'>): string {
  return `${name} ${input}`;
}

type Lines<T> = { readonly values: readonly T[]; readonly damaged: number };

export async function readLines<T>(
  folder: Pick<Folder, 'read'>,
  name: string,
  schema: z.ZodType<T>,
): Promise<Lines<T>> {
  const values: T[] = [];
  let damaged = 0;
  for (const line of ((await folder.read(name)) ?? '').split('\n')) {
    if (line.trim() === '') continue;
    const parsed = schema.safeParse(jsonIn(line));
    if (parsed.success) values.push(parsed.data);
    else damaged += 1;
  }
  return { values, damaged };
}

/** What a process was killed in the middle of must not swallow the line that comes after it. */
export async function appendLine(folder: Folder, name: string, value: unknown): Promise<void> {
  const before = await folder.readBytes(name);
  const isBroken = before !== null && before.length > 0 && before.at(-1) !== newline;
  await folder.append(name, `${isBroken ? '\n' : ''}${JSON.stringify(value)}`);
}

const newline = 0x0a;

export function testLine(version: string, evaluation: EvaluationRecord): string {
  const { atMs, file, compiled, asked, cases } = evaluation;
  const begin = `${isoTime(atMs)} test ${version} ${oneLine(file)}:`;
  if (!compiled) return `${begin} CE`;
  const verdicts = Map.groupBy(cases, ({ verdict }) => verdict);
  const counted = [...verdicts].map(([verdict, { length }]) => `${length} ${verdict}`);
  const total = cases.reduce((sum, { score }) => sum + (score ?? 0), 0);
  const broken = cases.length < asked ? ` of ${asked}` : '';
  return `${begin} ${[`${cases.length}${broken} cases`, ...counted, `total ${total}`].join(', ')}`;
}

/** What is to be added for a session, by its line of `results.csv`; null where the log says so already. */
export function sessionNews(log: string, row: readonly string[], at: 'beginning' | 'end'): string | null {
  const news = sessionWords(row);
  const said = log.split('\n').filter((line) => line.includes(` session ${row[0] ?? ''} `));
  const isKnown = at === 'beginning' ? said.length > 0 : said.at(-1)?.endsWith(` ${news}`);
  return isKnown ? null : news;
}

function sessionWords(row: readonly string[]): string {
  const [name = '', , , score = '', generation = '', parameters = ''] = row;
  const [, status = 'unknown'] = /"status":"(\w+)"/.exec(parameters) ?? [];
  return `session ${name} ${status}: ${score === '' ? 'no score' : `best ${score}`}, generation ${generation}`;
}

/** A name may hold anything that a file system takes. */
function oneLine(name: string): string {
  return name.replaceAll(/\p{Cc}/gu, '?');
}
