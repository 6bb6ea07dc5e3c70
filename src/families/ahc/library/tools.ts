/** The library as an agent reads it: list, search, show. It is read when it is first asked for; nothing is changed. */
import { z } from 'zod';
import { UserError } from '../../../core/errors.ts';
import type { Tool, ToolResult } from '../../../core/problem.ts';
import { readingTool } from '../reading-tool.ts';
import type { Library, LibraryEntry } from './entry.ts';
import { findEntry, nearWords, searchLibrary } from './search.ts';
import { entryMarkdown } from './sections.ts';

const mostFound = 8;

export type ReadLibrary = () => Promise<Library>;

export function libraryTools(library: ReadLibrary): readonly Tool[] {
  return [listTool(library), searchTool(library), showTool(library)];
}

function listTool(library: ReadLibrary): Tool {
  return readingTool(library, {
    name: 'library_list',
    description: 'Lists the C++ headers of the algorithm library: name, what it is, and its tags.',
    parameters: z.object({}),
    call: ({ entries }) => listed(entries),
  });
}

function searchTool(library: ReadLibrary): Tool {
  return readingTool(library, {
    name: 'library_search',
    description:
      'Searches the algorithm library by keywords, such as "beam search" or "shortest path". Best first.',
    parameters: z.object({ keywords: z.string().trim().min(1) }),
    call(library, { keywords }) {
      const found = searchLibrary(library, keywords).slice(0, mostFound);
      if (found.length > 0) return listed(found);
      const near = nearWords(library, [keywords]);
      const hint =
        near.length > 0 ? ` Did you mean ${near.join(', ')}?` : ' library_list shows all there is.';
      return {
        text: `Nothing in the library fits ${JSON.stringify(keywords)}.${hint}`,
        data: { entries: [] },
      };
    },
  });
}

function showTool(library: ReadLibrary): Tool {
  return readingTool(library, {
    name: 'library_show',
    description:
      'Shows one entry of the algorithm library: explanation, complexity, when to use it, pitfalls, usage and code. ' +
      'A program that has #include "NAME.hpp" gets the code put in.',
    parameters: z.object({ name: z.string().trim().min(1) }),
    call(library, { name }) {
      try {
        const entry = findEntry(library, name);
        return { text: entryMarkdown(entry), data: { entries: [entry.id] } };
      } catch (error) {
        // A wrong name is the model's to mend.
        if (error instanceof UserError) return { text: error.message, isError: true };
        throw error;
      }
    },
  });
}

function listed(entries: readonly LibraryEntry[]): ToolResult {
  const lines = entries.map(({ id, meta }) => `- ${id}: ${meta.description} [${meta.tags.join(', ')}]`);
  return {
    text: lines.join('\n') || 'The library is empty.',
    data: { entries: entries.map(({ id }) => id) },
  };
}
