/**
 * What a search has tried and what came of it, and the adviser's insights: shown in prompts, and looked up, so that an
 * idea that comes again costs no evaluation. Pure.
 */
import { z } from 'zod';
import type { CandidateNote } from '../../notes/evolution.ts';
import { line } from './asking.ts';

type Try = Pick<CandidateNote, 'id' | 'parents' | 'operator' | 'summary' | 'status'> & {
  readonly island: number;
  /** In points against its parent, where both were run on all cases. */
  readonly gain: number | null;
};

/** Ideas that are alike in so much of their words are one. */
const sameIdea = 0.9;
/** Too few words say nothing of what was done. */
const leastWords = 3;

export class Tried {
  readonly #tries: Try[] = [];

  add(attempt: Try): void {
    this.#tries.push(attempt);
  }

  get count(): number {
    return this.#tries.length;
  }

  /** The newest last. */
  latest(count: number): readonly Try[] {
    return count === 0 ? [] : this.#tries.slice(-count);
  }

  /** An attempt with the same idea, parent and operator. */
  twinOf({ summary, parents, operator }: Pick<Try, 'summary' | 'parents' | 'operator'>): Try | null {
    const words = wordsOf(summary);
    if (words.size < leastWords) return null;
    const found = this.#tries.find(
      (each) =>
        each.operator === operator &&
        each.parents[0] === parents[0] &&
        likeness(words, wordsOf(each.summary)) >= sameIdea,
    );
    return found ?? null;
  }
}

/** Each idea once, the newest first, those of the same island before others. */
export function triedText(tried: Tried, island: number, most: number): string {
  if (most === 0) return '';
  const latest = tried.latest(most * 4).toReversed();
  const own = latest.filter((each) => each.island === island);
  const lines = new Map<string, string>();
  for (const each of [...own, ...latest]) {
    const said = line(each.summary);
    if (!lines.has(said) && each.operator !== 'tune') lines.set(said, `- ${said}: ${outcomeText(each)}`);
  }
  if (lines.size === 0) return '';
  const shown = [...lines.values()].slice(0, most).join('\n');
  return `What has been tried already; propose something else, or say what you do differently:\n${shown}`;
}

export function outcomeText({ status, gain }: Try): string {
  if (status === 'cut') return 'worse';
  if (status !== 'evaluated') return status;
  if (gain === null) return 'ran';
  return gain > 0 ? 'better' : gain < 0 ? 'worse' : 'no difference';
}

/** Numbers count as words: a different number is a different idea. */
function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/\p{L}+|\d+(?:\.\d+)?/gu) ?? []);
}

function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const common = [...one].filter((word) => other.has(word)).length;
  return common / Math.max(1, one.size + other.size - common);
}

const mostRecommendations = 5;
const summaryCharacters = 600;

const insights = z.object({
  summary: z.string().min(1),
  recommendations: z.array(z.string().min(1)).default([]),
});

export type Insights = z.infer<typeof insights>;

/** Null where the reply has another form. */
export function readInsights(value: unknown): Insights | null {
  const read = insights.safeParse(value);
  if (!read.success) return null;
  const { summary, recommendations } = read.data;
  return {
    summary: line(summary, summaryCharacters),
    recommendations: recommendations.slice(0, mostRecommendations).map((each) => line(each)),
  };
}

export function insightsText(found: Insights | null): string {
  if (!found) return '';
  const { summary, recommendations } = found;
  const lines = recommendations.map((each) => `- ${each}`);
  return [
    `What the search has shown so far: ${summary}`,
    ...(lines.length > 0 ? ['Recommended now:', ...lines] : []),
  ].join('\n');
}
