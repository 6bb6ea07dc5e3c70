/** Reads the files that a problem is made of. Its caller says how bytes are read. Pure. */
import { UserError } from '../../core/errors.ts';
import { linesInCode, type PosedProblem, problemsIn } from './problems.ts';

export type ProofFiles = {
  /**
   * The bytes of a file that the user has named, and not many more than `mostBytes` of them: of a longer one the
   * beginning. Throws `UserError` where it cannot be read.
   */
  readBytes(path: string, mostBytes: number): Promise<Uint8Array>;
};

export async function readProblems(files: ProofFiles, file: string): Promise<readonly PosedProblem[]> {
  return problemsIn(await readText(files, file, 'problem'), file);
}

/** Its lines that would divide its problems, did they not stand in blocks of code. From 1 on. */
export async function readLinesInCode(files: ProofFiles, file: string): Promise<readonly number[]> {
  return linesInCode(await readText(files, file, 'problem')).map(({ line }) => line);
}

const mostBytes = { problem: 2 ** 20, proof: 2 ** 20, rubric: 64 * 1_024, labels: 2 ** 20 };

export async function readText(
  files: ProofFiles,
  path: string,
  noun: keyof typeof mostBytes,
): Promise<string> {
  const file = { path, noun, mostBytes: mostBytes[noun] };
  return textOfFile(await files.readBytes(path, file.mostBytes), file);
}

type FileSort = {
  readonly path: string;
  /** What it is to hold: "problem". */
  readonly noun: string;
  readonly mostBytes: number;
};

/** The text, with every kind of line end as a newline. */
export function textOfFile(bytes: Uint8Array, file: FileSort): string {
  if (bytes.length > file.mostBytes) {
    const most =
      file.mostBytes >= 2 ** 20 ? `${file.mostBytes / 2 ** 20} MiB` : `${file.mostBytes / 1_024} KiB`;
    throw fileError(file, `It is larger than ${most}.`, `Name a file that holds the ${file.noun} alone.`);
  }
  assertTextFormat(bytes, file);
  const text = decoded(bytes, file).replaceAll(/\r\n?/g, '\n');
  if (text.trim() === '') throw fileError(file, 'It is empty.', `Write the ${file.noun} into it.`);
  assertReadableCharacters(text, file);
  return text;
}

/** What the first bytes of a file say that it is. */
const formats = {
  'a PDF': '%PDF-',
  'a ZIP archive, as .docx, .odt and .epub are': 'PK\x03\x04',
  RTF: '{\\rtf',
  PostScript: '%!PS',
  'an old Word document': '\xd0\xcf\x11\xe0',
  gzip: '\x1f\x8b',
  'a PNG picture': '\x89PNG',
  'a JPEG picture': '\xff\xd8\xff',
  DVI: '\xf7\x02',
};

function assertTextFormat(bytes: Uint8Array, file: FileSort): void {
  const start = String.fromCharCode(...bytes.subarray(0, 8));
  const format = Object.entries(formats).find(([, mark]) => start.startsWith(mark));
  if (format) {
    throw fileError(file, `It is ${format[0]}.`, 'Save its text as UTF-8, with the mathematics in TeX.');
  }
  if (start.startsWith('\xff\xfe') || start.startsWith('\xfe\xff') || hasEverySecondZero(bytes)) {
    const fix = 'Save it as UTF-8: `iconv -f UTF-16 -t UTF-8 OLD > NEW`.';
    throw fileError(file, 'It is written in UTF-16.', fix);
  }
  const zero = bytes.indexOf(0);
  if (zero < 0) return;
  throw fileError(file, `It is binary: its byte ${zero + 1} is zero.`, 'Name a text file.');
}

/** UTF-16 without a mark at its beginning. */
function hasEverySecondZero(bytes: Uint8Array): boolean {
  const start = bytes.subarray(0, 512);
  const zeros = [0, 0];
  for (const [index, byte] of start.entries()) if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  return start.length >= 4 && Math.max(even, odd) > start.length / 4 && Math.min(even, odd) === 0;
}

function decoded(bytes: Uint8Array, file: FileSort): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const good = validUtf8Length(bytes);
    const line = lineOf(new TextDecoder().decode(bytes.subarray(0, good)));
    const byte = (bytes[good] ?? 0).toString(16).toUpperCase();
    const what = isCutOff(bytes)
      ? 'it ends in the middle of a character'
      : `line ${line} holds the byte 0x${byte} where none such may stand`;
    const fix = 'Save it as UTF-8; from Latin-1: `iconv -f ISO-8859-1 -t UTF-8 OLD > NEW`.';
    throw fileError(file, `It is not UTF-8: ${what}.`, fix);
  }
}

/** The number of bytes at the beginning that are valid UTF-8. */
function validUtf8Length(bytes: Uint8Array): number {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const count = [0xef, 0xbf, 0xbd];
  let good = 0;
  for (const part of text.split('\ufffd')) {
    good += new TextEncoder().encode(part).length;
    if (count.some((byte, index) => bytes[good + index] !== byte)) break;
    good += count.length;
  }
  return good;
}

function isCutOff(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** Controls that no text holds, but for those of lines and pages. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const controls = /[\x00-\x08\x0e-\x1f\x7f]/;

function assertReadableCharacters(text: string, file: FileSort): void {
  const control = controls.exec(text);
  if (control) {
    const code = control[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    const where = `line ${lineOf(text.slice(0, control.index))}`;
    throw fileError(file, `It is no text: ${where} holds the control character U+${code}.`, 'Take it out.');
  }
  const lostCount = text.indexOf('\ufffd');
  if (lostCount < 0) return;
  const why = `Line ${lineOf(text.slice(0, lostCount))} holds the character U+FFFD: a program that decoded it wrongly has lost what stood there.`;
  throw fileError(file, why, 'Write there what was meant.');
}

function lineOf(before: string): number {
  return before.split('\n').length;
}

function fileError({ path, noun }: FileSort, why: string, fix: string): UserError {
  return new UserError({ code: 'file-unusable', what: `The ${noun} ${path} cannot be used.`, why, fix });
}
