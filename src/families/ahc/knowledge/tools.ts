/** What an agent may ask of earlier sessions. Reading them changes nothing. */
import { z } from 'zod';
import type { Tool } from '../../../core/problem.ts';
import type { Knowledge } from './document.ts';
import { searchKnowledge } from './search.ts';

const searchInput = z.object({
  keywords: z.exactOptional(z.array(z.string()).describe('Words of a problem, a move, an algorithm.')),
  limit: z.exactOptional(z.int().min(1).max(20).describe('How many pieces, the best first; default 5.')),
});

const codeCharacters = 600;

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
        const found = searchKnowledge(await read(), { keywords, contest });
        const shown = found.slice(0, limit).map(({ from, summary, share, code, operator }) => {
          const head = `- ${from.contest}, ${operator}, +${(share * 100).toFixed(1)} %: ${summary}`;
          const piece = code.slice(0, codeCharacters).toWellFormed();
          return piece === '' ? head : `${head}\n${piece.replaceAll(/^/gm, '    ')}`;
        });
        const text = shown.join('\n') || 'No earlier session learned anything that fits.';
        return { text, data: { found: shown.length } };
      },
    },
  ];
}
