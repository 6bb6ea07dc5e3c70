/**
 * The official tools as a crate: where it lies among the files of an archive, what it builds, which of that does what,
 * and whether anything has to be fetched for it. Reads headings and names of a manifest, not all of TOML. Pure.
 */

import { BadArchive } from '../../../core/folder-archive.ts';
import type { ContestFile } from '../../../families/ahc/workspace.ts';
import { type Files, pageText } from './source.ts';

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
