/** The text of one part of a puzzle, as Markdown for a model and as bare words for hashes. Pure. */
import { toMarkdown } from './markdown.ts';
import { plainText } from './words.ts';

/** `text` is plain text or Markdown, and is shown as it is. */
export type StatementPart = { readonly format: 'html' | 'text'; readonly source: string };

export function markdownOf({ format, source }: StatementPart): string {
  return format === 'html' ? toMarkdown(source) : source.trim();
}

export function wordsOf({ format, source }: StatementPart): string {
  return format === 'html' ? plainText(source) : source.replaceAll(/\s+/g, ' ').trim();
}
