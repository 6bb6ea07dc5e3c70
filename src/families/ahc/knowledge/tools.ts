/** What an agent may ask of earlier sessions. Reading them changes nothing. */
import { z } from 'zod';
import type { Tool } from '../../../core/problem.ts';
import type { Knowledge } from './knowledge.ts';
import { creditOfPrompts, type FoundPiece, searchKnowledge } from './knowledge.ts';

const searchInput = z.object({
  keywords: z.exactOptional(z.array(z.string()).describe('Words of a problem, a move, an algorithm.')),
  limit: z.exactOptional(z.int().min(1).max(20).describe('How many pieces, the best first; default 5.')),
});

const [codeCharacters, summaryCharacters] = [600, 300];
const [mostPrompts, promptCharacters] = [20, 4_000];

/** `contest`: what was learned of it goes before what was learned of others. */
export function knowledgeTools(read: () => Promise<readonly Knowledge[]>, contest: string): readonly Tool[] {
  return [
    {
      name: 'knowledge_search',
      description:
        'What earlier sessions on this machine learned: changes that made programs better, with how much they gained and their code.',
      parameters: searchInput,
      repeat: 'safe',
      async call(args) {
        const { keywords = [], limit = 5 } = searchInput.parse(args);
        const known = await read();
        const found = searchKnowledge(known, { keywords, contest }).slice(0, limit);
        const text = found.map(pieceText).join('\n') || 'No earlier session learned anything that fits.';
        return { text, data: { found: found.length, prompts: promptsOf(known, contest) } };
      },
    },
  ];
}

function pieceText({ from, summary, before, after, code, operator }: FoundPiece): string {
  const where = `${from.contest}${from.isScript ? ' (replies of a script)' : ''}`;
  const said = summary.replaceAll(/\s+/g, ' ').trim().slice(0, summaryCharacters).toWellFormed();
  const head = `- ${where}, ${operator}, score ${rounded(before)} to ${rounded(after)}: ${said}`;
  const piece = code.slice(0, codeCharacters).toWellFormed();
  return piece === '' ? head : `${head}\n${piece.replaceAll(/^/gm, '    ')}`;
}

const rounded = (score: number): string => String(Number(score.toPrecision(6)));

/** Words of users, as they were used on the same contest, and of the search's own: how often each paid. */
function promptsOf(known: readonly Knowledge[], contest: string) {
  const here = known.filter((each) => each.contest === contest);
  return creditOfPrompts(here)
    .filter(
      ({ kind, words }) => (kind === 'change' || kind === 'crossover') && words.length <= promptCharacters,
    )
    .slice(0, mostPrompts)
    .map(({ kind, words, isOwn, made, betterThanParents }) => ({
      kind,
      words: isOwn ? words : '',
      made,
      better: betterThanParents,
    }));
}
