/** What the demo showed: a table an act for people, all of it as JSON for programs. Pure. */

import type { JsonObject } from '../../core/json.ts';
import { duration, harmlessJson } from '../../text/format.ts';
import { tokensText } from '../../text/labels.ts';
import { table } from '../../text/table.ts';
import type { Shell } from '../contract.ts';
import { runJson } from '../run-report.ts';
import type { RunResult } from '../run-result.ts';
import type { Act } from './act.ts';

/** Of an act, the runs that were begun. */
export type Shown = {
  readonly act: Act;
  readonly leftOut: readonly string[];
  readonly runs: readonly RunResult[];
};

export const scriptLabel = 'script: replies written ahead, no model was asked';

export function demoJson(
  demo: string,
  set: string,
  shown: readonly Shown[],
  contest: JsonObject | null,
): string {
  const told = {
    demo,
    label: scriptLabel,
    set,
    acts: shown.map(({ act, leftOut, runs }) => ({
      act: act.name,
      title: act.title,
      leftOut,
      runs: runs.map(({ row }) => row.id),
    })),
    runs: shown.flatMap(({ runs }) => runs.map(runJson)),
    ...(contest === null ? {} : { contest }),
  };
  return `${harmlessJson(told, 2)}\n`;
}

/** The tables and what to try next; they fit into 100 columns. `more`: what else may be tried, in lines. */
export function demoText(
  shell: Pick<Shell, 'out' | 'calledAs'>,
  set: string,
  shown: readonly Shown[],
  more = '',
): string {
  const begun = shown.filter(({ runs }) => runs.length > 0);
  const next = [
    ['runs show last', 'the journal of the last run, line by line'],
    ['runs replay last', 'the same run again: free and offline'],
    ...begun.flatMap(({ act, runs }) => act.next(runs)),
    [`run-set show ${set}`, 'all of the demo: it was one run-set'],
  ];
  const told = next.map(
    ([command = '', meaning = '']) => `  ${shell.calledAs} ${command}\n      ${meaning}\n`,
  );
  return `\nPlayed by scripts: replies written ahead, no model was asked, nothing was paid.\n\n${begun.map((each) => actTable(shell, each)).join('\n')}\nWhat to try next:\n${told.join('')}${more}`;
}

function actTable({ out }: Pick<Shell, 'out'>, { act: { about, facts }, runs }: Shown): string {
  const head = ['run', about.head, 'outcome', ...facts.map((fact) => fact.head), 'tokens', 'time'];
  const rows = runs.map((result) => [
    result.row.id,
    about.cell(result),
    result.view.end?.outcome ?? 'interrupted',
    ...facts.map(({ cell }) => cell(result)),
    tokensText(result.view.totals),
    duration(result.view.aliveMs),
  ]);
  return table(out, head, rows);
}
