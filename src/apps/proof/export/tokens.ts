/**
 * Markdown with TeX as the tokens of markdown-it, mathematics among them as tokens of type `math`. It is taken out before
 * Markdown is read, which would find lists and headings in it. HTML in the text is text: a model is not trusted.
 */
import { randomBytes } from 'node:crypto';
import MarkdownIt, { type Token } from 'markdown-it';
import { type Formula, splitMath } from './math.ts';

export type Written = { readonly tokens: readonly Token[]; readonly formulas: readonly Formula[] };

/** A model chooses no address: pictures and links stay as they were written. */
export const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false }).disable([
  'image',
  'link',
  'autolink',
  'reference',
]);

export function tokensOf(text: string): Written {
  const formulas: Formula[] = [];
  const stand = createPlaceholders(formulas);
  const source = splitMath(text)
    .map((textSegment) =>
      textSegment.type === 'math' ? stand.in(formulas.push(textSegment) - 1) : textSegment.text,
    )
    .join('');
  const tokens = markdown.parse(source, {}).map((token) => withFormulas(token, stand));
  return { tokens, formulas };
}

type Placeholders = ReturnType<typeof createPlaceholders>;

/** What stands for a formula while Markdown is read: of no meaning to it, and not to be guessed by a model. */
function createPlaceholders(formulas: readonly Formula[]) {
  const secret = randomBytes(12).toString('hex');
  const output = new RegExp(`\ue000${secret}x(\\d+)\ue001`);
  const formulaAt = (index: string) => formulas[Number(index)];
  return {
    formulaAt,
    in: (index: number) => `\ue000${secret}x${index}\ue001`,
    /** Alternates between texts and the numbers of formulas. */
    split: (text: string) => text.split(output),
    /** In code, and wherever no formula can be, the original text returns. */
    restored: (text: string) =>
      text.replaceAll(new RegExp(output, 'g'), (text, index) => formulaAt(index)?.source ?? text),
  };
}

function withFormulas(token: Token, stand: Placeholders): Token {
  token.content = stand.restored(token.content);
  token.info = stand.restored(token.info);
  token.children = token.children?.flatMap((child) => inlineTokens(child, stand)) ?? null;
  return token;
}

function inlineTokens(token: Token, stand: Placeholders): Token[] {
  if (token.type !== 'text') return [withFormulas(token, stand)];
  return stand.split(token.content).flatMap((part, at) => {
    if (part === '') return [];
    // Every second part is a number.
    const formula = at % 2 === 1 ? stand.formulaAt(part) : undefined;
    const created = Object.assign(Object.create(Object.getPrototypeOf(token)), token);
    return [
      formula
        ? Object.assign(created, { type: 'math', content: formula.tex, meta: formula })
        : Object.assign(created, { content: part }),
    ];
  });
}
