/** Reads and checks the program of `polya exec`, its files and its input. */
import { basename, extname, resolve } from 'node:path';
import { UserError } from '../../core/errors.ts';
import type { LanguageId, Program, SandboxInfo } from '../../core/sandbox.ts';
import { codeOf, decodeUtf8, mostTextBytes, readEndingSync } from '../../io/plain-file.ts';
import type { Shell } from '../contract.ts';
import type { BackendOption } from '../options.ts';
import { readable } from '../readable.ts';

type Amount = 'time' | 'cpu' | 'memory' | 'processes' | 'disk' | 'output' | 'files' | 'compileTime';

export type ExecOptions = BackendOption &
  Partial<Readonly<Record<'lang' | 'toolchain' | 'stdin', string>>> &
  Partial<Readonly<Record<Amount, number>>> & {
    readonly file?: readonly string[];
    readonly json?: boolean;
  };

type ProgramWithInput = { readonly program: Program; readonly stdin: Uint8Array };

const ownInput = '-';

/** The program's own toolchain, before its source is compiled in vain. */
export function assertToolchain({ toolchains }: SandboxInfo, { language, toolchain }: Program): void {
  const existing = toolchains.filter((each) => each.language === language).map(({ name }) => name);
  if (toolchain === undefined || existing.length === 0 || existing.includes(toolchain)) return;
  throw new UserError({
    code: 'no-toolchain',
    what: `There is no toolchain ${toolchain} for ${language} here.`,
    fix: `There are: ${existing.join(', ')}.`,
  });
}

export async function readGiven(shell: Shell, path: string, options: ExecOptions): Promise<ProgramWithInput> {
  const { lang, toolchain, stdin } = options;
  if (path === ownInput && stdin === ownInput) {
    throw new UserError({
      code: 'options-conflict',
      what: 'Standard input cannot be both the program and its input.',
      fix: 'Name a file for one of them.',
    });
  }
  const program = await readProgram(shell, path, lang);
  return {
    program: { ...program, toolchain, files: filesOf(shell, options) },
    stdin: stdin === undefined ? new Uint8Array() : await readFrom(shell, stdin, 'input'),
  };
}

async function readProgram(shell: Shell, path: string, named: string | undefined): Promise<Program> {
  const language = named === undefined ? languageOf(path) : knownLanguage(named);
  const bytes = await readFrom(shell, path, 'program');
  const text = bytes.includes(0) ? null : decodeUtf8(bytes);
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
function readInput(path: string, text: string, noun: string): Uint8Array {
  const what = `The ${noun} ${text}`;
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

/** Throws what the system says where it cannot be read. */
export function readBounded(path: string, name: string): Uint8Array {
  try {
    return readEndingSync(path);
  } catch (error) {
    throw codeOf(error) === 'EFBIG' ? tooLong(name) : error;
  }
}

/** The same of a stream. */
export async function gatherBounded(parts: AsyncIterable<Uint8Array>, text: string): Promise<Uint8Array> {
  const gathered: Uint8Array[] = [];
  let total = 0;
  for await (const part of parts) {
    total += part.length;
    if (total > mostTextBytes) throw tooLong(text);
    gathered.push(part);
  }
  return Buffer.concat(gathered);
}

function tooLong(told: string): UserError {
  return new UserError({
    code: 'too-long',
    what: `${told} is too long for a program in the sandbox.`,
    why: `It has more than ${mostTextBytes / 2 ** 20} MiB, or no end.`,
    fix: 'Name a shorter one, or let the program make its input itself.',
  });
}
