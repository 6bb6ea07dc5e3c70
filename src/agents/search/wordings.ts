/** Words for prompts: those of the user for a change or for joining two, and what earlier sessions learned. */
import type { Run } from '../../core/agent.ts';
import { write } from '../../notes/evolution.ts';
import type { Search, Wording } from './search.ts';
import { offered } from './sources.ts';

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

const mostCharacters = 4_000;
const mostWords = 12;

/** Looks up once what earlier sessions learned of such problems, for the prompts for changes. */
export async function lookUpKnowledge(search: Search, run: Run): Promise<void> {
  if (!search.settings.knowledge) return;
  const { problem_type_tags: tags, extracted_keywords: words } = search.analysis;
  const keywords = [...new Set([...tags, ...words])].slice(0, mostWords);
  const found = await offered(run, search.problem, 'knowledge_search', { keywords });
  const text = found?.text.trim().slice(0, mostCharacters).toWellFormed() ?? '';
  const isNews = text !== '' && found?.data?.found !== 0;
  if (isNews) search.learned = `What earlier sessions learned; measured there, to be checked here:\n${text}`;
  write(run, 'learned', { text: isNews ? text : '' });
}
