/**
 * One contest's folder, opened: its files, the configuration that holds in it, and what it knows of its contest:
 * `problem/contest.json`, written by `init` from statement and tools. What was found there can be corrected in the workspace's
 * configuration (`contest.direction` …); the file itself is never edited.
 */
import { z } from 'zod';
import { UserError } from '../../core/errors.ts';
import type { Folder } from '../../core/io.ts';
import { jsonIn } from '../../core/json.ts';
import type { Resolved } from './config/layer.ts';
import { layout } from './layout.ts';

export type Workspace = {
  /** The last name of its folder, which is the contest's id unless its user renamed it. */
  readonly id: string;
  readonly folder: Folder;
  readonly config: Resolved;
};

/** Throws `UserError` where `init` did not come so far. */
export async function readContestFile({ folder, id }: Workspace): Promise<ContestFile> {
  const text = await folder.read(layout.contest);
  const parsed = contestFileSchema.safeParse(jsonIn(text));
  if (parsed.success) return parsed.data;
  throw new UserError({
    code: 'workspace-file-invalid',
    what: `${folder.path} has no ${layout.contest} that can be read.`,
    why: text === null ? 'The workspace was not set up to its end.' : 'The file was changed or broken off.',
    fix: `Run \`polya ahc init ${id}\` again: it repairs what is missing and leaves everything else as it is.`,
  });
}

export async function readContest(workspace: Workspace): Promise<Contest> {
  return contestOf(await readContestFile(workspace), workspace.config);
}

/** The sources of the official tools; null where there are none. Inputs and builds are no part of them. */
export async function readCrate({ folder }: Pick<Workspace, 'folder'>) {
  const names = (await folder.files(layout.crate)).filter((name) => !/^(in|out|target)\//.test(name));
  if (!names.includes('Cargo.toml')) return null;
  let files: Record<string, Uint8Array> = {};
  for (const name of names) {
    const bytes = await folder.readBytes(`${layout.crate}/${name}`);
    if (bytes) files[name] = bytes;
  }
  for (const name of Object.values(vendored)) {
    const { [`vendor/${name}`]: own, ...rest } = files;
    if (own) files = { ...rest, [name]: own };
  }
  return files;
}

/** Beside the crates in `vendor/`: these go before the official ones, which do not fit to the versions that are there. */
export const vendored = { manifest: 'Cargo.toml', lock: 'Cargo.lock' } as const;

const finding = <T extends z.ZodType>(value: T) => z.strictObject({ value, because: z.string().nullable() });

export const contestFileSchema = z.strictObject({
  version: z.literal(1),
  id: z.string(),
  /** `A - Lantern Garden`. */
  title: z.string(),
  /** The address of the task's page; null if it came from a file. */
  url: z.string().nullable(),
  /** ISO 8601; null where unknown. */
  startsAt: z.string().nullable(),
  endsAt: z.string().nullable(),
  timeLimitSeconds: z.number().positive().nullable(),
  memoryLimitMegabytes: z.number().positive().nullable(),
  direction: finding(z.enum(['maximise', 'minimise'])),
  scoring: finding(z.enum(['absolute', 'relative'])),
  isInteractive: finding(z.boolean()),
  /** What the tools' crate in `tools/tester` builds; null if there are no tools. */
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
      /** The hash of the archive that they came from. */
      sha256: z.string(),
    })
    .nullable(),
  /** That its user said that the rules of a contest that was running, or might be, allow what we do. */
  confirmed: z
    .strictObject({ atMs: z.number(), standing: z.enum(['running', 'not-begun', 'unknown']) })
    .nullable(),
});

export type ContestFile = z.infer<typeof contestFileSchema>;

/** What holds for running and scoring programs. */
export const contestSchema = z.object({
  id: z.string(),
  title: z.string(),
  timeLimitMs: z.number(),
  memoryLimitBytes: z.number(),
  direction: z.enum(['maximise', 'minimise']),
  scoring: z.enum(['absolute', 'relative']),
  isInteractive: z.boolean(),
  tools: contestFileSchema.shape.tools,
});

export type Contest = Readonly<z.infer<typeof contestSchema>>;

/** The judge's limit for a submitted program. */
export const sourceLimitBytes = 512 * 1024;

/** What most contests have, where neither statement nor user say. */
const usual = { timeLimitSeconds: 2, memoryLimitMegabytes: 1024 };

/** The file with the user's corrections. */
export function contestOf(file: ContestFile, config: Pick<Resolved, 'get'>): Contest {
  const { direction, scoring, isInteractive } = contestSchema.shape;
  const corrected = <T>(key: string, schema: z.ZodType<T>, fallback: T): T =>
    schema.safeParse(config.get(`contest.${key}`)).data ?? fallback;
  const seconds = file.timeLimitSeconds ?? usual.timeLimitSeconds;
  const megabytes = file.memoryLimitMegabytes ?? usual.memoryLimitMegabytes;
  return {
    id: file.id,
    title: file.title,
    timeLimitMs: corrected('time_limit', z.number(), seconds) * 1000,
    memoryLimitBytes: corrected('memory_limit', z.number(), megabytes) * 1024 * 1024,
    direction: corrected('direction', direction, file.direction.value),
    scoring: corrected('scoring', scoring, file.scoring.value),
    isInteractive: corrected('interactive', isInteractive, file.isInteractive.value),
    tools: file.tools,
  };
}

/** Whether `main.cpp` holds work of its user: it is neither empty nor the template, the program of `init --template`. */
export function differsFromTemplate(main: string, template: string | null): boolean {
  return !['', template?.trim()].includes(main.trim());
}
