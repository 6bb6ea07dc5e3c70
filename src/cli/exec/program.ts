/** Reads and checks the input of `polya exec`. Cases of a folder are NAME.in, else NAME.txt; answers NAME.out or NAME.ans. */
import { readdirSync } from 'node:fs';
import { basename, extname, join, parse, resolve } from 'node:path';
import { UserError } from '../../core/errors.ts';
import type { LanguageId, Program, SandboxInfo } from '../../core/sandbox.ts';
import { utf8Text } from '../../io/plain-file.ts';
import type { Shell } from '../contract.ts';
import { readable } from '../readable.ts';
import { readBounded } from './input.ts';
import type { ExecOptions } from './options.ts';

export type NamedCase = {
  readonly name: string;
  readonly input: string;
  /** The file with the right output; null where there is none. */
  readonly expected: string | null;
};

export type Given = {
  readonly program: Program;
  readonly tester: Program | null;
  readonly stdin: Uint8Array;
  /** Null: one run with `stdin`. */
  readonly cases: readonly NamedCase[] | null;
};

const ownInput = '-';

export function refuseContradictions(file: string, options: ExecOptions, hasArguments: boolean): void {
  const { stdin, cases, tester, check, workers, talks, testerLang } = options;
  const contradictions: readonly (readonly [isSo: boolean | undefined, what: string])[] = [
    [file === ownInput && stdin === ownInput, 'Standard input cannot be both the program and its input.'],
    [stdin !== undefined && cases !== undefined, 'The input is either one file or a folder of cases.'],
    [check && Boolean(cases ?? tester), '--check runs nothing, so it takes no cases and no tester.'],
    [workers !== undefined && cases === undefined, '--workers is for many cases: it needs --cases.'],
    [talks === 'relay' && tester === undefined, '--talks says how a tester talks: it needs --tester.'],
    [testerLang !== undefined && tester === undefined, '--tester-lang needs --tester.'],
    [
      tester !== undefined && hasArguments,
      'Beside a tester a program has no arguments: those of a case are the tester’s.',
    ],
  ];
  const found = contradictions.find(([isSo]) => isSo);
  if (!found) return;
  throw new UserError({ code: 'options-conflict', what: found[1], fix: 'Leave one of them out.' });
}

/** The program's own toolchain, before its source is compiled in vain. */
export function refuseMissing({ toolchains }: SandboxInfo, { language, toolchain }: Program): void {
  const there = toolchains.filter((each) => each.language === language).map(({ name }) => name);
  if (toolchain === undefined || there.length === 0 || there.includes(toolchain)) return;
  throw new UserError({
    code: 'no-toolchain',
    what: `There is no toolchain ${toolchain} for ${language} here.`,
    fix: `There are: ${there.join(', ')}.`,
  });
}

export async function readGiven(shell: Shell, path: string, options: ExecOptions): Promise<Given> {
  const { lang, toolchain, tester, testerLang, cases, stdin } = options;
  const program = await readProgram(shell, path, lang);
  return {
    program: { ...program, toolchain, files: filesOf(shell, options) },
    tester: tester === undefined ? null : await readProgram(shell, tester, testerLang),
    stdin: stdin === undefined ? new Uint8Array() : await readFrom(shell, stdin, 'input'),
    cases: cases === undefined ? null : casesIn(shell, cases),
  };
}

async function readProgram(shell: Shell, path: string, named: string | undefined): Promise<Program> {
  const language = named === undefined ? languageOf(path) : knownLanguage(named);
  const bytes = await readFrom(shell, path, 'program');
  const text = bytes.includes(0) ? null : utf8Text(bytes);
  if (text !== null) return { language, source: text };
  throw new UserError({
    code: 'no-source',
    what: `${path === ownInput ? 'What came on standard input' : path} is no source text.`,
    why: bytes.includes(0) ? 'It holds zero bytes: it is a binary file.' : 'It is no UTF-8 text.',
    fix: 'Name the source, not what it was compiled to.',
  });
}

/** `NAME=PATH`, or a path whose last part is the name. */
function filesOf(shell: Shell, { file = [] }: ExecOptions): NonNullable<Program['files']> {
  return Object.fromEntries(
    file.map((value) => {
      const [, name, path = value] = /^([^=]+)=(.+)$/s.exec(value) ?? [];
      return [name ?? basename(path), readInput(resolve(shell.folder, path), path, 'file')];
    }),
  );
}

async function readFrom(shell: Shell, path: string, noun: string): Promise<Uint8Array> {
  return path === ownInput ? shell.readInput() : readInput(resolve(shell.folder, path), path, noun);
}

/** `told`: as its user wrote it. */
export function readInput(path: string, told = path, noun = 'file'): Uint8Array {
  const what = `The ${noun} ${told}`;
  return readable(what, () => readBounded(path, what));
}

const extensions: Readonly<Record<LanguageId, readonly string[]>> = {
  python: ['.py'],
  cpp: ['.cpp', '.cc', '.cxx', '.c++', '.C'],
  kotlin: ['.kt'],
  csharp: ['.cs'],
  rust: ['.rs'],
};
const languages = Object.keys(extensions) as readonly LanguageId[];

function languageOf(file: string): LanguageId {
  const found = languages.find((language) => extensions[language].includes(extname(file)));
  if (found) return found;
  const known = languages.map((language) => `${extensions[language][0]} (${language})`).join(', ');
  throw new UserError({
    code: 'language-unclear',
    what:
      file === ownInput
        ? 'Nothing says in which language the program on standard input is.'
        : `The name ${JSON.stringify(basename(file))} does not say in which language it is.`,
    why: `Names that do end with ${known}.`,
    fix: 'Name it with --lang.',
  });
}

function knownLanguage(name: string): LanguageId {
  const found = languages.find((language) => language === name || extensions[language].includes(`.${name}`));
  if (found) return found;
  throw new UserError({
    code: 'no-such-language',
    what: `${JSON.stringify(name)} is not a language that the sandbox knows.`,
    fix: `It knows: ${languages.join(', ')}.`,
  });
}

function casesIn(shell: Shell, path: string): readonly NamedCase[] {
  const folder = resolve(shell.folder, path);
  const entries = readable(`The folder of cases ${path}`, () => readdirSync(folder, { withFileTypes: true }));
  const names = entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name);
  const inputs = names.filter((name) => name.endsWith('.in'));
  const chosen = inputs.length > 0 ? inputs : names.filter((name) => name.endsWith('.txt'));
  if (chosen.length === 0) {
    throw new UserError({
      code: 'no-cases',
      what: `There are no cases in ${path}.`,
      why: 'A case is a file NAME.in or NAME.txt; what should come out may stand beside it as NAME.out or NAME.ans.',
      fix: 'Name a folder that has some.',
    });
  }
  const there = new Set(names);
  return chosen
    .toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .map((file) => {
      const { name } = parse(file);
      const answer = [`${name}.out`, `${name}.ans`].find((each) => there.has(each));
      return { name, input: join(folder, file), expected: answer ? join(folder, answer) : null };
    });
}
