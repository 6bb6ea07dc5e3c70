/** Programs in what models write: fenced blocks, closed or cut off, indented or not. Pure. */

type CodeBlock = {
  /** As the fence names it, in lower case; empty where it names none. */
  readonly language: string;
  readonly code: string;
  /** False where the text ends before the block does. */
  readonly isClosed: boolean;
  /** Where the block begins in the text, and ends, fences included. */
  readonly start: number;
  readonly end: number;
};

const opening = /^(?<indent>[ \t>]*)(?<fence>`{3,}(?!`)|~{3,}(?!~))[ \t]*(?<language>[\w+#.-]*)[^\n`]*$/;

export function codeBlocks(text: string): readonly CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let open: { fence: string; indent: string; language: string; start: number; lines: string[] } | null = null;
  let at = 0;
  for (const line of text.split('\n')) {
    const next = at + line.length + 1;
    if (open && isClosing(line, open.fence)) {
      blocks.push({ ...blockOf(open), isClosed: true, end: Math.min(next, text.length) });
      open = null;
    } else if (open) {
      open.lines.push(line.startsWith(open.indent) ? line.slice(open.indent.length) : line);
    } else {
      const { indent = '', fence, language = '' } = opening.exec(line.trimEnd())?.groups ?? {};
      if (fence) open = { fence, indent, language: language.toLowerCase(), start: at, lines: [] };
    }
    at = next;
  }
  if (open) blocks.push({ ...blockOf(open), isClosed: false, end: text.length });
  return blocks;
}

/** The block that is a Python program: of several the last that says so, else the last that says nothing. */
export function pythonIn(text: string): CodeBlock | null {
  const blocks = codeBlocks(text).filter(({ code }) => code.trim() !== '');
  return blocks.findLast(isPython) ?? blocks.findLast(({ language }) => language === '') ?? null;
}

/** The first such block: what a model writes behind its first action, it has not seen yet. */
export function firstPythonIn(text: string): CodeBlock | null {
  const blocks = codeBlocks(text).filter(({ code }) => code.trim() !== '');
  return blocks.find(isPython) ?? blocks.find(({ language }) => language === '') ?? null;
}

const isPython = ({ language }: CodeBlock): boolean =>
  /^(py|python|python3|ipython|tool_code)$/.test(language);

function isClosing(line: string, fence: string): boolean {
  const bare = line.replace(/^[ \t>]+/, '').trimEnd();
  return bare.length >= fence.length && [...bare].every((sign) => sign === fence[0]);
}

function blockOf({ language, start, lines }: { language: string; start: number; lines: string[] }) {
  return { language, start, code: lines.join('\n') };
}
