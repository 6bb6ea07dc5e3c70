/** What the site said to an answer, as a value. Never throws: a page in no known form is `unknown`. */
import { pageOf } from '../../pages/page.ts';
import { hasLogInLink, plainText } from './page.ts';

export type SiteReply =
  | { readonly kind: 'right' }
  | { readonly kind: 'wrong'; readonly hint: 'too-high' | 'too-low' | null }
  /** `leftMs` is null where the page does not say how long. */
  | { readonly kind: 'too-recent'; readonly leftMs: number | null }
  | { readonly kind: 'wrong-level' }
  | { readonly kind: 'finished' }
  | { readonly kind: 'too-much-data' }
  | { readonly kind: 'logged-out' }
  /** For files without an answer: no site judges it. */
  | { readonly kind: 'unjudged' }
  | { readonly kind: 'unknown' };

/** With the page's own words, and the page, for the journal and for finding out what an unknown page is. */
type ToldReply = SiteReply & { readonly told: string; readonly raw: string };

/** A reply to a session that the site knows. */
export type JudgedReply = Exclude<ToldReply, { readonly kind: 'logged-out' }>;

const excerptCharacters = 1_000;
const rawCharacters = 20_000;

export function parseReply(html: string): ToldReply {
  const article = pageOf(html)('article').first();
  const told = article.length > 0 ? article.text().replaceAll(/\s+/g, ' ').trim() : plainText(html);
  const reply: SiteReply = article.length > 0 ? readArticle(told) : { kind: 'unknown' };
  const seen: SiteReply = reply.kind === 'unknown' && hasLogInLink(html) ? { kind: 'logged-out' } : reply;
  return { ...seen, told: told.slice(0, excerptCharacters), raw: html.slice(0, rawCharacters) };
}

function readArticle(text: string): SiteReply {
  if (text.includes("That's the right answer")) return { kind: 'right' };
  if (text.includes("That's not the right answer")) return { kind: 'wrong', hint: readHint(text) };
  if (text.includes('You gave an answer too recently')) return { kind: 'too-recent', leftMs: readWait(text) };
  if (text.includes("You don't seem to be solving the right level")) return { kind: 'wrong-level' };
  if (text.includes("You've finished every puzzle")) return { kind: 'finished' };
  if (text.includes("You're posting too much data")) return { kind: 'too-much-data' };
  return { kind: 'unknown' };
}

function readHint(text: string): 'too-high' | 'too-low' | null {
  if (text.includes('too high')) return 'too-high';
  return text.includes('too low') ? 'too-low' : null;
}

function readWait(text: string): number | null {
  const wait = /You have ((?:\d+[dhms] )+)left to wait/.exec(text)?.[1];
  if (wait === undefined) return null;
  const seconds: Readonly<Record<string, number>> = { d: 86_400, h: 3_600, m: 60, s: 1 };
  const units = [...wait.matchAll(/(?<!\d)(\d+)([dhms])/g)];
  return units.reduce((sum, [, number, unit = '']) => sum + Number(number) * (seconds[unit] ?? 0) * 1_000, 0);
}
