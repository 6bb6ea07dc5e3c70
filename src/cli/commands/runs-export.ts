/** `polya runs export`: runs as files that others can read, with hashes in the place of puzzle texts unless asked. */
import { join, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { exitCodes, JournalError, UserError } from '../../core/errors.ts';
import type { RunRow, Store } from '../../core/store.ts';
import type { Journals } from '../../open/options.ts';
import { readJournal } from '../../run/load.ts';
import { count, escaped, harmless } from '../../text/format.ts';
import type { CommandFile, Shell } from '../contract.ts';
import { readRun } from '../drive.ts';
import { type ExportedRun, exportedRun } from '../exported-run.ts';
import { hooksFor } from '../hooks.ts';
import { findRun, withRun } from '../journals.ts';
import { writeFiles } from '../safe-write.ts';

const formats = ['json', 'csv', 'md', 'files'] as const;

type Options = {
  readonly format: (typeof formats)[number];
  readonly all?: boolean;
  readonly out?: string;
  readonly withPuzzle: boolean;
  readonly force: boolean;
};

export const runsExport: CommandFile = {
  define(command: Command) {
    command
      .argument('[runs...]', 'their ids, the beginnings or ends of them, or `last`')
      .option('--all', 'all runs of this folder, oldest first')
      .addOption(
        new Option(
          '--format <format>',
          'json: metrics and journal; csv: a row a run; md: a report; files: a folder a run',
        )
          .choices(formats)
          .default('json'),
      )
      .option('--out <path>', 'the file to write, or the folder (default: standard output)')
      .option(
        '--with-puzzle',
        'with statement and input, which may not be passed on, instead of hashes',
        false,
      )
      .option('--force', 'replace files that exist', false);
  },
  async run(shell, command) {
    const names: readonly string[] = command.processedArgs[0];
    const options = command.opts<Options>();
    checkWords(names, options);
    return withRun(shell, names[0] ?? 'last', async (polya) => {
      const rows = await rowsOf(polya.world.store, names, options);
      const runs: ExportedRun[] = [];
      for (const { id } of rows) runs.push(await exported(shell, polya, id, options));
      if (options.format === 'files') writeFolders(shell, runs, options);
      else writeText(shell, await textOf(shell, runs, options), options);
      return exitCodes.ok;
    });
  },
};

function checkWords(names: readonly string[], { all, format, out }: Options): void {
  if (all ? names.length > 0 : names.length === 0) {
    throw new UserError({
      code: 'options-conflict',
      what: all ? 'Runs are named, and --all names all of them.' : 'No run is named.',
      fix: 'Name runs, or give --all alone.',
    });
  }
  if (format === 'files' && out === undefined) {
    throw new UserError({
      code: 'no-folder-named',
      what: 'Files need a folder.',
      fix: 'Name it with --out; each run gets a folder in it that bears its id.',
    });
  }
}

async function rowsOf(store: Store, names: readonly string[], { all }: Options): Promise<readonly RunRow[]> {
  if (all) return (await store.list()).toReversed();
  const rows = new Map<string, RunRow>();
  for (const name of names) {
    const row = await findRun(store, name);
    rows.set(row.id, row);
  }
  return [...rows.values()];
}

/** What is damaged is not passed on as if it were whole. */
async function exported(shell: Shell, polya: Journals, id: string, options: Options): Promise<ExportedRun> {
  const { events, damage } = await readJournal(polya.world.store, id);
  if (!damage) return exportedRun(shell, await readRun(shell, polya, id), { events, ...options });
  throw new JournalError({
    code: 'journal-damaged',
    what: `The journal of run ${id} is damaged at event ${damage.seq}: ${damage.reason}; nothing was exported.`,
    fix: `\`polya runs show ${id}\` shows what is whole.`,
  });
}

async function textOf(shell: Shell, runs: readonly ExportedRun[], { format, all }: Options): Promise<string> {
  if (format === 'md') return runs.map(({ report }) => report).join('\n\n---\n\n');
  if (format === 'json') return `{"runs": [${runs.map(({ json }) => json.trim()).join(',\n')}]}\n`;
  const measured = runs.filter(({ isMeasured }) => isMeasured);
  const others = runs.filter(({ isMeasured }) => !isMeasured).map(({ id }) => id);
  if (others.length > 0 && !all) throw noMetrics(others);
  if (others.length > 0)
    shell.err.write(`Without a row, as they are no Advent of Code runs: ${others.join(', ')}.\n`);
  const [first] = measured;
  const { metricsCsv } = await hooksFor(shell, first?.header ?? null);
  return metricsCsv?.(measured.map(({ events }) => events)) ?? '';
}

function noMetrics(ids: readonly string[]): UserError {
  return new UserError({
    code: 'no-metrics',
    what: `A row has only a run of Advent of Code, and these are none: ${ids.join(', ')}.`,
    fix: 'Leave them out, or choose `--format json` or `--format md`.',
  });
}

function writeText(shell: Shell, text: string, { out, force, format }: Options): void {
  if (out === undefined) {
    // A program that reads it gets it byte for byte; a terminal must not obey what a model wrote.
    const shown = format === 'json' ? escaped(text) : shell.out.isTerminal ? harmless(text) : text;
    shell.out.write(shown);
    return;
  }
  const path = resolve(shell.folder, out);
  writeFiles([{ path, text }], { force });
  shell.err.write(`Written: ${path}\n`);
}

function writeFolders(shell: Shell, runs: readonly ExportedRun[], { out = '.', force }: Options): void {
  const folder = resolve(shell.folder, out);
  const files = runs.flatMap(({ id, files: own }) =>
    Object.entries(own).map(([name, text]) => ({ path: join(folder, id, name), text })),
  );
  writeFiles(files, { force });
  for (const { id } of runs) shell.out.write(`${join(folder, id)}\n`);
  shell.err.write(`Written: ${count(files.length, 'file')}.\n`);
}
