/**
 * Markdown with TeX as the tokens of markdown-it, mathematics among them as tokens of type `math`. It is taken out before
 * Markdown is read, which would find lists and headings in it. HTML in the text is text: a model is not trusted.
 */
import { randomBytes } from 'node:crypto';
import MarkdownIt, { type Token } from 'markdown-it';
import { type Formula, mathPieces } from './math.ts';

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
  const stand = standIns(formulas);
  const source = mathPieces(text)
    .map((piece) => (piece.type === 'math' ? stand.in(formulas.push(piece) - 1) : piece.text))
    .join('');
  const tokens = markdown.parse(source, {}).map((token) => withFormulas(token, stand));
  return { tokens, formulas };
}

type StandIns = ReturnType<typeof standIns>;

/** What stands for a formula while Markdown is read: of no meaning to it, and not to be guessed by a model. */
function standIns(formulas: readonly Formula[]) {
  const secret = randomBytes(12).toString('hex');
  const written = new RegExp(`\ue000${secret}x(\\d+)\ue001`);
  const formulaAt = (index: string) => formulas[Number(index)];
  return {
    formulaAt,
    in: (index: number) => `\ue000${secret}x${index}\ue001`,
    /** Alternates between texts and the numbers of formulas. */
    split: (text: string) => text.split(written),
    /** In code, and wherever no formula can be, the original text returns. */
    restored: (text: string) =>
      text.replaceAll(new RegExp(written, 'g'), (whole, index) => formulaAt(index)?.source ?? whole),
  };
}

function withFormulas(token: Token, stand: StandIns): Token {
  token.content = stand.restored(token.content);
  token.info = stand.restored(token.info);
  token.children = token.children?.flatMap((child) => inlineTokens(child, stand)) ?? null;
  return token;
}

function inlineTokens(token: Token, stand: StandIns): Token[] {
  if (token.type !== 'text') return [withFormulas(token, stand)];
  return stand.split(token.content).flatMap((part, at) => {
    if (part === '') return [];
    // Every second part is a number.
    const formula = at % 2 === 1 ? stand.formulaAt(part) : undefined;
    const made = Object.assign(Object.create(Object.getPrototypeOf(token)), token);
    return [
      formula
        ? Object.assign(made, { type: 'math', content: formula.tex, meta: formula })
        : Object.assign(made, { content: part }),
    ];
  });
}
