/** Reads what g++ and clang++ print. Of template instantiations, it keeps the step in the user's own file. Pure. */
import { cutLine, type Message } from './digest.ts';

type Draft = {
  readonly severity: Message['severity'];
  readonly head: string;
  readonly source: string[];
  readonly notes: string[][];
  readonly steps: string[];
};

const head =
  /^(?:(?<place>[^\s:][^:]*:(?:\d+:){0,2}) )?(?<severity>fatal error|error|warning|note|sorry, unimplemented|internal compiler error): (?<text>.*)$/;
const linkerError = /undefined reference to|multiple definition of|cannot find -l|relocation truncated/;
const step =
  /^(?<place>\S+:\d+:\d+):?\s+(?:recursively )?(?:required (?:from|by)|in ‘?constexpr’? expansion)/;
const clangStep = /^in (?:instantiation|call|evaluation|implicit|defaulted) |requested here$|^\(skipping \d+/;
/** What says no more than that something above went wrong. */
const echo =
  /^\d+ (?:warnings?|errors?)(?: and \d+ errors?)? generated\.$|^compilation terminated|ld returned \d+ exit|linker command failed/;
const [sourceLines, noteLimit] = [4, 2];
const longString = /std::basic_string<char(?:, std::char_traits<char>, std::allocator<char> ?)?>/g;
/** A longer text is a type that no model needs in full. */
const longestLine = 2_000;

export function readGnuMessages(text: string): readonly Message[] {
  const drafts: Draft[] = [];
  let steps: string[] = [];
  // Where lines that belong to nothing by themselves go.
  let open: string[] | null = null;
  for (const whole of text.split('\n')) {
    const line = whole.slice(0, longestLine);
    const { place = '', severity = '', text: words = '' } = head.exec(line)?.groups ?? {};
    const current = drafts.at(-1);
    if (echo.test(line) || echo.test(words)) open = null;
    else if (severity === 'note') {
      open = current === undefined ? null : noteOf(current, place, words);
      steps = [];
    } else if (severity !== '' || linkerError.test(line)) {
      const isWarning = severity === 'warning';
      open = [];
      drafts.push({ severity: isWarning ? 'warning' : 'error', head: line, source: open, notes: [], steps });
      steps = [];
    } else if (step.test(line)) {
      steps.push(step.exec(line)?.groups?.place ?? '');
      open = null;
    } else if (open !== null && /^\s+\d* \|/.test(line)) open.push(line);
    else open = null;
  }
  return drafts.map(messageOf);
}

/** Returns where the lines below it go. */
function noteOf({ notes, steps }: Draft, place: string, words: string): string[] | null {
  if (clangStep.test(words)) {
    // Notes without a place are left out.
    if (place !== '') steps.push(place.replace(/:$/, ''));
    return null;
  }
  // What begins with a blank explains the note above it.
  if (words.startsWith(' ') && notes.length > 0) return null;
  const note = [`${place} note: ${words.trim()}`];
  notes.push(note);
  return note;
}

function messageOf({ severity, head, source, notes, steps }: Draft): Message {
  const shownNotes = isOwn(head) || steps.length === 0 ? notes.slice(0, noteLimit) : [];
  const omitted = notes.length - shownNotes.length;
  const own = steps.findLast(isOwn);
  const away = steps.length - 1;
  const distance = away > 0 ? `, ${away} ${away === 1 ? 'step' : 'steps'} away` : '';
  const lines = [
    head,
    ...source.slice(0, sourceLines),
    ...(own === undefined ? [] : [`  needed by ${own}${distance}`]),
    ...shownNotes.map(([first = '']) => `  ${first}`),
    ...(omitted > 0 ? [`  (${omitted} ${omitted === 1 ? 'note' : 'notes'} omitted)`] : []),
  ];
  const short = lines.map((line) => cutLine(shorten(line)));
  return { severity, lines: short, cause: own };
}

/** Ours are named relative to the working folder, the system's from the root on. */
function isOwn(line: string): boolean {
  return line.startsWith('/box/') || !/^[/<]/.test(line);
}

/** Paths as one writes them in `#include`, types as one writes them in a program. */
function shorten(line: string): string {
  return line
    .replaceAll(/(?<![\w/<])\/[\w.+/-]+/g, shortenPath)
    .replace(/^ld: <?[\w.-]+\.o>?: in function/, 'ld: in function')
    .replaceAll('std::__cxx11::', 'std::')
    .replaceAll(longString, 'std::string')
    .replaceAll(' {aka ‘std::string’}', '')
    .replaceAll(/, std::allocator<[^<>]*> ?>/g, '>')
    .replaceAll(/ \[with [^\]]{120,}\]/g, ' [with …]');
}

function shortenPath(path: string): string {
  const names = path.split('/');
  const [, first, second] = names;
  if (first === 'box') return names.slice(2).join('/');
  if (first === 'run' && second === 'polya') return `<${names.slice(4).join('/')}>`;
  if (first === 'usr' && /^(?:[\w-]*-)?ld(?:\.\w+)?$/.test(names.at(-1) ?? '')) return 'ld';
  if (first === 'tmp') return names.at(-1) ?? path;
  const include = first === 'usr' ? names.lastIndexOf('include') : -1;
  return include < 0 ? path : `<${names.slice(headerFrom(names, include + 1)).join('/')}>`;
}

/** Behind `include`, some of: the machine, `c++`, its version, the machine. */
function headerFrom(names: readonly string[], start: number): number {
  const isRoot = (name: string) => /^(?:[\w]+-linux-[\w]+|c\+\+|v1|\d+(?:\.\d+)*)$/.test(name);
  const own = names.findIndex((name, index) => index >= start && !isRoot(name));
  return own < 0 ? names.length - 1 : own;
}
