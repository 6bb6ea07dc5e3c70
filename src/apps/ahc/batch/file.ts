/**
 * The file of a batch, and the sessions that come of it. The file says which problems, what is the same in all sessions, and
 * what is compared. Its form and the values of configuration keys are checked here; settings of the agent are checked where
 * a session is planned. Pure.
 */
import { z } from 'zod';
import { UserError } from '../../../core/errors.ts';
import { isJsonObject, type Json } from '../../../core/json.ts';
import { readYaml } from '../../../core/yaml.ts';
import { configKeyOf } from '../../../families/ahc/config/keys.ts';
import { nearestOf } from '../../../text/nearest.ts';

/** At a quarter of an hour each, ten days. */
const mostSessions = 1_000;

const text = z.string().trim().min(1);
const values = z.record(text, z.json());

const batchFile = z.strictObject({
  /** Default: the name of the file. */
  name: text.max(60).optional(),
  /** Ids below the folder of workspaces, or folders. Default: the workspace of the working folder. */
  problems: z.array(text).min(1).max(100).optional(),
  /** How often each combination is run on each problem, each time with another seed. */
  repeat: z.int().min(1).max(1_000).default(1),
  /** Sessions at once. */
  parallel: z.int().min(1).max(256).default(1),
  /** US dollars, of all together. */
  budget: z.number().positive().optional(),
  /** Only these cases, as in 0-99. */
  cases: text.optional(),
  /** Programs to begin with, relative to the file. */
  from: z.array(text).min(1).optional(),
  /** Keys of the configuration (`llm.model`) and settings of the search (`islands`) that are the same in all. */
  base: values.default({}),
  /** The same, each with the values that are tried: every combination is run. */
  matrix: z.record(text, z.array(z.json()).min(1)).default({}),
});

type BatchFile = z.infer<typeof batchFile>;

/** The values of one combination, by key; without those that are the same in all. */
type Combination = Readonly<Record<string, Json>>;

export type Batch = Omit<BatchFile, 'base' | 'matrix'> & {
  readonly base: Combination;
  readonly combinations: readonly Combination[];
};

/** Throws `UserError` with the place of the fault. */
export function parseBatch(file: string, content: string): Batch {
  const yaml = readYaml(content);
  if (!yaml.ok) throw noBatch(file, yaml.why);
  if (yaml.value === null) throw noBatch(file, 'It is empty.');
  if (hasHiddenKey(yaml.value)) {
    const why = 'It has a key `__proto__`, which nothing here is called; it would be lost in silence.';
    throw noBatch(file, why);
  }
  const read = batchFile.safeParse(yaml.value);
  if (!read.success) throw noBatch(file, withNearest(z.prettifyError(read.error), read.error));
  const [issue] = findBatchIssues(read.data);
  if (issue) throw noBatch(file, issue);
  const { base, matrix, ...rest } = read.data;
  return { ...rest, base, combinations: product(Object.entries(matrix)) };
}

/** Schemas drop the key `__proto__` silently. */
function hasHiddenKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(hasHiddenKey);
}

function withNearest(message: string, error: z.ZodError): string {
  const unknown = error.issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : []));
  const nearby = unknown.flatMap((key) => nearestOf(key, Object.keys(batchFile.shape)) ?? []);
  return nearby.length > 0 ? `${message}\nIs ${nearby.join(', ')} meant?` : message;
}

/** Faults in the order of their importance; only the first is shown. */
function* findBatchIssues(file: BatchFile): Generator<string> {
  const { base, matrix, problems = [''], repeat } = file;
  for (const [key, value] of Object.entries(base)) yield* findValueIssues('base', key, value);
  for (const [key, attempts] of Object.entries(matrix)) {
    for (const value of attempts) yield* findValueIssues('matrix', key, value);
    if (new Set(attempts.map((value) => JSON.stringify(value))).size < attempts.length)
      yield `matrix: ${key} has the same value twice.`;
  }
  // Counted before they are made: ten keys of ten values are more than any machine can hold.
  const crossed = Object.values(matrix).reduce((product, { length }) => product * length, 1);
  const sessions = crossed * problems.length * repeat;
  const [all, most] = [sessions, mostSessions].map((each) => each.toLocaleString('en'));
  if (sessions > mostSessions) yield `It makes ${all} sessions, more than ${most}.`;
}

/** Keys with a dot are the configuration's; the others are settings of the search, and checked with it. */
function* findValueIssues(part: string, key: string, value: Json): Generator<string> {
  const where = `${part}: ${key}`;
  if (key === 'confirm' && value === true)
    yield `${where}: the sessions of a batch run by themselves, and there is no user to confirm anything.`;
  if (!key.includes('.')) return;
  const known = configKeyOf.get(key);
  if (!known) {
    const nearby = nearestOf(key, [...configKeyOf.keys()]);
    return yield `${where}: there is no such key.${nearby ? ` Is ${nearby} meant?` : ''}`;
  }
  if (known.isSecret) yield `${where}: a key does not belong into a file that is passed on.`;
  if (!/^(llm|evolution)\.|^workspace\.(keep_session_files|max_log_size_mb)$/.test(key))
    yield `${where}: it cannot differ between sessions; set it with \`polya ahc config\`.`;
  const read = known.schema.safeParse(value);
  if (!read.success || isJsonObject(value))
    yield `${where}: ${read.error?.issues[0]?.message ?? 'it is no value'}.`;
}

/** Every combination; the last key changes fastest. Without keys there is one empty combination. */
function product(axes: readonly (readonly [string, readonly Json[]])[]): Combination[] {
  return axes.reduce<Combination[]>(
    (all, [key, attempts]) => all.flatMap((each) => attempts.map((value) => ({ ...each, [key]: value }))),
    [{}],
  );
}

function noBatch(file: string, why: string): UserError {
  return new UserError({
    code: 'no-batch',
    what: `${file} is no batch.`,
    why,
    fix: 'Its form is in docs/ahc.md; examples/batches/sizes.yaml is one.',
  });
}

export type BatchRow = {
  /** The name of its session; no other row of the same problem has it. */
  readonly name: string;
  /** The user's name for the workspace; null: the one of the working folder. */
  readonly problem: string | null;
  /** By its number, from 0, in the batch. */
  readonly combination: number;
  /** From 1. */
  readonly repeat: number;
  readonly seed: string;
  /** All values, those of `base` included. */
  readonly values: Combination;
};

/**
 * Each combination on each problem, `repeat` times. A batch that is broken off has tried everything equally often, because
 * repeats are the outermost loop. The seed belongs to the repeat: all combinations have the same chances.
 */
export function rowsOf(batch: Batch, name: string): readonly BatchRow[] {
  const { problems = [null], combinations, repeat, base } = batch;
  const repeats = Array.from({ length: repeat }, (_, index) => index + 1);
  return repeats.flatMap((round) =>
    problems.flatMap((problem) =>
      combinations.map((values, combination) => ({
        name: `${name}-c${combination + 1}${repeat > 1 ? `-r${round}` : ''}`,
        problem,
        combination,
        repeat: round,
        seed: `${name} ${round}`,
        values: { ...base, ...values },
      })),
    ),
  );
}

/** `llm.model=gpt-5 islands=3` */
export function combinationText(combination: Combination): string {
  const parts = Object.entries(combination).map(([key, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return `${key.replace(/^(llm|evolution)\./, '')}=${text}`;
  });
  return parts.join(' ') || 'as it is configured';
}
