/** The gold answer of a problem that has one, and sentences without it. Pure. */
import type { Header } from '../core/event.ts';
import { text } from '../text/json.ts';

/** The sentence of a grade may quote the gold answer. */
export function withoutGold(sentence: string, gold: string | null): string {
  if (gold === null || gold.trim() === '') return sentence;
  const words = gold.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const quoted = new RegExp(`(?<![\\p{L}\\p{N}])${words}(?![\\p{L}\\p{N}])`, 'gu');
  return sentence.replaceAll(quoted, '[gold answer]');
}

export function goldOf(header: Pick<Header, 'problem'> | null): string | null {
  return text(header?.problem.detail, 'gold') || null;
}
