/**
 * What a workspace knows of its contest: `problem/contest.json`, written by `init` from statement and tools. What was
 * found there can be corrected in the workspace's configuration (`contest.direction` …); the file itself is never edited.
 */
import { z } from 'zod';
import type { Resolved } from './config/layer.ts';

const finding = <T extends z.ZodType>(value: T) => z.strictObject({ value, because: z.string().nullable() });

export const contestSchema = z.strictObject({
  version: z.literal(1),
  id: z.string(),
  /** `A - Lantern Garden`. */
  title: z.string(),
  /** Of the task's page; null where it came from a file. */
  url: z.string().nullable(),
  /** ISO 8601; null where nobody said. */
  startsAt: z.string().nullable(),
  endsAt: z.string().nullable(),
  timeLimitSeconds: z.number().positive().nullable(),
  memoryLimitMegabytes: z.number().positive().nullable(),
  direction: finding(z.enum(['maximise', 'minimise'])),
  scoring: finding(z.enum(['absolute', 'relative'])),
  isInteractive: finding(z.boolean()),
  /** What the tools' crate in `tools/tester` builds; null where there are none. */
  tools: z
    .strictObject({
      /** All binaries of the crate. */
      binaries: z.array(z.string()),
      /** Writes inputs from seeds. */
      generator: z.string().nullable(),
      /** Scores an output: takes the paths of input and output. */
      judge: z.string().nullable(),
      /** Talks to the program of an interactive contest. */
      tester: z.string().nullable(),
      /** Of the archive they came from. */
      sha256: z.string(),
    })
    .nullable(),
  /** That its user said that the rules of a contest that was running, or might be, allow what we do. */
  confirmed: z
    .strictObject({ atMs: z.number(), standing: z.enum(['running', 'not-begun', 'unknown']) })
    .nullable(),
});

export type ContestFile = z.infer<typeof contestSchema>;

/** What holds for running and scoring programs. */
export type Contest = {
  readonly id: string;
  readonly title: string;
  readonly timeLimitMs: number;
  readonly memoryLimitBytes: number;
  readonly direction: 'maximise' | 'minimise';
  readonly scoring: 'absolute' | 'relative';
  readonly isInteractive: boolean;
  readonly tools: ContestFile['tools'];
};

/** Of a program as it is handed in: what the judge takes. */
export const sourceLimitBytes = 512 * 1024;

/** What most contests have, where neither statement nor user say. */
const usual = { timeLimitSeconds: 2, memoryLimitMegabytes: 1024 };

/** The file with the user's corrections. */
export function contestOf(file: ContestFile, config: Pick<Resolved, 'get'>): Contest {
  const seconds = numberOr(config.get('contest.time_limit'), file.timeLimitSeconds ?? usual.timeLimitSeconds);
  const megabytes = numberOr(
    config.get('contest.memory_limit'),
    file.memoryLimitMegabytes ?? usual.memoryLimitMegabytes,
  );
  const direction = config.get('contest.direction');
  const scoring = config.get('contest.scoring');
  const interactive = config.get('contest.interactive');
  return {
    id: file.id,
    title: file.title,
    timeLimitMs: seconds * 1000,
    memoryLimitBytes: megabytes * 1024 * 1024,
    direction: direction === 'maximise' || direction === 'minimise' ? direction : file.direction.value,
    scoring: scoring === 'absolute' || scoring === 'relative' ? scoring : file.scoring.value,
    isInteractive: typeof interactive === 'boolean' ? interactive : file.isInteractive.value,
    tools: file.tools,
  };
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}
