/**
 * What an agent may look up while it works on a contest: algorithms and past contests; and library headers put into a
 * program, because the judge takes one file. Nothing of it changes anything.
 */
import { z } from 'zod';
import type { EffectContext, Tool } from '../../../core/problem.ts';
import { type Bundled, type BundleSource, bundle } from '../bundle.ts';
import { type CurrentProblem, databaseTools } from '../database/tools.ts';
import type { Library } from '../library/library.ts';
import { libraryTools } from '../library/tools.ts';
import { readingTool } from '../reading-tool.ts';
import { partsAt } from './sent.ts';
import type { AhcServices } from './services.ts';

/** Library and database are read once a problem, when they are first asked for. */
export function toolsOf(
  services: AhcServices,
  path: string,
  currentProblem: CurrentProblem,
): readonly Tool[] {
  const library = once(({ io }) => partsAt(services, io).openLibrary(path));
  return [
    ...libraryTools(library),
    inlineTool(library),
    ...databaseTools(
      once(({ io }) => partsAt(services, io).openDatabase(path)),
      currentProblem,
    ),
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
      const { text, included } = withLibrary(source, await read());
      return { text, data: { included: [...included] } };
    },
  });
}

/** Throws `UserError` where the program includes a file that is nowhere. */
export function withLibrary(source: string, { entries }: Library): Bundled {
  const headers = new Map(entries.map(({ meta, code }) => [meta.filename, code]));
  const find: BundleSource['find'] = (name) => {
    const path = name.replace(/^polya\//, '');
    const text = headers.get(path);
    return text === undefined ? null : { path, text };
  };
  return bundle('main.cpp', source, { find, folderOf: () => 'library', names: () => [...headers.keys()] });
}
