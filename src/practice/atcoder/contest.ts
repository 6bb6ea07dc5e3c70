/** Contests of our own in AtCoder's form, as they lie in `examples/contests`: statement, tools, solutions, and what they are. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { z } from 'zod';
import { UserError } from '../../core/errors.ts';

const contestFile = z.strictObject({
  id: z.string(),
  title: z.string(),
  /** The task's name in the page's heading: `A - Lantern Garden`. */
  task: z.string(),
  start: z.iso.datetime(),
  end: z.iso.datetime(),
  timeLimitSeconds: z.number(),
  memoryLimitMegabytes: z.number(),
  direction: z.enum(['maximise', 'minimise']),
  scoring: z.enum(['absolute', 'relative']),
  isInteractive: z.boolean(),
  /** Whether the zip of the tools holds inputs, or only the seeds that they are generated from. */
  inputs: z.enum(['files', 'seeds']),
});

export type PracticeContest = z.infer<typeof contestFile> & {
  readonly folder: string;
  /** HTML of the sections. */
  readonly statement: { readonly ja: string; readonly en: string };
};

const home = join(import.meta.dirname, '..', '..', '..', 'examples', 'contests');

export function practiceContestIds(): readonly string[] {
  return readdirSync(home).sort();
}

export function practiceContest(id: string): PracticeContest {
  const folder = join(home, id);
  if (!/^\w+$/.test(id) || !existsSync(join(folder, 'contest.json'))) {
    throw new UserError({
      code: 'no-such-contest',
      what: `There is no practice contest ${id}.`,
      fix: `There are: ${practiceContestIds().join(', ')}.`,
    });
  }
  const text = (...path: string[]): string => readFileSync(join(folder, ...path), 'utf8');
  return {
    ...contestFile.parse(JSON.parse(text('contest.json'))),
    folder,
    statement: { ja: text('statement', 'ja.html'), en: text('statement', 'en.html') },
  };
}

/** What lies in a folder of the contest (`tools`, `statement`, `solutions`): by relative path, with `/` between folders. */
export function filesOf(contest: PracticeContest, part: string): Readonly<Record<string, Uint8Array>> {
  const folder = join(contest.folder, part);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  return Object.fromEntries(
    files.map((file) => [relative(folder, file).replaceAll('\\', '/'), readFileSync(file)]),
  );
}
