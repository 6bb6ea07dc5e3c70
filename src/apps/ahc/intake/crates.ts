/**
 * The official tools as a crate: where it lies among the files of an archive, what it builds, which of that does what, and
 * what it depends on. Nothing is fetched here.
 */
import { parse } from 'smol-toml';
import { z } from 'zod';
import { BadArchive } from '../../../core/folder-archive.ts';
import type { ContestFile } from '../../../families/ahc/workspace.ts';
import { type Files, pageText } from './source.ts';

/**
 * The crate nearest to the top; of several there, the one that is called tools. Paths are relative to it. Throws
 * `BadArchive` where there is none.
 */
export function crateIn(files: Files): Files {
  const [root] = Object.keys(files)
    .filter((path) => /(^|\/)Cargo\.toml$/.test(path))
    .map((path) => path.slice(0, -'Cargo.toml'.length))
    .filter((path) => !/(^|\/)(vendor|target|__MACOSX)\//.test(path))
    .sort((a, b) => depth(a) - depth(b) || Number(isTools(b)) - Number(isTools(a)));
  if (root === undefined) throw new BadArchive('There is no Cargo.toml in it: it holds no sources of tools.');
  const inside = Object.entries(files).flatMap(([path, bytes]) =>
    path.startsWith(root) ? [[path.slice(root.length), bytes] as const] : [],
  );
  return Object.fromEntries(inside.filter(([path]) => !/^(target|out)\/|(^|\/)\.DS_Store$/.test(path)));
}

const depth = (root: string): number => root.split('/').length;
const isTools = (root: string): boolean => /(^|\/)tools\/$/.test(root);

export type CrateReport = Omit<NonNullable<ContestFile['tools']>, 'sha256'> & {
  readonly needsCrates: boolean;
  readonly isVendored: boolean;
};

export function inspectCrate(files: Files): CrateReport {
  const manifest = manifestIn(pageText(files['Cargo.toml']));
  const manifests = Object.keys(files).filter(isOwnManifest);
  const binaries = binariesOf(files, manifest);
  const first = (...names: string[]) => names.find((name) => binaries.includes(name)) ?? null;
  const tester = first('tester', 'judge', 'interactor');
  return {
    binaries,
    generator: first('gen', 'generator', 'generate', 'input_generator'),
    judge: first('score', 'scorer', 'evaluate', 'vis', 'visualizer', 'compute_score'),
    tester: tester !== null && startsPrograms(files, tester) ? tester : null,
    needsCrates: manifests.some((path) => dependenciesOf(manifestIn(pageText(files[path]))).size > 0),
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

function binariesOf(files: Files, { bin, package: own }: Manifest): string[] {
  const found = Object.keys(files).map((path) =>
    path === 'src/main.rs' ? own.name : /^src\/bin\/([\w-]+)(?:\.rs|\/main\.rs)$/.exec(path)?.[1],
  );
  const names = [...bin.map(({ name }) => name), ...found];
  return [...new Set(names.filter((name) => name !== undefined))].sort();
}

const dependency = z.union([
  z.string(),
  z.looseObject({
    version: z.string().optional(),
    package: z.string().optional(),
    path: z.string().optional(),
  }),
]);
const dependencies = z.record(z.string(), dependency).default({});
const needing = { dependencies, 'build-dependencies': dependencies };

/** What cargo does not know either is left as it is. */
const manifestSchema = z.looseObject({
  package: z.looseObject({ name: z.string().optional() }).default({}),
  bin: z.array(z.looseObject({ name: z.string().optional() })).default([]),
  ...needing,
  target: z.record(z.string(), z.looseObject(needing)).default({}),
});

export type Manifest = z.infer<typeof manifestSchema>;
type Dependency = z.infer<typeof dependency>;

/** An empty one where it cannot be read: cargo tells what is wrong with it. */
export function manifestIn(text: string): Manifest {
  let value: unknown = {};
  try {
    value = parse(text);
  } catch {
    // Below.
  }
  return manifestSchema.safeParse(value).data ?? manifestSchema.parse({});
}

/** Each table of what it needs, as `change` makes it; what only its own tests need is left out. */
export function withDependencies(
  manifest: Manifest,
  change: (needed: Dependency) => Dependency,
): Record<string, unknown> {
  const changed = (some: Record<string, Dependency>) =>
    Object.fromEntries(Object.entries(some).map(([name, needed]) => [name, change(needed)]));
  const both = (part: Pick<Manifest, 'dependencies' | 'build-dependencies'>) => ({
    dependencies: changed(part.dependencies),
    'build-dependencies': changed(part['build-dependencies']),
  });
  const { 'dev-dependencies': _, ...rest } = manifest;
  const target = Object.entries(manifest.target).map(([name, part]) => [name, { ...part, ...both(part) }]);
  return { ...rest, ...both(manifest), target: Object.fromEntries(target) };
}

/** Whether it is the manifest of the crate, or of an inner crate that it names by path. */
export const isOwnManifest = (path: string): boolean =>
  /(^|\/)Cargo\.toml$/.test(path) && !/^(vendor|target)\//.test(path);

/** What is to be fetched, by the names that the registry has for them; what lies in a folder is not. */
export function dependenciesOf(manifest: Manifest): ReadonlyMap<string, Dependency> {
  const parts = [manifest, ...Object.values(manifest.target)];
  const all = parts.flatMap((part) =>
    Object.entries({ ...part['build-dependencies'], ...part.dependencies }),
  );
  return new Map(
    all
      .filter(([, needed]) => pathOf(needed) === undefined)
      .map(([name, needed]) => [(typeof needed === 'object' ? needed.package : null) ?? name, needed]),
  );
}

const pathOf = (needed: Dependency): string | undefined =>
  typeof needed === 'object' && typeof needed.path === 'string' ? needed.path : undefined;
