/**
 * The official tools as a crate: where it lies among the files of an archive, what it builds, which of that does what,
 * and whether anything has to be fetched for it. Reads headings and names of a manifest, not all of TOML. Pure.
 */

import { BadArchive } from '../../../core/folder-archive.ts';
import type { ContestFile } from '../../../families/ahc/workspace.ts';
import { pageText } from './source.ts';

type Files = Readonly<Record<string, Uint8Array>>;

export type FoundCrate = {
  /** Relative to the crate. */
  readonly files: Files;
  /** What lay outside of it and is left out. */
  readonly others: readonly string[];
};

/** The crate nearest to the top; of several there, the one that is called tools. Throws `BadArchive` where there is none. */
export function crateIn(files: Files): FoundCrate {
  const roots = Object.keys(files)
    .filter((path) => path === 'Cargo.toml' || path.endsWith('/Cargo.toml'))
    .map((path) => path.slice(0, -'Cargo.toml'.length))
    .filter((root) => !/(^|\/)(vendor|target|__MACOSX)\//.test(root))
    .sort((a, b) => depth(a) - depth(b) || Number(isTools(b)) - Number(isTools(a)));
  const [root] = roots;
  if (root === undefined) throw new BadArchive('There is no Cargo.toml in it: it holds no sources of tools.');
  const inside: Record<string, Uint8Array> = {};
  const others: string[] = [];
  for (const [path, bytes] of Object.entries(files)) {
    if (!path.startsWith(root)) others.push(path);
    else if (!/^(target|out)\/|(^|\/)\.DS_Store$/.test(path.slice(root.length)))
      inside[path.slice(root.length)] = bytes;
  }
  return { files: inside, others };
}

function depth(root: string): number {
  return root.split('/').length;
}

function isTools(root: string): boolean {
  return /(^|\/)tools\/$/.test(root);
}

export type CrateReport = Omit<NonNullable<ContestFile['tools']>, 'sha256'> & {
  readonly needsCrates: boolean;
  readonly isVendored: boolean;
};

export function inspectCrate(files: Files): CrateReport {
  const manifest = pageText(files['Cargo.toml']);
  const binaries = binariesOf(files, manifest);
  const first = (...names: string[]) => names.find((name) => binaries.includes(name)) ?? null;
  const tester = first('tester', 'judge', 'interactor');
  return {
    binaries,
    generator: first('gen', 'generator', 'generate', 'input_generator'),
    judge: first('score', 'scorer', 'evaluate', 'vis', 'visualizer', 'compute_score'),
    tester: tester !== null && startsPrograms(files, tester) ? tester : null,
    needsCrates: dependenciesOf(manifest).length > 0,
    isVendored: Object.keys(files).some((path) => path.startsWith('vendor/')),
  };
}

/** A tester of an interactive contest starts the program itself; one of another contest only scores. */
function startsPrograms(files: Files, tester: string): boolean {
  const sources = Object.entries(files).filter(
    ([path]) => path.endsWith('.rs') && !path.startsWith('vendor/'),
  );
  const own = sources.filter(([path]) => /^src\/(lib|main)\.rs$/.test(path) || path.includes(`/${tester}`));
  return own.some(([, bytes]) => /process::\{?[\w:, \n]*Command|Command::new/.test(pageText(bytes)));
}

/** What the tools say of an interactive contest; null where they leave it to the statement. */
export function dialogueOf(report: CrateReport): ContestFile['isInteractive'] | null {
  return report.tester === null
    ? null
    : {
        value: true,
        because: `The tools have a program, ${report.tester}, that starts the solution and talks to it.`,
      };
}

function binariesOf(files: Files, manifest: string): string[] {
  const named = sectionsOf(manifest)
    .filter(({ heading }) => heading === '[[bin]]')
    .map(({ values }) => values.get('name'));
  const packageName = sectionsOf(manifest)
    .find(({ heading }) => heading === '[package]')
    ?.values.get('name');
  const found = Object.keys(files).map((path) => {
    if (path === 'src/main.rs') return packageName;
    return /^src\/bin\/([\w-]+)(?:\.rs|\/main\.rs)$/.exec(path)?.[1];
  });
  return [...new Set([...named, ...found].filter((name) => name !== undefined))].sort();
}

function dependenciesOf(manifest: string): readonly string[] {
  return sectionsOf(manifest).flatMap(({ heading, values }) => {
    if (/^\[(?:target\.[^\]]+\.)?(?:build-)?dependencies\]$/.test(heading)) return [...values.keys()];
    const [, name] = /^\[(?:target\.[^\]]+\.)?(?:build-)?dependencies\.([\w-]+)\]$/.exec(heading) ?? [];
    return name === undefined ? [] : [name];
  });
}

type TomlSection = { readonly heading: string; readonly values: ReadonlyMap<string, string> };

function sectionsOf(manifest: string): TomlSection[] {
  const sections: { heading: string; values: Map<string, string> }[] = [{ heading: '', values: new Map() }];
  for (const line of manifest
    .split('\n')
    .map((each) => each.replace(/(?<!\s)\s+#[^\n]*$|^#[^\n]*$/, '').trim())) {
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
