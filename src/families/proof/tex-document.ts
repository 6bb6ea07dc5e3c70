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
  const start = /^[^%\n]*?\\begin[ \t]*\{document\}/m.exec(source);
  if (!start) return { title: '', text: source };
  const preamble = source.slice(0, start.index);
  const end = /^[^%\n]*?\\end[ \t]*\{document\}/m.exec(source.slice(start.index));
  const body = source.slice(
    start.index + start[0].length,
    end ? start.index + end.index + end[0].lastIndexOf('\\end') : undefined,
  );
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

const titleCommands = /\\(title|author|date|thanks|pagestyle|thispagestyle)\b[ \t]*(?:\[[^\]\n]*\])?(?=\{)/g;
const definitionCommands =
  /\\(newcommand|renewcommand|providecommand|DeclareMathOperator)\*?[ \t]*\{?(\\[a-zA-Z]+|\\.)\}?(?:\[[^\]\n]*\]){0,2}(?=\{)|\\(def)(\\[a-zA-Z]+)[^{\n]{0,40}(?=\{)/g;

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
    const close = closingBrace(text, open);
    const line = text.slice(text.lastIndexOf('\n', match.index) + 1, match.index);
    if (close === null || /(?<!\\)%/.test(line)) return [];
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

function closingBrace(text: string, open: number): number | null {
  let depth = 0;
  for (let index = open; index < text.length; index += 1) {
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
  let remaining = text;
  for (const { index, source } of removed.toReversed())
    remaining = remaining.slice(0, index) + remaining.slice(index + source.length);
  return remaining;
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
