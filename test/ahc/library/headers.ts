/**
 * The library's own C++ put together into one program, because compilers are what this costs: every header, and the mains
 * of all tests and examples, each in a namespace of its own. That all of them stand in one file also proves that headers
 * do not collide when they are put into one solution.
 */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleFile } from '../../../src/apps/ahc/workspace/program.ts';
import { bundledLibrary } from '../../../src/open/families/ahc/library.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

export const ids: readonly string[] = readdirSync(bundledLibrary)
  .filter((name) => name.endsWith('.hpp'))
  .map((name) => name.slice(0, -'.hpp'.length))
  .sort();

export const textOf = (name: string): string => readFileSync(join(bundledLibrary, name), 'utf8');

const includes = /^[ \t]*#[ \t]*include[ \t]*([<"][^>"]+[>"]).*$/gm;

export type Ran = { readonly id: string; readonly status: number; readonly printed: string };

/** What each test and each example came to, by `ID.test` and `ID.example`. */
export type Runs = ReadonlyMap<string, Ran>;

/**
 * All tests and examples as ONE program, bundled as a solution is: to read the standard library and to write out what
 * templates make is what costs. Each has a process of its own, so that one that dies says which it was.
 */
export async function runAll(options: readonly string[]): Promise<Runs> {
  const folder = temporaryFolder('library');
  const program = join(folder, 'main');
  writeFileSync(`${program}.cpp`, together());
  const { text } = bundleFile({ folder, file: 'main.cpp', library: () => [bundledLibrary] });
  if (/^\s*#\s*include\s*"/m.test(text)) throw new Error('The bundle includes a file of ours.');
  writeFileSync(`${program}.cpp`, text);
  await gxx([...options, `${program}.cpp`, '-o', program]);
  const ran = programs.map(
    async ({ name }) => [name, { id: name, ...(await run(program, [name])) }] as const,
  );
  return new Map(await Promise.all(ran));
}

/** Throws where a header needs something that it does not include. */
export async function checkAlone(chosen: readonly string[], options: readonly string[]): Promise<void> {
  const folder = temporaryFolder('library');
  const files = companies(chosen).map((company, at) => {
    const file = join(folder, `${at}.cpp`);
    // As somebody includes it: a header that is compiled itself is warned of its `#pragma once`.
    writeFileSync(file, company.map(({ id }) => `#include "${id}.hpp"\n`).join(''));
    return file;
  });
  await gxx([...options, '-fsyntax-only', '-I', bundledLibrary, ...files]);
}

type Alone = {
  readonly id: string;
  readonly text: string;
  /** What it includes itself, or by others of ours: of the standard, and of ours. */
  readonly standard: ReadonlySet<string>;
  readonly own: ReadonlySet<string>;
  readonly names: readonly string[];
};

/**
 * Headers that may be read one after the other, and each still sees nothing but what it asked for: each brings along all
 * standard headers of those before it, and speaks of no name of theirs unless it includes them. To read them all, the
 * standard is read a few times, and not thirty times. One that fits nowhere is a company by itself.
 */
export function companies(chosen: readonly string[]): readonly (readonly Alone[])[] {
  const made: Alone[][] = [];
  const bySize = chosen
    .map(alone)
    .sort((a, b) => a.standard.size - b.standard.size || a.own.size - b.own.size);
  for (const header of bySize) {
    const fits = made
      .filter((company) => company.every((before) => seesNothingOf(header, before)))
      .sort((a, b) => (b.at(-1)?.standard.size ?? 0) - (a.at(-1)?.standard.size ?? 0));
    if (fits[0]) fits[0].push(header);
    else made.push([header]);
  }
  return made;
}

function seesNothingOf(header: Alone, before: Alone): boolean {
  if ([...before.standard].some((name) => !header.standard.has(name))) return false;
  return [...before.own]
    .filter((id) => !header.own.has(id))
    .every((id) => alone(id).names.every((name) => !new RegExp(`\\b${name}\\b`).test(header.text)));
}

function alone(id: string): Alone {
  const text = textOf(`${id}.hpp`);
  const included = [...text.matchAll(includes)].map(([, name]) => name ?? '');
  const ours = included
    .filter((name) => name.startsWith('"'))
    .map((name) => alone(name.slice(1, -'.hpp"'.length)));
  const standard = included.filter((name) => name.startsWith('<'));
  return {
    id,
    text,
    standard: new Set([...standard, ...ours.flatMap((each) => [...each.standard])]),
    own: new Set([id, ...ours.flatMap((each) => [...each.own])]),
    names: [
      ...namesIn(text),
      ...[...text.matchAll(/^namespace (?!polya)(\w+)/gm)].map(([, name]) => name ?? ''),
    ],
  };
}

const declared =
  /^(?:(?:class|struct|enum class|enum|using)\s+(?<type>\w+)|(?:(?:inline|constexpr)\s+)*(?! )[\w:<>, ]+?[\s&*](?<value>\w+)(?:\(|\s*\{|\s*=))/gm;

/** What stands at the beginning of a line in `namespace polya`, outside of the namespaces in it. */
export function namesIn(header: string): string[] {
  const body = header.slice(header.indexOf('namespace polya {') + 'namespace polya {'.length);
  const own = body
    .replace(/^namespace (\w+) \{$[\s\S]*?^\} {2}\/\/ namespace \1$/gm, '')
    .replace(/^(?:namespace|template) .*/gm, '');
  return [...own.matchAll(declared)].map(({ groups }) => groups?.type ?? groups?.value ?? '');
}

/** Throws with the compiler's words. */
async function gxx(args: readonly string[]): Promise<void> {
  const { status, printed } = await run('g++', ['-std=c++20', ...args]);
  if (status !== 0) throw new Error(`g++ ${args.join(' ')}\n${printed}`);
}

const programs = ids.flatMap((id) =>
  ['test', 'example'].map((kind) => {
    const file = `${id}.${kind}.cpp`;
    return { name: `${id}.${kind}`, space: `${id}_${kind}`, file, text: textOf(file) };
  }),
);

function together(): string {
  const standard = programs.flatMap(({ text }) => [...text.matchAll(includes)].map(([, name]) => name ?? ''));
  return [
    ...ids.map((id) => `#include "${id}.hpp"`),
    ...[...new Set(standard.filter((name) => name.startsWith('<')))].sort().map((name) => `#include ${name}`),
    '#include <cstring>',
    ...programs.map(({ space, text, file }) => `namespace ${space} {\n${ownPart(text, file)}\n}`),
    'int main(int, char** arguments) {',
    ...programs.map(
      ({ name, space }) => `  if (!std::strcmp(arguments[1], "${name}")) return ${space}::run_();`,
    ),
    '  return 2;',
    '}\n',
  ].join('\n');
}

/** What it includes stands above, outside of the namespace. Only the real main ends with 0 by itself. */
function ownPart(text: string, name: string): string {
  const body = text
    .replaceAll(includes, '')
    .replace(/^int main\(\)(?= \{)/m, 'int run_()')
    .replace(/\n\}\s*((?:\/\/.*\s*)*)$/, '\n    return 0;\n}\n$1');
  if (!body.includes('int run_()')) throw new Error(`${name} has no "int main() {".`);
  return `#line 1 "${name}"\n${body}`;
}

function run(
  program: string,
  args: readonly string[],
): Promise<{ readonly status: number; readonly printed: string }> {
  return new Promise((resolve, reject) => {
    const options = { timeout: 560_000, maxBuffer: 16 * 2 ** 20 };
    execFile(program, [...args], options, (error, stdout, stderr) => {
      const code = error?.code;
      if (error && typeof code !== 'number' && !error.signal) reject(error);
      else
        resolve({
          status: error ? (typeof code === 'number' ? code : -1) : 0,
          printed: `${stdout}${stderr}`,
        });
    });
  });
}
