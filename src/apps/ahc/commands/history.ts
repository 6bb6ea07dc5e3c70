import type { Command } from 'commander';
import type { CommandFile, Shell } from '../../../cli/contract.ts';
import { secondsText } from '../../../cli/exec/words.ts';
import { parseInteger } from '../../../cli/options.ts';
import { exitCodes } from '../../../core/errors.ts';
import { readBest } from '../../../families/ahc/records/best.ts';
import { readHistory } from '../../../families/ahc/records/history.ts';
import { readVersions } from '../../../families/ahc/records/versions.ts';
import { readContest, type Workspace } from '../../../families/ahc/workspace.ts';
import { asCalled, count, formatTimestamp, oneLine } from '../../../text/format.ts';
import { table } from '../../../text/table.ts';
import { summaryOf } from '../compare/summary.ts';
import { openContext } from '../evaluation-context.ts';
import { averageText, scoreText, shareText, verdictsText } from '../words.ts';
import { tellJson, type WorkspaceOptions, warn, workspaceOptions } from '../workspace.ts';

type HistoryOptions = WorkspaceOptions & {
  readonly last: number;
};

export const ahcHistory: CommandFile = {
  isReport: true,
  define(command: Command) {
    workspaceOptions(command).option(
      '-n, --last <number>',
      'how many evaluations the table shows',
      parseInteger(1),
      20,
    );
  },
  async run(shell, command) {
    const options = command.opts<HistoryOptions>();
    const { workspace } = openContext(shell, command);
    const previous = await readPast(workspace);
    if (previous.damaged > 0)
      warn(shell, `${count(previous.damaged, 'line')} of the history cannot be read; the rest is shown.`);
    if (options.json) tellJson(shell, jsonOf(previous, workspace.folder.path));
    else tell(shell, previous, options);
    return exitCodes.ok;
  },
};

type Past = Awaited<ReturnType<typeof readPast>>;

async function readPast(workspace: Workspace) {
  const { folder } = workspace;
  const { direction } = await readContest(workspace);
  const { values, damaged } = await readHistory(folder);
  const versions = await readVersions(folder);
  const scale = { direction, best: await readBest(folder, direction) };
  const nameOf = new Map(versions.map(({ source, name }) => [source, name]));
  const rows = values.map((each) => ({
    ...each,
    version: nameOf.get(each.source) ?? 'v?',
    summary: summaryOf(each.cases, scale),
  }));
  return { rows, damaged, versions };
}

function tell({ out, ...shell }: Shell, { rows }: Past, { last }: HistoryOptions): void {
  if (rows.length === 0) {
    const text = 'Nothing was evaluated in this workspace yet: `polya ahc test` begins.';
    return out.write(`${asCalled(text, shell)}\n`);
  }
  const shown = rows.slice(-last);
  const head = ['version', 'when', 'file', 'cases', 'verdicts', 'total', 'average', 'of best', 'slowest'];
  const isSaid = shown.some(({ message, tag }) => message !== undefined || tag !== undefined);
  const cells = shown.map(({ version, atMs, file, cases, asked, compiled, summary, message, tag }) => [
    version,
    formatTimestamp(atMs),
    file,
    cases.length === asked || !compiled ? `${cases.length}` : `${cases.length} of ${asked}`,
    compiled ? verdictsText(summary.verdicts) : 'CE',
    scoreText(summary.total),
    averageText(summary.average),
    shareText(summary.relativeAverage),
    compiled ? secondsText(summary.slowestMs) : '–',
    ...(isSaid
      ? [oneLine([...(tag === undefined ? [] : [`[${tag}]`]), message ?? ''].join(' ').trim())]
      : []),
  ]);
  out.write(table(out, isSaid ? [...head, 'comment'] : head, cells));
  const older = rows.length - shown.length;
  if (older > 0) out.write(`${count(older, 'older evaluation')} not shown; --last shows more.\n`);
}

function jsonOf({ rows, damaged, versions }: Past, workspace: string) {
  const evaluations = rows.map(({ version, cases, ...rest }) => ({ version, ...rest, cases }));
  return { workspace, damaged, versions, evaluations };
}
