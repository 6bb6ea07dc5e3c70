/** The user's own words for a change or for joining two programs. */
import type { Run } from '../../core/agent.ts';
import type { Wording } from './search.ts';

/** One of the user's wordings, drawn for each call; null: the user gave none. `key` is their key in the configuration. */
export function drawnWording(run: Run, key: string, texts: readonly string[]): Wording | null {
  return drawnFrom(
    texts.map((words, at) => ({ name: `${key}[${at}]`, words })),
    run,
  );
}

export function drawnFrom<T>(items: readonly T[], run: Run): T | null {
  return items.length === 0 ? null : (items[Math.floor(run.random() * items.length)] ?? null);
}
