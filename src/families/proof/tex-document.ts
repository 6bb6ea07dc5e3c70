/**
 * The text of a complete LaTeX document: its body, without the commands of its title page, below those definitions of
 * its preamble that the body uses. Any other text is returned as it is. Pure.
 */
export type TexDocument = {
  /** Empty where the document has no `\title`. */
  readonly title: string;
  readonly text: string;
};

export function readTexDocument(source: string): TexDocument {
  const start = firstOutsideComments(source, /\\begin[ \t]{0,9}\{document\}/g);
  if (!start) return { title: '', text: source };
  const preamble = source.slice(0, start.index);
  const inside = source.slice(start.index + start[0].length);
  const body = inside.slice(0, firstOutsideComments(inside, /\\end[ \t]{0,9}\{document\}/g)?.index);
  const titlePage = commands(body, titleCommands);
  const title = [...commands(preamble, titleCommands), ...titlePage].find(({ name }) => name === 'title');
  const text = without(body, titlePage).replaceAll(/\\(?:maketitle|tableofcontents)\b[ \t]*\n?/g, '');
  const definitions = commands(preamble, definitionCommands)
    .filter(({ defined }) => defined !== '' && text.includes(defined))
    .map(({ source: definition }) => definition);
  return {
    title: plainTitle(title?.argument ?? ''),
    text: [...definitions, text.trim()].join('\n'),
  };
}

/** The first line of a TeX text that is neither a heading nor a command on a line of its own. */
export function firstTexLine(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  return (
    lines.find((line) => line !== '' && !/^(?:%|\\(?:[a-zA-Z]+\*?)(?:\[[^\]]*\]|\{[^{}]*\})*$)/.test(line)) ??
    ''
  );
}

const titleCommands =
  /\\(title|author|date|thanks|pagestyle|thispagestyle)\b[ \t]{0,9}(?:\[[^\]\n]{0,200}\])?(?=\{)/g;
const definitionCommands =
  /\\(newcommand|renewcommand|providecommand|DeclareMathOperator)\*?[ \t]{0,9}\{?(\\[a-zA-Z]+|\\.)\}?(?:\[[^\]\n]{0,200}\]){0,2}(?=\{)|\\(def)(\\[a-zA-Z]+)[^{\n]{0,40}(?=\{)/g;

type Command = {
  readonly name: string;
  /** The command that it defines, if it defines one. */
  readonly defined: string;
  readonly argument: string;
  readonly source: string;
  readonly index: number;
};

/** Commands with an argument in braces, outside of comments. */
function commands(text: string, pattern: RegExp): Command[] {
  return [...text.matchAll(pattern)].flatMap((match) => {
    const open = match.index + match[0].length;
    const close = findClosingBrace(text, open);
    if (close === null || isInComment(text, match.index)) return [];
    const [, name = '', defined = '', otherName = '', otherDefined = ''] = match;
    return [
      {
        name: name || otherName,
        defined: defined || otherDefined,
        argument: text.slice(open + 1, close),
        source: text.slice(match.index, close + 1),
        index: match.index,
      },
    ];
  });
}

function firstOutsideComments(text: string, pattern: RegExp): RegExpExecArray | undefined {
  return [...text.matchAll(pattern)].find(({ index }) => !isInComment(text, index));
}

/** A line and an argument are not read any further than this, so that no text takes long. */
const maxLength = 2_000;

function isInComment(text: string, index: number): boolean {
  const before = text.slice(Math.max(0, index - maxLength), index);
  return /(?<!\\)%/.test(before.slice(before.lastIndexOf('\n') + 1));
}

function findClosingBrace(text: string, open: number): number | null {
  let depth = 0;
  for (let index = open; index < Math.min(text.length, open + maxLength); index += 1) {
    const character = text[index];
    if (character === '\\') index += 1;
    else if (character === '{') depth += 1;
    else if (character === '}') {
      depth -= 1;
      if (depth === 0) return index;
    }
  }
  return null;
}

function without(text: string, removed: readonly Command[]): string {
  const kept: string[] = [];
  let position = 0;
  for (const { index, source } of removed) {
    if (index < position) continue;
    kept.push(text.slice(position, index));
    position = index + source.length;
  }
  return [...kept, text.slice(position)].join('');
}

/** `IMO 2025 \\ Problem 1` → `IMO 2025 Problem 1` */
function plainTitle(argument: string): string {
  return argument
    .replaceAll(/\\\\(?:\[[^\]]*\])?|~/g, ' ')
    .replaceAll(/\\(?:textbf|textit|emph|large|Large|LARGE|huge|bfseries|thanks)\b\s*/g, '')
    .replaceAll(/(?<!\\)[{}]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
