/** `polya ahc library list|show|search`: the headers that a solution may build on, for people; agents read them as tools. */
import type { Command } from 'commander';
import { type CommandFile, printDocument, type Shell } from '../../../cli/contract.ts';
import { exitCodes } from '../../../core/errors.ts';
import {
  findEntry,
  type Library,
  type LibraryEntry,
  searchLibrary,
  similarWords,
} from '../../../families/ahc/library/library.ts';
import { sectionsOf } from '../../../families/ahc/library/tools.ts';
import { openLibrary } from '../../../open/families/ahc/library.ts';
import { asCalled, oneLine } from '../../../text/format.ts';
import { table } from '../../../text/table.ts';
import { fitToWidth, wrapWords } from '../../../text/wrap.ts';
import {
  hint,
  keywordsOf,
  questionOf,
  tellJson,
  tellWarnings,
  type WorkspaceOptions,
  withHelp,
  workspaceOptions,
} from '../workspace.ts';

export const ahcLibraryList: CommandFile = {
  define(command: Command) {
    withHelp(workspaceOptions(command), 'library');
  },
  async run(shell, command) {
    const library = await open(shell, command);
    if (command.opts<WorkspaceOptions>().json) tellJson(shell, listJson(library, library.entries));
    else {
      shell.out.write(entriesTable(shell, library.entries));
      hint(
        shell,
        '`polya ahc library show NAME` tells all of one; `bundle` and `test` put in what you include.',
      );
    }
    return exitCodes.ok;
  },
};

export const ahcLibraryShow: CommandFile = {
  define(command: Command) {
    workspaceOptions(
      withHelp(command, 'library')
        .argument('<name>', 'simulated_annealing, as `polya ahc library list` has it')
        .option('--code', 'print the header alone'),
    );
  },
  async run(shell, command) {
    const [name]: [string] = command.processedArgs as [string];
    const library = await open(shell, command);
    const entry = findEntry(library, name);
    const { json, code } = command.opts<WorkspaceOptions & { readonly code?: boolean }>();
    const { id, source, meta, example } = entry;
    if (json) tellJson(shell, { id, source, ...meta, code: entry.code, example, warnings: library.warnings });
    else if (code) printDocument(shell.out, `${entry.code.trimEnd()}\n`);
    else shell.out.write(entryText(shell, entry));
    return exitCodes.ok;
  },
};

export const ahcLibrarySearch: CommandFile = {
  define(command: Command) {
    workspaceOptions(
      withHelp(command, 'library').argument(
        '<keyword...>',
        'words that name, tags or explanation have; each more, the better',
      ),
    );
  },
  async run(shell, command) {
    const keywords = keywordsOf(command, 'library', 'beam');
    const library = await open(shell, command);
    const found = searchLibrary(library, keywords);
    const nearby = found.length > 0 ? [] : similarWords(library, keywords);
    if (command.opts<WorkspaceOptions>().json)
      tellJson(shell, { keywords, ...listJson(library, found), near: nearby });
    else if (found.length > 0) shell.out.write(entriesTable(shell, found));
    else {
      const intended = nearby.length > 0 ? `Did you mean ${nearby.join(', ')}?` : seeAll;
      const what = `Nothing in the library fits ${oneLine(keywords.join(' '))}.`;
      shell.out.write(`${what} ${asCalled(intended, shell)}\n`);
    }
    return exitCodes.ok;
  },
};

const seeAll = '`polya ahc library list` shows all.';

async function open(shell: Shell, command: Command): Promise<Library> {
  const library = await openLibrary(questionOf(shell, command));
  tellWarnings(shell, library.warnings);
  return library;
}

function entriesTable(shell: Shell, entries: readonly LibraryEntry[]): string {
  const areOwn = entries.some(({ source }) => source !== 'internal');
  const widest = (cells: readonly string[]) => Math.max(0, ...cells.map((cell) => cell.length));
  const timeWidth = Math.min(24, widest(entries.map(({ meta }) => meta.time_complexity)));
  const fixed = widest(entries.map(({ id }) => id)) + timeWidth + (areOwn ? 24 : 0) + 8;
  const capacity = Math.max(40, Math.min(100, shell.out.columns - fixed));
  const rows = entries.map(({ id, meta, source }) => [
    id,
    fitToWidth(oneLine(meta.description), capacity),
    fitToWidth(oneLine(meta.time_complexity), timeWidth),
    ...(areOwn ? [source === 'internal' ? '' : source] : []),
  ]);
  return table(shell.out, ['name', 'what it is', 'time', ...(areOwn ? ['from'] : [])], rows);
}

function entryText(shell: Shell, entry: LibraryEntry): string {
  const { paint } = shell.out;
  const own = entry.source === 'internal' ? '' : `  ${oneLine(`(from ${entry.source})`)}`;
  const head = `${paint('strong', oneLine(entry.meta.name))}  ${entry.id}${own}`;
  const columns = Math.min(shell.out.columns, 100);
  const parts = sectionsOf(entry).map(({ title, text, isCode }) => {
    if (isCode) {
      return `\n${paint('accent', oneLine(title))}\n${text.replaceAll(/^(?=.)/gm, '    ')}`;
    }
    const lines = wrapWords(`${title}: ${oneLine(text)}`, columns, '  ').join('\n');
    return lines.replace(`${title}:`, (label) => paint('accent', label));
  });
  return `${[head, '', ...parts].join('\n')}\n`;
}

function listJson({ warnings }: Library, entries: readonly LibraryEntry[]) {
  const told = entries.map(({ id, meta, source }) => {
    const { name, description, tags, time_complexity, space_complexity } = meta;
    return { id, name, description, tags, time_complexity, space_complexity, source };
  });
  return { entries: told, warnings };
}
