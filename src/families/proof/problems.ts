/**
 * The problems of one file. Each but a lonely one begins behind a line of its own that is a comment in the language of
 * the file, so that the file still reads and compiles as it did:
 *
 *     <!-- problem: NAME -->        %%% problem: NAME
 *
 * Nothing else divides: headings, rules and page breaks are the problem's own. The line stands at the margin; indented,
 * or in a block of code, it is text; where a fence may have been forgotten, the file is refused. What stands before the first
 * one (notation, definitions) belongs to all of them. Pure.
 */
import { UserError } from '../../core/errors.ts';
import { titleFrom } from '../../text/format.ts';
import { firstTexLine, readTexDocument } from './tex-document.ts';

export type PosedProblem = {
  /** From 1, in the order of the file. */
  readonly number: number;
  /** Empty where its line names none. */
  readonly name: string;
  /** Its name, else its own first line. */
  readonly title: string;
  readonly text: string;
};

export function problemsIn(text: string, file: string): readonly PosedProblem[] {
  assertUnambiguous(text, file);
  const document = readTexDocument(text);
  const [before = '', ...parts] = splitProblems(document.text);
  const problems =
    parts.length === 0
      ? [{ number: 1, name: '', title: titleOf(document.title, before), text: before.trim() }]
      : named(before, parts);
  assertUniqueNames(problems, file);
  const empty = problems.find((problem) => problem.text === '');
  if (!empty) return problems;
  throw new UserError({
    code: 'problem-empty',
    what: `The problem ${labelOf(empty)} of ${file} is empty.`,
    fix: 'Write it below its line, or take the line out.',
  });
}

/** By its name, else by its number. All of them where none is named: it is the caller's to say which. */
export function problemOf(
  problems: readonly PosedProblem[],
  requested: string | number | undefined,
  file: string,
): PosedProblem {
  const [only, ...siblings] = problems;
  if (requested === undefined && only && siblings.length === 0) return only;
  const found = requested === undefined ? undefined : numberedOrNamed(problems, String(requested));
  if (found) return found;
  const number = problems.length === 1 ? 'one problem' : `${problems.length} problems`;
  throw new UserError({
    code: 'problem-not-chosen',
    what: requested === undefined ? `${file} holds ${number}.` : `${file} holds no problem ${requested}.`,
    why: requested === undefined ? 'Which of them is meant, is not said.' : `It holds ${number}.`,
    fix: `Name one by its name or its number: ${problems.map(labelOf).join(', ')}.`,
  });
}

function numberedOrNamed(problems: readonly PosedProblem[], wanted: string): PosedProblem | undefined {
  return (
    problems.find(({ name }) => name !== '' && fold(name) === fold(wanted)) ??
    problems.find(({ number }) => `${number}` === wanted.trim())
  );
}

/** `2 (Ceva)` */
export function labelOf({ number, name }: Pick<PosedProblem, 'number' | 'name'>): string {
  return name === '' ? `${number}` : `${number} (${name})`;
}

/** A word alone is a line's own; a name needs its colon, a number does not: prose in a comment divides nothing. */
const inside = String.raw`problem[ \t]*(?::[ \t]*(.*?)|[ \t](\d+))?`;
const marker = new RegExp(`^(?:<!--[ \\t]*${inside}[ \\t]*-->|%{3,}[ \\t]*${inside})[ \\t]*$`, 'gim');

type ProblemPart = { readonly name: string; readonly text: string };

/** Lines that would divide if they did not stand in a block of code, and where that begins. Of the file, from 1 on. */
export function linesInCode(text: string): readonly { line: number; begins: number; isDoubtful: boolean }[] {
  const blocks = codeBlocks(text);
  return [...text.matchAll(marker)].flatMap(({ index }) => {
    const block = blockAt(blocks, index);
    if (!block) return [];
    return [{ line: lineOf(text, index), begins: lineOf(text, block.start), isDoubtful: block.isDoubtful }];
  });
}

function assertUnambiguous(text: string, file: string): void {
  const doubt = linesInCode(text).find(({ isDoubtful }) => isDoubtful);
  if (!doubt) return;
  throw new UserError({
    code: 'problem-line-unclear',
    what: `It cannot be told whether line ${doubt.line} of ${file} divides its problems.`,
    why: `It stands in the block of code that line ${doubt.begins} opens, but the fences of the file do not pair: one of them was not closed.`,
    fix: `Close the block before line ${doubt.line}, or indent that line if it is the problem's own text.`,
  });
}

function blockAt(blocks: readonly Block[], index: number): Block | undefined {
  return blocks.find(({ start, end }) => start < index && index < end);
}

function lineOf(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}

function splitProblems(text: string): readonly [string, ...ProblemPart[]] {
  const blocks = codeBlocks(text);
  const lines = [...text.matchAll(marker)].filter(({ index }) => !blockAt(blocks, index));
  const parts = lines.map((line, index): ProblemPart => {
    const name = line.slice(1).find((group) => group !== undefined) ?? '';
    return { name: name.trim(), text: text.slice(line.index + line[0].length, lines[index + 1]?.index) };
  });
  return [text.slice(0, lines[0]?.index), ...parts];
}

function named(before: string, pieces: readonly ProblemPart[]): PosedProblem[] {
  const common = before.trim();
  return pieces.map(({ name, text }, index) => {
    const own = text.trim();
    return {
      number: index + 1,
      name,
      title: titleOf(name, own),
      text: own && common ? `${common}\n\n${own}` : own,
    };
  });
}

/** Without what marks a line as a heading. */
function titleOf(name: string, text: string): string {
  const [first = ''] = text.trim().split('\n');
  const line = name || (/^[\\%]/.test(first) ? firstTexLine(text) : first.replace(/^[#>*\s]+/, ''));
  return titleFrom(line) || 'A problem';
}

function assertUniqueNames(problems: readonly PosedProblem[], file: string): void {
  const seen = new Set<string>();
  for (const { name } of problems) {
    if (name !== '' && seen.has(fold(name)))
      throw new UserError({
        code: 'problem-name-twice',
        what: `${file} holds two problems named ${name}.`,
        fix: 'Rename one of them.',
      });
    seen.add(fold(name));
  }
}

function fold(name: string): string {
  return name.trim().toLowerCase();
}

export type Block = {
  readonly start: number;
  readonly end: number;
  /**
   * Its fences may pair otherwise than they do: one that opens a block stands in it, or one behind it never closes. Then
   * its own opening one may be one that was not closed.
   */
  readonly isDoubtful: boolean;
};

type Open = { readonly mark: string; readonly start: number; hasOpening: boolean };

export function codeBlocks(text: string): readonly Block[] {
  const blocks: Block[] = [];
  let open: Open | null = null;
  for (const { groups, index, 0: line } of text.matchAll(
    /^ {0,3}(?<mark>`{3,}(?!.*`)|~{3,})(?<rest>.*)$/gm,
  )) {
    const { mark = '', rest = '' } = groups ?? {};
    if (open === null) open = { mark, start: index, hasOpening: false };
    else if (mark[0] !== open.mark[0] || mark.length < open.mark.length) continue;
    else if (rest.trim() !== '') open.hasOpening = true;
    else {
      blocks.push({ start: open.start, end: index + line.length, isDoubtful: open.hasOpening });
      open = null;
    }
  }
  return open === null ? blocks : blocks.map((block) => ({ ...block, isDoubtful: true }));
}
