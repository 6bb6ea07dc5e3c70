/** What a page says to type, and what it shows of the output: blocks of Markdown, indented or fenced. */

export type Line = { readonly at: number; readonly text: string };
type Block = { readonly language: string | null; readonly lines: readonly Line[] };

const program =
  /^(?:[A-Z_]+=\S* )*(?:npx |\.\/)?(?:polya|ahc-agent|npm|vitest|docker|curl|createdb|cd|export|\.?\/?node_modules\/\S+) ?/;

/** Without comments, longer lines joined. */
export function linesOf(page: string): readonly Line[] {
  return blocksOf(page)
    .filter(({ language, lines }) => isTyped(language) && lines.some(({ text }) => program.test(text)))
    .flatMap(({ lines }) => joined(lines))
    .map(({ at, text }) => ({ at, text: text.replace(/\s+#\s.*$/, '').trim() }))
    .filter(({ text }) => text !== '');
}

/** Lines of output: those of fences without a language. `…` stands for what was left out. */
export function shownBy(page: string): readonly string[] {
  return blocksOf(page)
    .filter(({ language, lines }) => language === '' && !lines.some(({ text }) => /^(?:<!--|%%%)/.test(text)))
    .flatMap(({ lines }) => lines.map(({ text }) => text))
    .filter((text) => text.trim() !== '');
}

const isTyped = (language: string | null) => language === null || /^(?:sh|bash|console)$/.test(language);

function blocksOf(page: string): readonly Block[] {
  const blocks: { language: string | null; lines: Line[] }[] = [];
  let isFenced = false;
  let wasIndented = false;
  for (const [index, text] of page.split('\n').entries()) {
    const fence = /^ *```(\S*)/.exec(text);
    const isIndented = !isFenced && !fence && /^ {4}/.test(text) && text.trim() !== '';
    if (fence && !isFenced) blocks.push({ language: fence[1] ?? '', lines: [] });
    if (isIndented && !wasIndented) blocks.push({ language: null, lines: [] });
    if (isIndented || (isFenced && !fence)) {
      blocks.at(-1)?.lines.push({ at: index + 1, text: isIndented ? text.slice(4) : text });
    }
    if (fence) isFenced = !isFenced;
    wasIndented = isIndented;
  }
  return blocks;
}

function joined(lines: readonly Line[]): readonly Line[] {
  const whole: Line[] = [];
  for (const line of lines) {
    const before = whole.at(-1);
    if (before?.text.endsWith('\\'))
      whole[whole.length - 1] = { ...before, text: `${before.text.slice(0, -1)}${line.text.trim()}` };
    else whole.push(line);
  }
  return whole;
}
