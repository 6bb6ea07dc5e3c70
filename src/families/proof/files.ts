/** Reads the files that a problem is made of. How bytes are come by is its caller's affair. */

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

type Noun = 'problem' | 'proof' | 'rubric';

const mostBytes: Readonly<Record<Noun, number>> = {
  problem: 2 ** 20,
  proof: 2 ** 20,
  rubric: 64 * 1_024,
};

export async function readText(files: ProofFiles, path: string, noun: Noun): Promise<string> {
  const file: FileSort = { path, noun, mostBytes: mostBytes[noun] };
  return textOfFile(await files.readBytes(path, file.mostBytes), file);
}

export type FileSort = {
  readonly path: string;
  /** What it is to hold: "problem". */
  readonly noun: string;
  readonly mostBytes: number;
};

/** With lines that end in a newline, whatever they ended in. */
export function textOfFile(bytes: Uint8Array, file: FileSort): string {
  if (bytes.length > file.mostBytes) throw tooLarge(file);
  refuseOtherFormats(bytes, file);
  const text = decoded(bytes, file).replaceAll(/\r\n?/g, '\n');
  if (text.trim() === '') throw refusal(file, 'It is empty.', `Write the ${file.noun} into it.`);
  refuseCharacters(text, file);
  return text;
}

function tooLarge(file: FileSort): UserError {
  const most =
    file.mostBytes >= 2 ** 20 ? `${file.mostBytes / 2 ** 20} MiB` : `${file.mostBytes / 1_024} KiB`;
  return refusal(file, `It is larger than ${most}.`, `Name a file that holds the ${file.noun} alone.`);
}

/** What the first bytes of a file say that it is. */
const formats: readonly { readonly name: string; readonly bytes: readonly number[] }[] = [
  { name: 'a PDF', bytes: ascii('%PDF-') },
  { name: 'a ZIP archive, as .docx, .odt and .epub are', bytes: [0x50, 0x4b, 0x03, 0x04] },
  { name: 'RTF', bytes: ascii('{\\rtf') },
  { name: 'PostScript', bytes: ascii('%!PS') },
  { name: 'an old Word document', bytes: [0xd0, 0xcf, 0x11, 0xe0] },
  { name: 'gzip', bytes: [0x1f, 0x8b] },
  { name: 'a PNG picture', bytes: [0x89, 0x50, 0x4e, 0x47] },
  { name: 'a JPEG picture', bytes: [0xff, 0xd8, 0xff] },
  { name: 'DVI', bytes: [0xf7, 0x02] },
];

function refuseOtherFormats(bytes: Uint8Array, file: FileSort): void {
  const begins = (start: readonly number[]) => start.every((byte, index) => bytes[index] === byte);
  const format = formats.find((each) => begins(each.bytes));
  if (format)
    throw refusal(file, `It is ${format.name}.`, 'Save its text as UTF-8, with the mathematics in TeX.');
  if (begins([0xff, 0xfe]) || begins([0xfe, 0xff]) || hasEverySecondZero(bytes))
    throw refusal(
      file,
      'It is written in UTF-16.',
      'Save it as UTF-8: `iconv -f UTF-16 -t UTF-8 OLD > NEW`.',
    );
  const zero = bytes.indexOf(0);
  if (zero < 0) return;
  throw refusal(file, `It is binary: its byte ${zero + 1} is zero.`, 'Name a text file.');
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
    const good = goodUntil(bytes);
    const line = lineOf(new TextDecoder().decode(bytes.subarray(0, good)));
    const byte = (bytes[good] ?? 0).toString(16).toUpperCase();
    const what = isText(bytes, { isCutOff: true })
      ? 'it ends in the middle of a character'
      : `line ${line} holds the byte 0x${byte} where none such may stand`;
    throw refusal(
      file,
      `It is not UTF-8: ${what}.`,
      'Save it as UTF-8; from Latin-1: `iconv -f ISO-8859-1 -t UTF-8 OLD > NEW`.',
    );
  }
}

/** How many bytes at its beginning are whole characters. */
function goodUntil(bytes: Uint8Array): number {
  let good = 0;
  let bad = bytes.length + 1;
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (isText(bytes.subarray(0, middle), { isCutOff: true })) good = middle;
    else bad = middle;
  }
  while (!isText(bytes.subarray(0, good))) good -= 1;
  return good;
}

/** What is cut off may end in the middle of a character. */
function isText(bytes: Uint8Array, { isCutOff = false } = {}): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCutOff });
    return true;
  } catch {
    return false;
  }
}

/** Controls that no text holds, but for those of lines and pages. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const controls = /[\x00-\x08\x0e-\x1f\x7f]/;

function refuseCharacters(text: string, file: FileSort): void {
  const control = controls.exec(text);
  if (control) {
    const code = control[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    const where = `line ${lineOf(text.slice(0, control.index))}`;
    throw refusal(file, `It is no text: ${where} holds the control character U+${code}.`, 'Take it out.');
  }
  const lost = text.indexOf('\ufffd');
  if (lost < 0) return;
  throw refusal(
    file,
    `Line ${lineOf(text.slice(0, lost))} holds the character U+FFFD: a program that decoded it wrongly has lost what stood there.`,
    'Write there what was meant.',
  );
}

function lineOf(before: string): number {
  return before.split('\n').length;
}

function ascii(text: string): readonly number[] {
  return [...text].map((character) => character.charCodeAt(0));
}

function refusal({ path, noun }: FileSort, why: string, fix: string): UserError {
  return new UserError({ code: 'file-unusable', what: `The ${noun} ${path} cannot be used.`, why, fix });
}
