/**
 * The official tools as a crate: where it lies among the files of an archive, what it builds, which of that does what; and
 * what it depends on, fetched by the user's own cargo. Reads headings and names of a manifest, not all of TOML.
 */
import { execFile } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { BadArchive } from '../../../core/folder-archive.ts';
import type { ContestFile } from '../../../families/ahc/workspace.ts';
import { openFolder } from '../../../io/folder.ts';
import type { Environment } from '../../../io/home.ts';
import { type Files, pageText, type VendorCrates } from './source.ts';

/**
 * The crate nearest to the top; of several there, the one that is called tools. `files` are relative to it, `others` lay
 * outside of it. Throws `BadArchive` where there is none.
 */
export function crateIn(files: Files): { readonly files: Files; readonly others: readonly string[] } {
  const [root] = Object.keys(files)
    .filter((path) => /(^|\/)Cargo\.toml$/.test(path))
    .map((path) => path.slice(0, -'Cargo.toml'.length))
    .filter((path) => !/(^|\/)(vendor|target|__MACOSX)\//.test(path))
    .sort((a, b) => depth(a) - depth(b) || Number(isTools(b)) - Number(isTools(a)));
  if (root === undefined) throw new BadArchive('There is no Cargo.toml in it: it holds no sources of tools.');
  const inside = Object.entries(files).flatMap(([path, bytes]) =>
    path.startsWith(root) ? [[path.slice(root.length), bytes] as const] : [],
  );
  return {
    files: Object.fromEntries(inside.filter(([path]) => !/^(target|out)\/|(^|\/)\.DS_Store$/.test(path))),
    others: Object.keys(files).filter((path) => !path.startsWith(root)),
  };
}

const depth = (root: string): number => root.split('/').length;
const isTools = (root: string): boolean => /(^|\/)tools\/$/.test(root);

export type CrateReport = Omit<NonNullable<ContestFile['tools']>, 'sha256'> & {
  readonly needsCrates: boolean;
  readonly isVendored: boolean;
};

export function inspectCrate(files: Files): CrateReport {
  const sections = sectionsOf(pageText(files['Cargo.toml']));
  const binaries = binariesOf(files, sections);
  const first = (...names: string[]) => names.find((name) => binaries.includes(name)) ?? null;
  const tester = first('tester', 'judge', 'interactor');
  return {
    binaries,
    generator: first('gen', 'generator', 'generate', 'input_generator'),
    judge: first('score', 'scorer', 'evaluate', 'vis', 'visualizer', 'compute_score'),
    tester: tester !== null && startsPrograms(files, tester) ? tester : null,
    needsCrates: dependenciesOf(sections).length > 0,
    isVendored: Object.keys(files).some((path) => path.startsWith('vendor/')),
  };
}

/** A tester of an interactive contest starts the program itself; one of another contest only scores. */
function startsPrograms(files: Files, tester: string): boolean {
  const own = Object.entries(files).filter(
    ([path]) =>
      /\.rs$/.test(path) &&
      !path.startsWith('vendor/') &&
      (/^src\/(lib|main)\.rs$/.test(path) || path.includes(`/${tester}`)),
  );
  return own.some(([, bytes]) => /process::\{?[\w:, \n]*Command|Command::new/.test(pageText(bytes)));
}

/** What the tools say of an interactive contest; null where they leave it to the statement. */
export function dialogueOf({ tester }: CrateReport): ContestFile['isInteractive'] | null {
  if (tester === null) return null;
  return {
    value: true,
    because: `The tools have a program, ${tester}, that starts the solution and talks to it.`,
  };
}

function binariesOf(files: Files, sections: readonly TomlSection[]): string[] {
  const nameIn = (wanted: string) =>
    sections.filter(({ heading }) => heading === wanted).map(({ values }) => values.get('name'));
  const [packageName] = nameIn('[package]');
  const found = Object.keys(files).map((path) =>
    path === 'src/main.rs' ? packageName : /^src\/bin\/([\w-]+)(?:\.rs|\/main\.rs)$/.exec(path)?.[1],
  );
  return [...new Set([...nameIn('[[bin]]'), ...found].filter((name) => name !== undefined))].sort();
}

function dependenciesOf(sections: readonly TomlSection[]): readonly string[] {
  return sections.flatMap(({ heading, values }) => {
    const found = /^\[(?:target\.[^\]]+\.)?(?:build-)?dependencies(?:\.([\w-]+))?\]$/.exec(heading);
    if (!found) return [];
    return found[1] === undefined ? [...values.keys()] : [found[1]];
  });
}

type TomlSection = { readonly heading: string; readonly values: Map<string, string> };

function sectionsOf(manifest: string): TomlSection[] {
  const sections: TomlSection[] = [{ heading: '', values: new Map() }];
  for (const whole of manifest.split('\n')) {
    const line = whole.replace(/(?<!\s)\s+#[^\n]*$|^#[^\n]*$/, '').trim();
    if (/^\[.*\]$/.test(line)) sections.push({ heading: line.replaceAll(/\s/g, ''), values: new Map() });
    const [, key = '', value = ''] = /^"?([\w.-]+)"?\s*=\s*(.+)$/.exec(line) ?? [];
    if (key !== '') sections.at(-1)?.values.set(key, /^"([^"]*)"/.exec(value)?.[1] ?? value);
  }
  return sections;
}

/** Sources that a lockfile names besides the usual one: those are not fetched. */
export function strangeSources(lock: Uint8Array): readonly string[] {
  const sources = [...pageText(lock).matchAll(/^source = "([^"]*)"/gm)].map((match) => match[1] ?? '');
  return [...new Set(sources)].filter(
    (source) => !/^(registry|sparse)\+https:\/\/[^"]*crates\.io/.test(source),
  );
}

const longestMs = 10 * 60_000;

/**
 * Manifest, lockfile and the names of its sources are all that cargo sees, in a folder of ours, so nothing of the crate is
 * run and no configuration of it counts. The network and where crates come from are as the user has set cargo up. Not by
 * `cargo vendor`: it deletes what it copies from, and where a user's crates come from a folder, as Debian's do, that is
 * the folder itself.
 */
export function vendorCrates(env: Environment): VendorCrates {
  return async ({ manifest, lock, sources }, signal) => {
    const cargo = findCargo(env);
    if (cargo === null) return { files: null, why: 'There is no cargo on the PATH.' };
    const folder = mkdtempSync(join(tmpdir(), 'polya-crates-'));
    try {
      const place = openFolder(folder);
      await place.write('Cargo.toml', manifest);
      await place.write('Cargo.lock', lock);
      for (const name of ['src/lib.rs', ...sources]) await place.write(name, '');
      const run = (...args: readonly string[]) => runCargo(cargo, args, { folder, env, signal });
      const fetched = await run('fetch', '--locked');
      if (fetched.why !== null) return { files: null, why: fetched.why };
      const listed = await run('metadata', '--locked', '--offline', '--format-version', '1');
      if (listed.why !== null) return { files: null, why: listed.why };
      return { files: await copied(listed.said, lock) };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
}

function findCargo(env: Environment): string | null {
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder.startsWith('/'));
  return folders.map((folder) => join(folder, 'cargo')).find(isExecutable) ?? null;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const named = { name: z.string(), version: z.string(), manifest_path: z.string() };
const listSchema = z.object({ packages: z.array(z.object({ ...named, source: z.string().nullable() })) });

/** Read, never moved. Libraries for linking on Windows are most of the bytes, and nothing here links with them. */
async function copied(list: string, lock: Uint8Array): Promise<Record<string, string | Uint8Array>> {
  const checksums = checksumsIn(new TextDecoder().decode(lock));
  const files: Record<string, string | Uint8Array> = {};
  const { packages } = listSchema.parse(JSON.parse(list));
  for (const { name, version, manifest_path } of packages.filter(({ source }) => source !== null)) {
    const crate = `${name}-${version}`;
    const place = openFolder(dirname(manifest_path));
    for (const path of await place.files('.')) {
      if (/\.(a|lib)$/.test(path) && name.startsWith('win')) continue;
      files[`${crate}/${path}`] = (await place.readBytes(path)) ?? new Uint8Array();
    }
    // The sum of the whole, which the lockfile names, is kept; those of single files are the business of who fetched them.
    const sums = { files: {}, package: checksums.get(crate) ?? null };
    files[`${crate}/.cargo-checksum.json`] = JSON.stringify(sums);
  }
  return files;
}

/** By name and version. */
function checksumsIn(lock: string): ReadonlyMap<string, string> {
  const found = lock.split('[[package]]').flatMap((entry) => {
    const [name, version, checksum] = ['name', 'version', 'checksum'].map(
      (key) => new RegExp(`^${key} = "([^"]*)"`, 'm').exec(entry)?.[1],
    );
    return name && version && checksum ? [[`${name}-${version}`, checksum] as const] : [];
  });
  return new Map(found);
}

/** What it printed; where it failed, the last lines of its complaints. */
async function runCargo(
  cargo: string,
  args: readonly string[],
  { folder, env, signal }: { folder: string; env: Environment; signal: AbortSignal },
): Promise<{ readonly why: null; readonly said: string } | { readonly why: string }> {
  const running = promisify(execFile)(cargo, args, {
    cwd: folder,
    env: { CARGO_NET_RETRY: '1', ...env, CARGO_TERM_COLOR: 'never' },
    maxBuffer: Number.POSITIVE_INFINITY,
    signal: AbortSignal.any([signal, AbortSignal.timeout(longestMs)]),
  });
  running.child.stdin?.end();
  try {
    return { why: null, said: (await running).stdout };
  } catch (error) {
    signal.throwIfAborted();
    const { code, message, stderr } = failureSchema.parse(error);
    const hasRun = typeof code !== 'string';
    return { why: `cargo ${args[0]}${hasRun ? ` said: ${lastLines(stderr)}` : `: ${message}.`}` };
  }
}

/** `code` is a text where it could not be started, or was broken off. */
const failureSchema = z.object({
  code: z.union([z.string(), z.number(), z.null()]),
  message: z.string(),
  stderr: z.string().default(''),
});

function lastLines(said: string): string {
  const lines = said.split('\n').flatMap((line) => line.trim() || []);
  return lines.slice(-4).join(' ').slice(0, 600);
}
