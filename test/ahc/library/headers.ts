/**
 * The library's own C++ put together into few programs, because each compilation costs a second: every header, and the
 * mains of many tests or examples, each in a namespace of its own. That all of them stand in one file also proves that
 * headers do not collide when they are put into one solution.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleFile } from '../../../src/composition/ahc-bundle.ts';
import { bundledLibrary } from '../../../src/composition/ahc-library-folders.ts';
import { chosenSandbox } from '../../../src/sandbox/choose.ts';

export const ids: readonly string[] = readdirSync(bundledLibrary)
  .filter((name) => name.endsWith('.hpp'))
  .map((name) => name.slice(0, -'.hpp'.length))
  .sort();

export const textOf = (name: string): string => readFileSync(join(bundledLibrary, name), 'utf8');

/** `parts` of about the same size. */
export function divided<T>(all: readonly T[], parts: number): readonly (readonly T[])[] {
  return Array.from({ length: parts }, (_, part) => all.filter((_each, index) => index % parts === part));
}

export type Ran = { readonly id: string; readonly status: number; readonly printed: string };

/** The tests of some, compiled as one program; each has a process of its own, so that one that dies says which it was. */
export async function runTests(
  chosen: readonly string[],
  options: readonly string[],
): Promise<readonly Ran[]> {
  return inFolder(async (folder) => {
    const program = join(folder, 'main');
    writeFileSync(`${program}.cpp`, together(chosen, 'test'));
    await gxx([...options, '-I', bundledLibrary, `${program}.cpp`, '-o', program]);
    return Promise.all(chosen.map(async (id) => ({ id, ...(await run(program, [id])) })));
  });
}

/** The examples of some, as a solution gets there: bundled into one file, built and run in the sandbox. */
export async function runExamples(
  chosen: readonly string[],
  flags: readonly string[],
): Promise<readonly Ran[]> {
  const source = await inFolder(async (folder) => {
    writeFileSync(join(folder, 'main.cpp'), together(chosen, 'example'));
    return bundleFile({ folder, file: 'main.cpp', library: () => [bundledLibrary] }).text;
  });
  if (/^\s*#\s*include\s*"/m.test(source)) throw new Error('The bundle includes a file of ours.');
  const { signal } = new AbortController();
  const sandbox = chosenSandbox();
  const limits = { wallMs: 280_000, cpuMs: 280_000 };
  const build = { language: 'cpp' as const, source, flags, compileLimits: limits };
  const { executable, compile } = await sandbox.build(build, signal);
  if (executable === null) throw new Error(compile?.stderr.text);
  const ran: Ran[] = [];
  const cases = chosen.map((id) => ({ name: id, args: [id] }));
  await sandbox.batch(
    { executable, cases, workers: 1, limits: { wallMs: 60_000, cpuMs: 60_000 } },
    ({ name, step }) => {
      ran.push({ id: name, status: step.exitCode ?? -1, printed: `${step.stdout.text}${step.stderr.text}` });
    },
    signal,
  );
  return ran;
}

/** Throws where a header needs something that it does not include. */
export async function checkAlone(chosen: readonly string[], options: readonly string[]): Promise<void> {
  await inFolder(async (folder) => {
    const files = chosen.map((id) => join(folder, `${id}.cpp`));
    // As somebody includes it: a header that is compiled itself is warned of its `#pragma once`.
    for (const [at, id] of chosen.entries()) writeFileSync(files[at] ?? '', `#include "${id}.hpp"\n`);
    await gxx([...options, '-fsyntax-only', '-I', bundledLibrary, ...files]);
  });
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'polya-library-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Throws with the compiler's words. */
async function gxx(args: readonly string[]): Promise<void> {
  const { status, printed } = await run('g++', ['-std=c++20', ...args]);
  if (status !== 0) throw new Error(`g++ ${args.join(' ')}\n${printed}`);
}

const includes = /^[ \t]*#[ \t]*include[ \t]*([<"][^>"]+[>"]).*$/gm;

function together(chosen: readonly string[], kind: string): string {
  const programs = chosen.map((id) => ({ id, text: textOf(`${id}.${kind}.cpp`) }));
  const standard = programs.flatMap(({ text }) => [...text.matchAll(includes)].map(([, name]) => name ?? ''));
  return [
    ...ids.map((id) => `#include "${id}.hpp"`),
    ...[...new Set(standard.filter((name) => name.startsWith('<')))].sort().map((name) => `#include ${name}`),
    '#include <cstring>',
    ...programs.map(({ id, text }) => `namespace ${id}_${kind} {\n${ownPart(text, `${id}.${kind}.cpp`)}\n}`),
    'int main(int, char** arguments) {',
    ...chosen.map((id) => `  if (!std::strcmp(arguments[1], "${id}")) return ${id}_${kind}::run_();`),
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
    const options = { timeout: 280_000, maxBuffer: 16 * 2 ** 20 };
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
