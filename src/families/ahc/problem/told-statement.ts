/**
 * The statement as models are told it: without the parts that say nothing of the task (tools, number of cases, the course
 * of the contest), with one sample, the beginning of its blocks, and no addresses. The workspace's file stays whole. Pure.
 */

type Block = { readonly kind: 'heading' | 'text' | 'code'; readonly text: string };

/** Headings whose parts are left out, in the words of contest pages. */
const idle =
  /^(?:ツール|配布ツール|ビジュアライザ|テストケース数|実行時間について|相対評価|tools?\b|(?:web )?visuali[sz]er|(?:the )?number of test ?cases|(?:about|notes? on) (?:the )?(?:execution|running) time|(?:about )?(?:the )?relative (?:evaluation|scoring))/i;
const sample =
  /^(?:sample (?:in|out)put|(?:in|out)put (?:example|sample)|[入出]力例|サンプル[入出]力)\s*(\d*)/i;
/** Sections on the course of the contest; the brief has the relevant part of them. */
const course =
  /システムテスト|プレテスト|最終順位|暫定順位|system tests?\b|provisional (?:test|rank|standing)|final (?:rank|standing)/i;
/** The story, if the task has a section of its own. */
const story = /^(?:story|background|ストーリー|背景)/i;
const task = /^#+\s+(?:problem statement|task|問題文?\s*$)/im;
/** What a rule of the task is written with. */
const formal = /\$|`|^\s*(?:[-*+]|\d+\.|\|)\s/m;

export function statementText(markdown: string): string {
  const hasTask = task.test(markdown);
  const kept: string[] = [];
  let leftOut = Number.POSITIVE_INFINITY;
  let [first, current]: [string | null, string | null] = [null, null];
  for (const { kind, text } of blocksOf(markdown)) {
    if (kind === 'heading') {
      const [, signs = '', title = ''] = /^(#{1,6})\s+(.*)$/.exec(text) ?? [];
      if (signs.length > leftOut) continue;
      const isIdle = idle.test(title) || (story.test(title) && hasTask);
      leftOut = isIdle ? signs.length : Number.POSITIVE_INFINITY;
      current = sample.exec(title)?.[1] ?? null;
      first ??= current;
      if (leftOut === Number.POSITIVE_INFINITY) kept.push(text);
    } else if (leftOut === Number.POSITIVE_INFINITY) {
      const told = kind === 'code' ? codeText(text, current, first) : plainText(text);
      if (told !== '') kept.push(told);
    }
  }
  return `${kept
    .filter((each, at) => !isEmptySample(each, kept[at + 1]))
    .join('\n\n')
    .trimEnd()}\n`;
}

/** Blank lines part them, but not within a fence. */
function blocksOf(markdown: string): readonly Block[] {
  const blocks: { kind: Block['kind']; lines: string[] }[] = [];
  let fence: string | null = null;
  let isOpen = false;
  for (const line of markdown.replaceAll('\r\n', '\n').split('\n')) {
    const mark: string | undefined = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== null) {
      blocks.at(-1)?.lines.push(line);
      if (mark?.startsWith(fence)) [fence, isOpen] = [null, false];
    } else if (mark !== undefined) {
      blocks.push({ kind: 'code', lines: [line] });
      fence = mark;
    } else if (/^#{1,6}\s/.test(line)) {
      blocks.push({ kind: 'heading', lines: [line] });
      isOpen = false;
    } else if (line.trim() === '') {
      isOpen = false;
    } else {
      if (!isOpen) blocks.push({ kind: 'text', lines: [] });
      blocks.at(-1)?.lines.push(line);
      isOpen = true;
    }
  }
  return blocks.map(({ kind, lines }) => ({ kind, text: lines.join('\n') }));
}

const [mostLines, shownLines, widest] = [15, 10, 200];

/** Nothing of a sample beyond the first; the beginning of a long one. */
function codeText(text: string, number: string | null, first: string | null): string {
  if (number === null) return text;
  if (number !== first) return '';
  const [open = '', ...lines] = text
    .split('\n')
    .map((line) => (line.length > widest ? `${line.slice(0, widest).toWellFormed()} …` : line));
  const inner = lines.slice(0, -1);
  if (inner.length <= mostLines) return [open, ...lines].join('\n');
  return [
    open,
    ...inner.slice(0, shownLines),
    `… ${inner.length - shownLines} more lines`,
    lines.at(-1),
  ].join('\n');
}

/** Links by their words; nothing where it is links alone, or speaks of the course of the contest alone. */
function plainText(text: string): string {
  if (course.test(text) && !formal.test(text)) return '';
  const link = /(?<!!)\[([^\]\n]{0,500})\]\(https?:[^)\s]{0,2000}\)|https?:\/\/[^\s)>\]]+/g;
  const isLinked = /https?:/.test(text);
  if (isLinked && text.replaceAll(link, '').replaceAll(/[\s*_()（）「」.:、。-]/g, '') === '') return '';
  return text.replaceAll(link, (_all, words: string | undefined) => words ?? '').trimEnd();
}

const isEmptySample = (text: string, next: string | undefined): boolean =>
  sample.test(text.replace(/^#+\s+/, '')) && /^#/.test(text) && (next === undefined || /^#/.test(next));
