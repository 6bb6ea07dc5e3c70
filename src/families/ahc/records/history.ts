/**
 * What was evaluated in a workspace: a line in `.ahc/history.jsonl` for each evaluation, with what every case came to.
 * The file is only added to. An input that changed is another case, whatever its name is.
 */
import { z } from 'zod';
import type { Folder } from '../../../core/io.ts';
import { jsonIn } from '../../../core/json.ts';
import type { CaseOutcome } from '../../../core/program.ts';
import { isoTime } from '../../../text/format.ts';
import { caseVerdicts } from '../judge/verdict.ts';
import { layout } from '../layout.ts';

const number = z.number();

/** A case as a row, because a history holds many: name, hash of the input, verdict, score, CPU and wall ms, bytes. */
const caseRow = z
  .tuple([z.string(), z.string(), z.enum(caseVerdicts), number.nullable(), number, number, number])
  .transform(([name, inputHash, verdict, score, cpuMs, wallMs, memoryBytes]): CaseOutcome => {
    return { name, inputHash, verdict, score, cpuMs, wallMs, memoryBytes, message: '', features: {} };
  });

const historyLine = z
  .object({
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
    /** What its user said of it. */
    message: z.string().optional(),
    tag: z.string().optional(),
    cases: z.array(caseRow),
  })
  .transform(({ format: _, ...rest }) => rest);

export type EvaluationRecord = Omit<z.infer<typeof historyLine>, 'cases'> & {
  readonly cases: readonly CaseOutcome[];
};

export async function appendEvaluation(folder: Folder, { cases, ...rest }: EvaluationRecord): Promise<void> {
  const rows = cases.map(({ name, inputHash = '', verdict, score, cpuMs, wallMs, memoryBytes }) => {
    return [name, inputHash, verdict, score, cpuMs, wallMs, memoryBytes];
  });
  await appendLine(folder, layout.history, { format: 1, ...rest, cases: rows });
}

/** In the order in which they ended. */
export function readHistory(folder: Pick<Folder, 'read'>) {
  return readLines(folder, layout.history, historyLine);
}

/** What a version came to, each case as it was seen last. */
export function casesOfVersion(history: readonly EvaluationRecord[], source: string): readonly CaseOutcome[] {
  const latest = new Map<string, CaseOutcome>();
  for (const evaluation of history) {
    if (evaluation.source !== source) continue;
    for (const each of evaluation.cases) latest.set(caseKey(each), each);
  }
  return [...latest.values()].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/** What tells a case from others: its name alone is not enough, since inputs are made anew. */
export type CaseId = Pick<CaseOutcome, 'name' | 'inputHash'>;

export function caseKey({ name, inputHash = '' }: CaseId): string {
  return `${name} ${inputHash}`;
}

export async function readLines<T>(folder: Pick<Folder, 'read'>, name: string, schema: z.ZodType<T>) {
  const lines = ((await folder.read(name)) ?? '').split('\n').filter((line) => line.trim() !== '');
  const values = lines.flatMap((line) => {
    const { success, data } = schema.safeParse(jsonIn(line));
    return success ? [data] : [];
  });
  return { values, damaged: lines.length - values.length };
}

/** What a process was killed in the middle of must not swallow the line that comes after it. */
export async function appendLine(folder: Folder, name: string, value: unknown): Promise<void> {
  const before = await folder.readBytes(name);
  const isCorrupt = before !== null && before.length > 0 && before.at(-1) !== newline;
  await folder.append(name, `${isCorrupt ? '\n' : ''}${JSON.stringify(value)}`);
}

const newline = 0x0a;

export function testLine(version: string, evaluation: EvaluationRecord): string {
  const { atMs, file, compiled, asked, cases, message } = evaluation;
  // A name may hold anything that a file system takes.
  const begin = `${isoTime(atMs)} test ${version} ${file.replaceAll(/\p{Cc}/gu, '?')}:`;
  if (!compiled) return `${begin} CE`;
  const verdicts = Map.groupBy(cases, ({ verdict }) => verdict);
  const counts = [...verdicts].map(([verdict, { length }]) => `${length} ${verdict}`);
  const total = cases.reduce((sum, { score }) => sum + (score ?? 0), 0);
  const corrupt = cases.length < asked ? ` of ${asked}` : '';
  const text = message === undefined ? '' : ` (${message.replaceAll(/\p{Cc}/gu, ' ')})`;
  return `${begin} ${[`${cases.length}${corrupt} cases`, ...counts, `total ${total}`].join(', ')}${text}`;
}

/** What is to be added for a session, by its line of `results.csv`; null where the log says so already. */
export function newSessionRows(log: string, row: readonly string[], at: 'beginning' | 'end'): string | null {
  const [name = '', , , score = '', generation = '', parameters = ''] = row;
  const [, status = 'unknown'] = /"status":"(\w+)"/.exec(parameters) ?? [];
  const best = score === '' ? 'no score' : `best ${score}`;
  const updates = `session ${name} ${status}: ${best}, generation ${generation}`;
  const messages = log.split('\n').filter((line) => line.includes(` session ${name} `));
  const isKnown = at === 'beginning' ? messages.length > 0 : messages.at(-1)?.endsWith(` ${updates}`);
  return isKnown ? null : updates;
}
