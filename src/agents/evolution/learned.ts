/**
 * What earlier sessions learned of this problem and of others like it, where the problem keeps such knowledge: looked up
 * once, when the analysis is known, and shown in every prompt that asks for a change.
 */
import type { Run } from '../../core/agent.ts';
import { type Search, write } from './search.ts';
import { offered } from './strategy-sources.ts';

const mostCharacters = 4_000;
const mostWords = 12;

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
