/** One contest's folder, opened: its files, what it knows of its contest, and the configuration that holds in it. */
import { UserError } from '../../core/errors.ts';
import type { Folder } from '../../core/io.ts';
import type { ProgramFiles } from '../../core/sandbox.ts';
import type { Resolved } from './config/layer.ts';
import { type Contest, type ContestFile, contestOf, contestSchema } from './contest.ts';
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
  const parsed = text === null ? null : contestSchema.safeParse(jsonIn(text));
  if (parsed?.success) return parsed.data;
  throw new UserError({
    code: 'no-can-read',
    what: `${folder.path} has no ${layout.contest} that can be read.`,
    why: text === null ? 'The workspace was not set up to its end.' : 'The file was changed or broken off.',
    fix: `Run \`polya ahc init ${id}\` again: it repairs what is missing and leaves everything else as it is.`,
  });
}

export async function readContest(workspace: Workspace): Promise<Contest> {
  return contestOf(await readContestFile(workspace), workspace.config);
}

/** The sources of the official tools; null where there are none. Inputs and builds are no part of them. */
export async function readCrate({ folder }: Workspace): Promise<ProgramFiles | null> {
  const names = (await folder.files(layout.crate)).filter((name) => !/^(in|out|target)\//.test(name));
  if (!names.includes('Cargo.toml')) return null;
  const files: Record<string, Uint8Array> = {};
  for (const name of names) {
    const bytes = await folder.readBytes(`${layout.crate}/${name}`);
    if (bytes) files[name] = bytes;
  }
  return files;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
