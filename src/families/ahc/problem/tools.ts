/**
 * What an agent may look up while it works on a contest: algorithms, past contests; and library headers put into a program,
 * because the judge takes one file. Nothing of it changes anything.
 */
import { z } from 'zod';
import { ExplainedError } from '../../../core/errors.ts';
import type { Tool } from '../../../core/problem.ts';
import { type Bundled, type BundleSource, bundle } from '../bundle.ts';
import { databaseTools, type Posed } from '../database/tools.ts';
import { knowledgeTools } from '../knowledge/tools.ts';
import type { Library } from '../library/library.ts';
import { libraryTools } from '../library/tools.ts';
import type { AhcServices } from './services.ts';

/** Library and database are read once a problem, when they are first asked for. */
export function toolsOf(
  { openLibrary, openDatabase, openKnowledge }: AhcServices,
  path: string,
  posed: Posed,
): readonly Tool[] {
  const library = once(() => openLibrary(path));
  const database = once(() => openDatabase(path));
  return [
    ...libraryTools(library),
    inlineTool(library),
    ...databaseTools(database, posed),
    // Other sessions learn while this one runs: read anew each time.
    ...knowledgeTools(() => openKnowledge(path), posed.contest),
  ];
}

/** What failed is tried again. */
function once<T>(read: () => Promise<T>): () => Promise<T> {
  let known: Promise<T> | null = null;
  return () => {
    known ??= read();
    known.catch(() => {
      known = null;
    });
    return known;
  };
}

const inlineInput = z.object({ source: z.string().describe('A whole C++ program.') });

function inlineTool(library: () => Promise<Library>): Tool {
  return {
    name: 'library_inline',
    description:
      'Puts the headers of the algorithm library that a program includes (#include "NAME.hpp") into it, and gives back one file. A program without such headers comes back as it is.',
    parameters: inlineInput,
    repeat: 'safe',
    async call(args) {
      const { source } = inlineInput.parse(args);
      try {
        const { text, included } = inlined(source, await library());
        return { text, data: { included: [...included] } };
      } catch (error) {
        // A header that is nowhere is the model's to mend.
        if (error instanceof ExplainedError) return { text: error.message, isError: true };
        throw error;
      }
    },
  };
}

/** Throws `UserError` where the program includes a file that is nowhere. */
export function inlined(source: string, { entries }: Library): Bundled {
  const headers = new Map(entries.map(({ meta, code }) => [meta.filename, code]));
  const find: BundleSource['find'] = (name) => {
    const path = name.replace(/^polya\//, '');
    const text = headers.get(path);
    return text === undefined ? null : { path, text };
  };
  return bundle('main.cpp', source, { find, folderOf: () => 'library', names: () => [...headers.keys()] });
}
