/**
 * `polya proof show`: what a run made of a problem: the proof, every report, the counters over time, hints with the turn
 * from which they hold; on the screen or as a document. Of a run-set it lists the runs.
 */
import { type Command, Option } from 'commander';
import { type CommandFile, print, type Shell } from '../../../cli/contract.ts';
import { anyRuns, findRun, withPolya, withRun } from '../../../cli/journals.ts';
import { writeDocument } from '../../../cli/safe-write.ts';
import { findSet } from '../../../cli/sets.ts';
import { exitCodes, UserError } from '../../../core/errors.ts';
import type { Journals } from '../../../open/options.ts';
import { outcomeOf } from '../../../open/set-json.ts';
import { type RunSet, setOf } from '../../../studies/run-set/plan.ts';
import { type RowResult, readRows } from '../../../studies/run-set/rows.ts';
import { duration, oneLine } from '../../../text/format.ts';
import { allModels, costText } from '../../../text/labels.ts';
import { table } from '../../../text/table.ts';
import { byPandoc, type PandocFormat, pandocFormats } from '../export/pandoc.ts';
import type { ProofAttempt } from '../record.ts';
import { type ProofReport, plot, pointsOf, proofText } from '../report.ts';
import { proofJson, readProof } from '../tell.ts';

const documentFormats = ['markdown', ...pandocFormats] as const;

type Options = {
  readonly format?: 'markdown' | PandocFormat;
  readonly out?: string;
  readonly force: boolean;
  readonly json?: boolean;
};

export const proofShow: CommandFile = {
  isReport: true,
  define(command: Command) {
    command
      .argument('<run>', 'a run or a run-set: its id, the beginning or end of it, or `last`')
      .addOption(
        new Option(
          '--format <format>',
          'a document: Markdown, or what pandoc makes of it, where that is installed',
        ).choices(documentFormats),
      )
      .option('--out <file>', 'where to write the document (default: standard output)')
      .option('--force', 'replace a file that exists', false)
      .addOption(new Option('--json', 'print it as JSON').conflicts('format'));
  },
  async run(shell, command) {
    const name: string = command.processedArgs[0];
    const options = command.opts<Options>();
    if (options.format === 'pdf' && options.out === undefined) {
      throw new UserError({
        code: 'pdf-needs-file',
        what: 'A PDF is no text to be printed.',
        fix: 'Add --out with the file that it is to be.',
      });
    }
    if (options.out !== undefined && options.format === undefined) {
      throw new UserError({
        code: 'format-needs-file',
        what: 'A file is named, but not what it is to be.',
        fix: `Add --format with one of: ${documentFormats.join(', ')}.`,
      });
    }
    const set = await setNamed(shell, name);
    if (set) return withPolya(shell, (polya) => showSet(shell, polya, set, options), { create: false });
    return withRun(shell, name, async (polya, { id }) => {
      const report = await readProof(shell, polya, id);
      assertProofRun(report);
      await show(shell, report, options);
      return exitCodes.ok;
    });
  },
};

async function show(shell: Shell, report: ProofReport, options: Options): Promise<void> {
  const { format, json } = options;
  if (format !== undefined) await writeProof(shell, report, { ...options, format });
  else print(shell.out, json ? proofJson(report) : proofText(shell.out, report, { withReports: true }));
}

async function writeProof(
  shell: Shell,
  report: ProofReport,
  { format, ...options }: Options & { readonly format: NonNullable<Options['format']> },
): Promise<void> {
  // Loaded here because a proof on the screen needs no typesetter.
  const { proofMarkdown } = await import('../export/markdown.ts');
  const markdown = proofMarkdown(report);
  if (format === 'markdown') return writeDocument(shell, markdown, options);
  const { env } = shell;
  const created = await byPandoc(markdown, { format, env, title: report.result.row.id });
  writeDocument(shell, format === 'pdf' ? created : new TextDecoder().decode(created), options);
}

/** Null where no run-set is meant. A whole id is what it says; the ids of a set's runs begin with that of the set. */
export async function setNamed(shell: Shell, name: string): Promise<RunSet | null> {
  if (name === 'last' || !anyRuns(shell)) return null;
  return withPolya(
    shell,
    async ({ world: { store } }) => {
      const all = await store.getSet(name);
      if (all) return setOf(all);
      if (await findRun(store, name).catch(() => null)) return null;
      const row = await findSet(store, name).catch(() => null);
      return row && setOf(row);
    },
    { create: false },
  );
}

async function showSet(shell: Shell, polya: Journals, set: RunSet, options: Options): Promise<number> {
  if (options.format !== undefined) {
    throw new UserError({
      code: 'one-proof-expected',
      what: `${set.id} is a run-set, and a document is of one proof.`,
      fix: `\`polya proof show ${set.id}\` lists its runs; name one of them.`,
    });
  }
  const rows = await readRows(polya.world.store, set);
  const visible = await Promise.all(
    rows.map(async (row) => ({
      row,
      report: row.state === 'missing' ? null : await readProof(shell, polya, row.runId),
    })),
  );
  print(shell.out, options.json ? proofSetJson(set, visible) : proofSetText(shell, set, visible));
  return exitCodes.ok;
}

export const isOfProof = ({ record: { header, attempts, grading } }: ProofReport): boolean =>
  header?.problem.family === 'proof' || attempts.length > 0 || grading !== null;

export function assertProofRun(report: ProofReport): void {
  if (isOfProof(report)) return;
  const { header } = report.record;
  const { id } = report.result.row;
  throw new UserError({
    code: 'not-a-proof',
    what: `Run ${id} proves nothing: it is of the family ${header?.problem.family ?? 'unknown'}.`,
    fix: `\`polya runs show ${id}\` shows it.`,
  });
}

/** `report` is null where the row has not been begun. */
type TableRow = { readonly row: RowResult; readonly report: ProofReport | null };

function proofSetText({ out, calledAs }: Shell, set: RunSet, rows: readonly TableRow[]): string {
  const head = ['row', 'run', 'outcome', 'attempts', 'passes', 'most', 'cost', 'time'];
  const heading = `${out.paint('strong', `Run-set ${set.id}`)}: ${oneLine(set.plan.name)}`;
  const accepted = rows.flatMap(({ row, report }) =>
    report?.record.proof?.standing === 'accepted' ? [row.runId] : [],
  );
  const text = accepted.length
    ? accepted.map((id) => `  ${calledAs} proof show ${id}\n`).join('')
    : '  none\n';
  return `${heading}\n\n${table(out, head, rows.map(cells))}\nAccepted proofs:\n${text}`;
}

function cells({ row, report }: TableRow): (string | number)[] {
  const { plan, runId, view } = row;
  if (!report || !view) return [plan.name, runId, outcomeOf(row), '', '', '', '', ''];
  const { attempts } = report.record;
  const { passes = 5 } = plan.settings;
  return [
    plan.name,
    runId,
    outcomeOf(row),
    attempts.length,
    attempts.map((attempt) => plot(formatPasses(attempt), Number(passes))).join(' '),
    Math.max(0, ...attempts.flatMap(formatPasses)),
    costText(view.totals, allModels(view)),
    duration(view.aliveMs),
  ];
}

function formatPasses(attempt: ProofAttempt): number[] {
  return pointsOf(attempt).map(({ passes }) => passes);
}

function proofSetJson(set: RunSet, rows: readonly TableRow[]) {
  return {
    id: set.id,
    name: set.plan.name,
    rows: rows.map(({ row, report }) => ({
      row: row.index + 1,
      name: row.plan.name,
      run: row.runId,
      state: row.state,
      proof: report && proofJson(report),
    })),
  };
}
