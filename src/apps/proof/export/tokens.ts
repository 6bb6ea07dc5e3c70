/**
 * Markdown with TeX as the tokens of markdown-it, mathematics among them as tokens of type `math`. It is taken out before
 * Markdown is read, which would find lists and headings in it. HTML in the text is text: nobody trusts a model. Pure.
 */
import MarkdownIt, { type Token } from 'markdown-it';
import { type Formula, mathPieces } from './math.ts';

export type Written = { readonly tokens: readonly Token[]; readonly formulas: readonly Formula[] };

/** No picture is fetched from anywhere by whoever opens a document. */
export const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false }).disable('image');

/** Of no meaning to anybody: what stands for a formula while Markdown is read. */
const [open, close] = ['\ue000', '\ue001'];
const placeholder = /\ue000(\d+)\ue001/g;
/** As addresses have it. */
const inAddress = /%EE%80%80(\d+)%EE%80%81/g;

export function tokensOf(text: string): Written {
  const formulas: Formula[] = [];
  const source = mathPieces(text.replaceAll(/[\ue000\ue001]/g, '\ufffd'))
    .map((piece) => {
      if (piece.type !== 'math') return piece.text;
      formulas.push(piece);
      return `${open}${formulas.length - 1}${close}`;
    })
    .join('');
  const tokens = markdown.parse(source, {}).map((token) => withFormulas(token, formulas));
  return { tokens, formulas };
}

function withFormulas(token: Token, formulas: readonly Formula[]): Token {
  token.content = restored(token.content, formulas);
  token.attrs = token.attrs?.map(([name, value]) => [name, restored(String(value), formulas)]) ?? null;
  token.children = token.children?.flatMap((child) => inlineTokens(child, formulas)) ?? null;
  return token;
}

/** In code, and wherever else no formula can stand, it is what was written. */
function restored(text: string, formulas: readonly Formula[]): string {
  return text
    .replaceAll(placeholder, (_, index) => formulas[Number(index)]?.source ?? '')
    .replaceAll(inAddress, (_, index) => encodeURI(formulas[Number(index)]?.source ?? ''));
}

function inlineTokens(token: Token, formulas: readonly Formula[]): Token[] {
  if (token.type !== 'text') return [withFormulas(token, formulas)];
  return token.content.split(/(\ue000\d+\ue001)/).flatMap((part) => {
    if (part === '') return [];
    const index = /^\ue000(\d+)\ue001$/.exec(part)?.[1];
    const formula = index === undefined ? undefined : formulas[Number(index)];
    const made = Object.assign(Object.create(Object.getPrototypeOf(token)), token);
    return [
      formula
        ? Object.assign(made, { type: 'math', content: formula.tex, meta: formula })
        : Object.assign(made, { content: part }),
    ];
  });
}
