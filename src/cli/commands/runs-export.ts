/** `polya runs export`: files of runs, with hashes for puzzle texts unless the user asks for them. */
import { join, resolve } from 'node:path';
import { Option } from 'commander';
import { exitCodes, UserError } from '../../core/errors.ts';
import { positionName } from '../../core/event.ts';
import { recordScript } from '../../models/record-script.ts';
import { describeEvent } from '../../notes/event-line.ts';
import { count, escapeControls, escaped } from '../../text/format.ts';
import { noPaint } from '../../text/paint.ts';
import { type CommandFile, type ExportedFiles, hooksFor, type Output, type Shell } from '../contract.ts';
import { type ReadRun, readRun } from '../drive.ts';
import { assertIntact, findRuns, withRun } from '../journals.ts';
import { runText } from '../run-report.ts';
import { asFileName, writeDocument, writeFiles } from '../safe-write.ts';

const formats = ['json', 'csv', 'md', 'files', 'script'] as const;

type Options = {
  readonly format: (typeof formats)[number];
  readonly all?: boolean;
  readonly out?: string;
  readonly withPuzzle: boolean;
  readonly force: boolean;
};

type ExportedRun = ReadRun & { readonly files: ExportedFiles };

export const runsExport: CommandFile = {
  define(command) {
    command
      .argument('[runs...]', 'their ids, the beginnings or ends of them, or `last`')
      .option('--all', 'all runs of this folder, oldest first')
      .addOption(
        new Option(
          '--format <format>',
          'json: metrics and journal; csv: a row a run; md: a report; files: a folder a run; script: the replies of its models, for `--model scripted:FILE`',
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
      const { store } = polya.world;
      const rows = options.all ? (await store.list()).toReversed() : await findRuns(store, names);
      const runs: ExportedRun[] = [];
      for (const { id } of rows) {
        const run = await readRun(shell, polya, id);
        assertIntact(id, run, '; nothing was exported');
        const { exportFiles } = await hooksFor(shell, run.view.header);
        runs.push({ ...run, files: exportFiles?.(run.events, options) ?? filesOfAnyRun(run) });
      }
      if (options.format === 'files') writeFolders(shell, runs, options);
      else if (options.format === 'script') await writeScript(shell, runs, options);
      else {
        const text = await textOf(shell, runs, options);
        const isPrinted = options.format === 'json' && options.out === undefined;
        writeDocument(shell, isPrinted ? escaped(text) : text, options);
      }
      return exitCodes.ok;
    });
  },
};

function checkWords(names: readonly string[], { all, format, out }: Options): void {
  if (format === 'script' && names.length !== 1) {
    throw new UserError({
      code: 'options-conflict',
      what: 'A script has the replies of one run.',
      fix: 'Name one run, without --all.',
    });
  }
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

/** Of a run whose app has no form of its own: its journal, and a page of Markdown. */
function filesOfAnyRun(run: ReadRun): ExportedFiles {
  const { row, view, events } = run;
  const { header } = view;
  const lines = events.map((event) => {
    const place = event.ordinal === null ? '' : positionName(event);
    return `${String(event.seq).padStart(4)}  ${event.kind.padEnd(14)} ${place.padEnd(9)} ${describeEvent(event, header).text}\n`;
  });
  const title = `# Run ${row.id}: ${escapeControls(header?.problem.title ?? '')}`;
  const journal = { metrics: null, polya: header?.codeVersion ?? null, events };
  return {
    'run.json': `${JSON.stringify(journal, null, 2)}\n`,
    'report.md': `${title}\n\n${fenced(runText(page, run))}\n\n## The journal\n\n${fenced(lines.join(''))}\n`,
  };
}

function fenced(text: string): string {
  // A fence must be longer than any in the text.
  const maxLength = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(maxLength + 1);
  return `${fence}text\n${text}${fence}`;
}

const page: Output = {
  write: () => undefined,
  isTerminal: false,
  columns: 160,
  paint: noPaint,
  isClosed: false,
};

async function textOf(shell: Shell, runs: readonly ExportedRun[], { format, all }: Options): Promise<string> {
  if (format === 'md') return runs.map(({ files }) => files['report.md'] ?? '').join('\n\n---\n\n');
  if (format === 'json') {
    return `{"runs": [${runs.map(({ files }) => (files['run.json'] ?? '').trim()).join(',\n')}]}\n`;
  }
  const exportedRuns = runs.filter(({ metrics }) => metrics !== null);
  const others = runs.flatMap(({ metrics, row }) => (metrics === null ? row.id : [])).join(', ');
  if (others !== '' && !all) {
    throw new UserError({
      code: 'no-metrics',
      what: `A row has only a run of Advent of Code, and these are none: ${others}.`,
      fix: 'Leave them out, or choose `--format json` or `--format md`.',
    });
  }
  if (others !== '') shell.err.write(`Without a row, as they are no Advent of Code runs: ${others}.\n`);
  const { metricsCsv } = await hooksFor(shell, exportedRuns[0]?.view.header ?? null);
  return metricsCsv?.(exportedRuns.map(({ events }) => events)) ?? '';
}

function writeFolders(shell: Shell, runs: readonly ExportedRun[], { out = '.', force }: Options): void {
  const folder = resolve(shell.folder, out);
  const files = runs.flatMap(({ row, files: own }) =>
    Object.entries(own).map(([name, text]) => {
      // A journal names its stages, and so the files of its programs.
      const parts = name.split('/').map(asFileName);
      return { path: join(folder, asFileName(row.id), ...parts), text };
    }),
  );
  writeFiles(files, { force, folder });
  for (const { row } of runs) shell.out.write(`${join(folder, asFileName(row.id))}\n`);
  shell.err.write(`Written: ${count(files.length, 'file')}.\n`);
}

async function writeScript(shell: Shell, [run]: readonly ExportedRun[], options: Options): Promise<void> {
  if (!run) return;
  const { hiddenTexts } = await hooksFor(shell, run.view.header);
  const hidden = options.withPuzzle ? [] : (hiddenTexts?.(run.events) ?? []);
  const { text, calls } = recordScript(run.events, { env: shell.env, hidden });
  writeDocument(shell, text, options);
  const file = options.out ?? 'FILE';
  shell.err.write(`${count(calls, 'model call')}. Play them with --model scripted:${file}\n`);
}
