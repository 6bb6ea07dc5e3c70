/**
 * The versions of a program that were evaluated in a workspace: v1, v2 … in the order in which `.ahc/versions.jsonl`
 * names each source first. The file is only added to, so that processes which work at once agree on the numbers.
 */
import { z } from 'zod';
import { UserError } from '../../../core/errors.ts';
import type { Folder } from '../../../core/io.ts';
import { layout } from '../layout.ts';
import { appendLine, readLines } from './lines.ts';

const versionLine = z.object({ source: z.string(), file: z.string(), atMs: z.number() });

export type Version = {
  /** `v3` */
  readonly name: string;
  /** The hash of the source as it was compiled, with what it includes. */
  readonly source: string;
  /** Where it was first seen, as its user named it. */
  readonly file: string;
  readonly atMs: number;
};

export async function readVersions(folder: Pick<Folder, 'read'>): Promise<readonly Version[]> {
  const { values } = await readLines(folder, layout.versionList, versionLine);
  const bySource = new Map<string, Version>();
  for (const line of values) {
    if (!bySource.has(line.source)) bySource.set(line.source, { name: `v${bySource.size + 1}`, ...line });
  }
  return [...bySource.values()];
}

export type SeenSource = {
  readonly text: string;
  readonly hash: string;
  readonly file: string;
  readonly atMs: number;
};

/** Keeps the source before it is named, so that a version without its source is never seen. */
export async function registerVersion(
  folder: Folder,
  { text, hash, file, atMs }: SeenSource,
): Promise<Version> {
  const known = (await readVersions(folder)).find(({ source }) => source === hash);
  if (known) return known;
  await folder.write(sourceFileOf(hash), text);
  await appendLine(folder, layout.versionList, { source: hash, file, atMs });
  const found = (await readVersions(folder)).find(({ source }) => source === hash);
  return found ?? { name: 'v?', source: hash, file, atMs };
}

export function readSource(folder: Pick<Folder, 'read'>, { source }: Version): Promise<string | null> {
  return folder.read(sourceFileOf(source));
}

export function isVersionName(name: string): boolean {
  return /^(v\d+|last)$/.test(name);
}

/** `v3`, or `last`: the newest that is not `except`. Throws `UserError` where there is none. */
export async function findVersion(
  folder: Pick<Folder, 'read'>,
  name: string,
  except?: string,
): Promise<Version> {
  const versions = await readVersions(folder);
  const found =
    name === 'last'
      ? versions.findLast(({ source }) => source !== except)
      : versions.find((version) => version.name === name);
  if (found) return found;
  const last = versions.at(-1);
  throw new UserError({
    code: 'no-version-here',
    what: `There is no version ${name} here.`,
    why: last ? `There are v1 to ${last.name}.` : 'Nothing was evaluated in this workspace yet.',
    fix: '`polya ahc history` shows the versions; `polya ahc test FILE` makes one.',
  });
}

export function sourceFileOf(hash: string): string {
  return `${layout.versions}/${hash}.cpp`;
}
