/** `polya ahc history`: the evaluations of a workspace, and the course of the score over the versions. */

import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { CommandFile, Shell } from '../../../cli/contract.ts';
import { secondsText } from '../../../cli/exec/words.ts';
import { wholeNumber } from '../../../cli/options.ts';
import { writeFiles } from '../../../cli/safe-write.ts';
import { exitCodes, UserError } from '../../../core/errors.ts';
import { type BestScores, readBest } from '../../../families/ahc/records/best.ts';
import { casesOfVersion, type EvaluationRecord, readHistory } from '../../../families/ahc/records/history.ts';
import { readVersions, type Version } from '../../../families/ahc/records/versions.ts';
import { readContest, type Workspace } from '../../../families/ahc/workspace.ts';
import { asCalled, count, harmlessJson, moment } from '../../../text/format.ts';
import { table } from '../../../text/table.ts';
import { type Course, courseOf, type Summary, summaryOf } from '../compare/summary.ts';
import { openContext } from '../evaluation-context.ts';
import { casesText, chartSvg, chartText, namesText, scoreText, shareText, verdictsText } from '../words.ts';
import { type WorkspaceOptions, warn, workspaceOptions } from '../workspace.ts';

type HistoryOptions = WorkspaceOptions & {
  readonly last: number;
  readonly svg?: string;
  readonly force: boolean;
};

export const ahcHistory: CommandFile = {
  define(command: Command) {
    workspaceOptions(command)
      .option('-n, --last <number>', 'how many evaluations the table shows', wholeNumber(1), 20)
      .option('--svg <file>', 'draw the course of the score into this file')
      .option('--force', 'replace a file that exists', false);
  },
  async run(shell, command) {
    const options = command.opts<HistoryOptions>();
    const context = openContext(shell, command);
    const past = await readPast(context.workspace);
    if (past.damaged > 0)
      warn(shell, `${count(past.damaged, 'line')} of the history cannot be read; the rest is shown.`);
    if (options.svg !== undefined) {
      if (past.course.points.length === 0) throw nothingToDraw();
      const text = chartSvg(past.course, context.workspace.id);
      writeFiles([{ path: resolve(shell.folder, options.svg), text }], { force: options.force });
    }
    if (options.json) shell.out.write(`${harmlessJson(jsonOf(past, context.workspace.folder.path), 2)}\n`);
    else tell(shell, past, options);
    return exitCodes.ok;
  },
};

type PastEvaluation = EvaluationRecord & { readonly version: string; readonly summary: Summary };
type Past = {
  readonly rows: readonly PastEvaluation[];
  readonly damaged: number;
  readonly versions: readonly Version[];
  readonly course: Course;
  readonly best: BestScores;
};

async function readPast(workspace: Workspace): Promise<Past> {
  const { folder } = workspace;
  const contest = await readContest(workspace);
  const { values, damaged } = await readHistory(folder);
  const versions = await readVersions(folder);
  const best = await readBest(folder, contest.direction);
  const scale = { direction: contest.direction, best };
  const nameOf = new Map(versions.map(({ source, name }) => [source, name]));
  const rows = values.map((each) => ({
    ...each,
    version: nameOf.get(each.source) ?? 'v?',
    summary: summaryOf(each.cases, scale),
  }));
  const ofVersions = versions.map(({ name, source }) => ({
    name,
    cases: casesOfVersion(values, source),
  }));
  const course = courseOf(
    ofVersions.filter(({ cases }) => cases.length > 0),
    { ...scale, scoring: contest.scoring },
  );
  return { rows, damaged, versions, course, best };
}

function tell(shell: Shell, { rows, course }: Past, { last, svg }: HistoryOptions): void {
  if (rows.length === 0) {
    shell.out.write(
      `${asCalled('Nothing was evaluated in this workspace yet: `polya ahc test` begins.', shell)}\n`,
    );
    return;
  }
  const shown = rows.slice(-last);
  const head = ['version', 'when', 'file', 'cases', 'verdicts', 'total', 'average', 'of best', 'slowest'];
  shell.out.write(
    table(
      shell.out,
      head,
      shown.map(({ version, atMs, file, cases, asked, compiled, summary }) => [
        version,
        moment(atMs),
        file,
        cases.length === asked || !compiled ? `${cases.length}` : `${cases.length} of ${asked}`,
        compiled ? verdictsText(summary.verdicts) : 'CE',
        scoreText(summary.total),
        scoreText(summary.average),
        shareText(summary.relativeAverage),
        compiled ? secondsText(summary.slowestMs) : '–',
      ]),
    ),
  );
  if (rows.length > shown.length)
    shell.out.write(
      `${count(rows.length - shown.length, 'older evaluation')} not shown; --last shows more.\n`,
    );
  shell.out.write(courseText(course, shell.out.columns));
  if (svg !== undefined) shell.out.write(`\nDrawn into ${svg}\n`);
}

function courseText(course: Course, columns: number): string {
  const { common, points, leftOut, unit } = course;
  if (points.length === 0) return '';
  const what = unit === 'points' ? 'share of the best known' : 'score';
  const lines = [
    '',
    `mean ${what} over the ${casesText(common)} that all of these versions were run on`,
    chartText(course, columns),
  ];
  if (leftOut.length > 0) {
    lines.push(`left out, because they were run on too few of these cases: ${namesText(leftOut)}`);
  }
  return `${lines.join('\n')}\n`;
}

function jsonOf({ rows, damaged, versions, course }: Past, workspace: string) {
  return {
    workspace,
    damaged,
    versions,
    evaluations: rows.map(({ version, cases, ...rest }) => ({ version, ...rest, cases })),
    course,
  };
}

function nothingToDraw(): UserError {
  return new UserError({
    code: 'nothing-to-draw',
    what: 'There is nothing to draw yet.',
    fix: '`polya ahc test` makes the first point.',
  });
}
