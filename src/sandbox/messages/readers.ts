/** Readers of what compilers print, beside that of g++ and clang++ (gnu.ts). Pure. */
import { cutLine, type Message } from './digest.ts';

type Block = { readonly severity: Message['severity']; readonly lines: string[] };

/** Ends the message above and begins no other. */
type EndsBlock = (line: string, head: Readonly<Record<string, string>>) => boolean;

/** A message begins with a line that `head` matches, and goes on until `ends`; blank lines are left out. */
function readBlocks(text: string, head: RegExp, ends: EndsBlock, mostBelow = Number.POSITIVE_INFINITY) {
  const blocks: Block[] = [];
  let open: string[] | null = null;
  for (const line of text.split('\n')) {
    const found: Readonly<Record<string, string>> = head.exec(line.slice(0, 2_000))?.groups ?? {};
    if (ends(line, found)) open = null;
    else if (found.severity !== undefined) {
      open = [line];
      blocks.push({ severity: found.severity === 'warning' ? 'warning' : 'error', lines: open });
    } else if (open !== null && open.length <= mostBelow && line.trim() !== '') open.push(line);
  }
  return blocks;
}

const workingFolder = /\/(?:box|scratch\/box)\//g;

const lineHead =
  /^(?:(?<place>[^\s:(][^:(]*(?::\d+:\d+|\(\d+,\d+(?:,\d+,\d+)?\)): ))?(?:fatal )?(?<severity>error|exception|warning|info)(?: [A-Z]+\d+)?: /;
const lineEcho = /^(?:Compilation failed: |Compilation succeeded|exception: (?:WARN|INFO))/;

/** Compilers with one line each: Kotlin's `main.kt:2:22: error: …`, C#'s `main.cs(2,22): error CS0103: …`. */
export function readLineMessages(text: string): readonly Message[] {
  const ends: EndsBlock = (line, { severity }) => lineEcho.test(line) || severity === 'info';
  return readBlocks(text, lineHead, ends, 3).map(({ severity, lines }) => ({
    severity,
    lines: lines.map((line) => cutLine(line.replaceAll(workingFolder, ''))),
  }));
}

const rustHead = /^(?<severity>error|warning)(?:\[[A-Z]\d+\])?: (?<words>.*)$/;
/** What says no more than that something above went wrong. */
const rustEcho =
  /^(?:aborting due to|could not compile|build failed|\d+ warnings? emitted|`[^`]*` \([^)]*\) generated \d+ warning)/;
const rustAside = /^(?:Some errors have detailed|For more information about|note: run with|To learn more)/;
const cargoProgress =
  /^\s*(?:Compiling|Checking|Finished|Updating|Fresh|Running|Downloaded|Blocking|warning: build failed)\b/;
const mostRustLines = 16;

/** rustc and cargo; of cargo's own lines only its complaints are kept. */
export function readRustMessages(text: string): readonly Message[] {
  const ends: EndsBlock = (line, { words = '' }) =>
    rustAside.test(line) || cargoProgress.test(line) || rustEcho.test(words);
  return readBlocks(text, rustHead, ends).map(({ severity, lines }) => ({
    severity,
    lines: shortRust(lines),
  }));
}

function shortRust(lines: readonly string[]): readonly string[] {
  const clean = lines.filter((line) => line.trim() !== '|').map((line) => cutLine(cleanRustPaths(line)));
  const omitted = clean.length - mostRustLines;
  return omitted > 1 ? [...clean.slice(0, mostRustLines), `  (${omitted} lines omitted)`] : clean;
}

function cleanRustPaths(line: string): string {
  return line
    .replaceAll(workingFolder, '')
    .replaceAll('/usr/share/cargo/registry/', '')
    .replaceAll(/\/rustc\/[0-9a-f]+\//g, '');
}

const pythonPlace = /^\s*File "([^"]*)", line (\d+)/;
const pythonError = /^(?:\w+\.)*\w*(?:Error|Exception)(?:: |$)/;

/** Python's word on a source that it cannot compile, without the steps of our own script that come before. */
export function readPythonMessages(text: string): readonly Message[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const end = lines.findLastIndex((line) => pythonError.test(line));
  if (end < 0) return [];
  const start = lines.findLastIndex((line, index) => index < end && pythonPlace.test(line));
  const [, path = '', line = ''] = pythonPlace.exec(lines[start] ?? '') ?? [];
  const isLocal = path === '' || path.startsWith('<');
  const where = isLocal ? '' : `${path.replace(/^.*\//, '')}:${line}: `;
  const source = isLocal ? [] : lines.slice(start + 1, end);
  return [{ severity: 'error', lines: [`${where}${lines[end] ?? ''}`, ...source].map(cutLine) }];
}
