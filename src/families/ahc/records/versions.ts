/**
 * The versions of a program that were evaluated in a workspace: v1, v2 … in the order in which `.ahc/versions.jsonl`
 * names each source first. The file is only added to, so that processes which work at once agree on the numbers. Of the
 * versions that were evaluated last, what they wrote is kept as well.
 */
import { z } from 'zod';
import { UserError } from '../../../core/errors.ts';
import type { Folder } from '../../../core/io.ts';
import { layout } from '../layout.ts';
import { appendLine, readLines } from './history.ts';

const versionLine = z.object({
  /** The hash of the source as it was compiled, with what it includes. */
  source: z.string(),
  /** Where it was first seen, as its user named it. */
  file: z.string(),
  atMs: z.number(),
  /** Absent: C++. */
  language: z.enum(['cpp', 'rust', 'python']).optional(),
});

/** `name`: `v3`. */
export type Version = Readonly<z.infer<typeof versionLine>> & { readonly name: string };

export async function readVersions(folder: Pick<Folder, 'read'>): Promise<readonly Version[]> {
  const { values } = await readLines(folder, layout.versionList, versionLine);
  const bySource = new Map<string, Version>();
  for (const line of values) {
    if (!bySource.has(line.source)) bySource.set(line.source, { name: `v${bySource.size + 1}`, ...line });
  }
  return [...bySource.values()];
}

type RegisteredVersion = Pick<Version, 'file' | 'atMs' | 'language'> & {
  readonly text: string;
  readonly hash: string;
};

/** Keeps the source before it is named, so that a version without its source is never seen. */
export async function registerVersion(
  folder: Folder,
  { text, hash, language, ...where }: RegisteredVersion,
): Promise<Version> {
  const seen = language === 'cpp' ? where : { ...where, language };
  const known = async () => (await readVersions(folder)).find(({ source }) => source === hash);
  const before = await known();
  if (before) return before;
  await folder.write(sourceFileOf(hash), text);
  await appendLine(folder, layout.versionList, { source: hash, ...seen });
  return (await known()) ?? { name: 'v?', source: hash, ...seen };
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
    code: 'no-such-version',
    what: `There is no version ${name} here.`,
    why: last ? `There are v1 to ${last.name}.` : 'Nothing was evaluated in this workspace yet.',
    fix: '`polya ahc history` shows the versions and their tags; `polya ahc test FILE` makes one.',
  });
}

export function sourceFileOf(hash: string): string {
  return `${layout.versions}/${hash}.cpp`;
}

const outputLine = z.object({ name: z.string(), input: z.string(), output: z.string() });

/** Longer ones are made again when they are to be shown. */
const mostCharacters = 1_000_000;
const keptVersions = 5;

export type OutputKeeper = { add(name: string, input: string, output: string): Promise<void> };

/**
 * `recent`: sources, the one that was run last at the end; outputs of others are let go of. `isWhole`: all cases are run,
 * so what was kept of this version is made again.
 */
export async function keepOutputs(
  folder: Folder,
  { source, recent, isWhole }: { source: string; recent: readonly string[]; isWhole: boolean },
): Promise<OutputKeeper> {
  const kept = new Set([...recent.slice(-keptVersions), source].map(outputFileOf));
  for (const name of await folder.files(layout.outputs)) {
    const file = `${layout.outputs}/${name}`;
    if (!kept.has(file) || (isWhole && file === outputFileOf(source))) await folder.remove(file);
  }
  return {
    async add(name, input, output) {
      if (output.length > mostCharacters) return;
      await folder.append(outputFileOf(source), JSON.stringify({ name, input, output }));
    },
  };
}

/** Null where it is not kept. */
export async function keptOutput(
  folder: Pick<Folder, 'read'>,
  source: string,
  { name, input }: { readonly name: string; readonly input: string },
): Promise<string | null> {
  const { values } = await readLines(folder, outputFileOf(source), outputLine);
  return values.findLast((each) => each.name === name && each.input === input)?.output ?? null;
}

export function outputFileOf(source: string): string {
  return `${layout.outputs}/${source}.jsonl`;
}
