/** The program of `polya exec` and what lies beside it: read from files, and checked, before anything is executed. */
import { basename, extname, resolve } from 'node:path';
import { UserError } from '../../core/errors.ts';
import type { LanguageId, Program, ProgramFiles, SandboxInfo, Toolchain } from '../../core/sandbox.ts';
import type { Shell } from '../contract.ts';
import { readBounded } from './input.ts';
import type { ExecOptions } from './options.ts';

const extensions: Readonly<Record<LanguageId, readonly string[]>> = {
  python: ['.py'],
  cpp: ['.cpp', '.cc', '.cxx', '.c++', '.C'],
  kotlin: ['.kt'],
  csharp: ['.cs'],
  rust: ['.rs'],
};
const languages = Object.keys(extensions) as readonly LanguageId[];
const ownInput = '-';

/** `language` names it where its name does not. */
export async function readProgram(
  shell: Shell,
  file: string,
  { lang, toolchain }: { lang: string | undefined; toolchain: string | undefined },
): Promise<Program> {
  const language = lang === undefined ? languageOf(file) : knownLanguage(lang);
  const bytes = file === ownInput ? await shell.readInput() : read(shell, file, 'program');
  return { language, source: sourceIn(bytes, file), ...(toolchain === undefined ? {} : { toolchain }) };
}

/** Where none is named, a program that reads finds nothing. */
export async function readStdin(shell: Shell, { stdin }: ExecOptions): Promise<Uint8Array> {
  if (stdin === undefined) return new Uint8Array();
  return stdin === ownInput ? shell.readInput() : read(shell, stdin, 'input');
}

/** `NAME=PATH`, or a path whose last part is the name. */
export function readFiles(shell: Shell, { file = [] }: ExecOptions): ProgramFiles {
  const named = file.map((value) => {
    const { name, path } = /^(?<name>[^=]+)=(?<path>.+)$/s.exec(value)?.groups ?? { path: value };
    return [name ?? basename(path ?? ''), read(shell, path ?? '', 'file')] as const;
  });
  return Object.fromEntries(named);
}

/** Options that contradict one another. */
export function refuseContradictions(file: string, options: ExecOptions, hasArguments: boolean): void {
  const { stdin, cases, tester, check, workers } = options;
  const contradiction = [
    [file === ownInput && stdin === ownInput, 'Standard input cannot be both the program and its input.'],
    [stdin !== undefined && cases !== undefined, 'The input is either one file or a folder of cases.'],
    [
      check && (cases !== undefined || tester !== undefined),
      '--check runs nothing, so it takes no cases and no tester.',
    ],
    [workers !== undefined && cases === undefined, '--workers is for many cases: it needs --cases.'],
    [
      options.talks === 'relay' && tester === undefined,
      '--talks says how a tester talks: it needs --tester.',
    ],
    [options.testerLang !== undefined && tester === undefined, '--tester-lang needs --tester.'],
    [
      tester !== undefined && hasArguments,
      'Beside a tester a program has no arguments: those of a case are the tester’s.',
    ],
  ].find(([isSo]) => isSo);
  if (!contradiction) return;
  throw new UserError({
    code: 'options-conflict',
    what: String(contradiction[1]),
    fix: 'Leave one of them out.',
  });
}

/** The one that compiles or runs it. */
export function toolchainOf(
  { toolchains }: SandboxInfo,
  { language, toolchain }: Program,
): Toolchain | undefined {
  return toolchains.find(
    (each) => each.language === language && (toolchain === undefined || each.name === toolchain),
  );
}

/** Before its source is compiled in vain. */
export function refuseMissing({ toolchains }: SandboxInfo, { language, toolchain }: Program): void {
  const there = toolchains.filter((each) => each.language === language).map(({ name }) => name);
  if (toolchain === undefined || there.length === 0 || there.includes(toolchain)) return;
  throw new UserError({
    code: 'no-toolchain',
    what: `There is no toolchain ${toolchain} for ${language} here.`,
    fix: `There are: ${there.join(', ')}.`,
  });
}

function languageOf(file: string): LanguageId {
  const extension = extname(file);
  const found = languages.find((language) => extensions[language].includes(extension));
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

function sourceIn(bytes: Uint8Array, file: string): string {
  const what = file === ownInput ? 'What came on standard input' : file;
  if (bytes.includes(0)) throw noSource(what, 'It holds zero bytes: it is a binary file.');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw noSource(what, 'It is no UTF-8 text.');
  }
}

function noSource(what: string, why: string): UserError {
  return new UserError({
    code: 'no-source',
    what: `${what} is no source text.`,
    why,
    fix: 'Name the source, not what it was compiled to.',
  });
}

function read(shell: Shell, path: string, noun: string): Uint8Array {
  try {
    return readBounded(resolve(shell.folder, path), `The ${noun} ${path}`);
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw unreadable(path, noun, error);
  }
}

export function unreadable(path: string, noun: string, error: unknown): UserError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: 'There is nothing of that name.',
    ENOTDIR: 'It is no folder.',
    EISDIR: 'It is a folder.',
    EACCES: 'It is not open to you.',
  };
  return new UserError({
    code: 'file-unreadable',
    what: `The ${noun} ${path} cannot be read.`,
    why: reasons[code] ?? (error instanceof Error ? `${error.message}.` : String(error)),
    fix: 'Name one that is there.',
  });
}
