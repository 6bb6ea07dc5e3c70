/**
 * What an agent may look up while it works on a contest: algorithms, past contests, what earlier sessions
 * learned; and library headers put into a program, because the judge takes one file. Nothing of it changes anything.
 */
import { z } from 'zod';
import type { EffectContext, Tool } from '../../../core/problem.ts';
import { type Bundled, type BundleSource, bundle } from '../bundle.ts';
import { databaseTools, type Posed } from '../database/tools.ts';
import { creditOfPrompts, type FoundPiece, type Knowledge, searchKnowledge } from '../knowledge/knowledge.ts';
import type { Library } from '../library/library.ts';
import { libraryTools } from '../library/tools.ts';
import { readingTool } from '../reading-tool.ts';
import { partsAt } from './sent.ts';
import type { AhcServices } from './services.ts';

/** Library and database are read once a problem, when they are first asked for. */
export function toolsOf(services: AhcServices, path: string, posed: Posed): readonly Tool[] {
  const library = once(({ io }) => partsAt(services, io).openLibrary(path));
  return [
    ...libraryTools(library),
    inlineTool(library),
    ...databaseTools(
      once(({ io }) => partsAt(services, io).openDatabase(path)),
      posed,
    ),
    // Other sessions learn while this one runs: read anew each time.
    ...knowledgeTools(({ io }) => partsAt(services, io).openKnowledge(path), posed.contest),
  ];
}

/** What failed is tried again. */
function once<T>(read: (context: EffectContext) => Promise<T>): (context: EffectContext) => Promise<T> {
  let known: Promise<T> | null = null;
  return (context) => {
    known ??= read(context);
    known.catch(() => {
      known = null;
    });
    return known;
  };
}

function inlineTool(library: (context: EffectContext) => Promise<Library>): Tool {
  // The model also learns that a library cannot be read.
  return readingTool(async (context) => () => library(context), {
    name: 'library_inline',
    description:
      'Puts the headers of the algorithm library that a program includes (#include "NAME.hpp") into it, and gives back one file. A program without such headers comes back as it is.',
    parameters: z.object({ source: z.string().describe('A whole C++ program.') }),
    async call(read, { source }) {
      const { text, included } = inlined(source, await read());
      return { text, data: { included: [...included] } };
    },
  });
}

/** Throws `UserError` where the program includes a file that is nowhere. */
function inlined(source: string, { entries }: Library): Bundled {
  const headers = new Map(entries.map(({ meta, code }) => [meta.filename, code]));
  const find: BundleSource['find'] = (name) => {
    const path = name.replace(/^polya\//, '');
    const text = headers.get(path);
    return text === undefined ? null : { path, text };
  };
  return bundle('main.cpp', source, { find, folderOf: () => 'library', names: () => [...headers.keys()] });
}

const [codeCharacters, summaryCharacters] = [600, 300];
const [mostPrompts, promptCharacters] = [20, 4_000];

/** `contest`: what was learned in it comes before what was learned in others. */
export function knowledgeTools(
  read: (context: EffectContext) => Promise<readonly Knowledge[]>,
  contest: string,
): readonly Tool[] {
  const search = readingTool(read, {
    name: 'knowledge_search',
    description:
      'What earlier sessions on this machine learned: changes that made programs better, with how much they gained and their code.',
    parameters: z.object({
      keywords: z.exactOptional(z.array(z.string()).describe('Words of a problem, a move, an algorithm.')),
      limit: z.exactOptional(z.int().min(1).max(20).describe('How many pieces, the best first; default 5.')),
    }),
    call(known, { keywords = [], limit = 5 }) {
      const found = searchKnowledge(known, { keywords, contest }).slice(0, limit);
      const text = found.map(pieceText).join('\n') || 'No earlier session learned anything that fits.';
      return { text, data: { found: found.length, prompts: promptsOf(known, contest) } };
    },
  });
  return [search];
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
