/** The result of a search for constants: a table of them, the gain on unseen cases, and the tuned program as a file. */
import { existsSync } from 'node:fs';
import type { Output, RunResult, Shell } from '../../../cli/contract.ts';
import { writeFiles } from '../../../cli/safe-write.ts';
import { exitCodes } from '../../../core/errors.ts';
import { foldTuning, formatImprovement, numberText, type TuningView } from '../../../notes/tuning.ts';
import type { Journals } from '../../../open/options.ts';
import { readJournal } from '../../../run/load.ts';
import { count } from '../../../text/format.ts';
import { table } from '../../../text/table.ts';
import { tellJson } from '../workspace.ts';

/** Resolves to the exit code: a search that finds nothing has done its work. */
export async function tellTuning(
  shell: Shell,
  polya: Journals,
  result: RunResult,
  { json, force }: { readonly json?: boolean; readonly force?: boolean },
  code: number,
): Promise<number> {
  const view = foldTuning((await readJournal(polya.world.store, result.row.id)).events);
  const isBetter = view.tuned?.gain?.verdict === 'better';
  const text = isBetter ? write(shell, result, force) : null;
  if (json) tellJson(shell, documentOf(result, view, text));
  else shell.out.write(tuningText(shell.out, result, view, text));
  return view.tuned ? exitCodes.ok : code;
}

/** Where it went; null where the search was not begun with a place for it. */
function write(shell: Shell, { row, view }: RunResult, force = false): string | null {
  const { writeTo } = view.header?.agent.settings ?? {};
  const answer = view.end?.solution?.answer;
  if (typeof writeTo !== 'string' || answer?.type !== 'source') return null;
  if (existsSync(writeTo) && !force) {
    shell.err.write(
      `${writeTo} exists already and was left as it is; the tuned program stands in the journal: ${shell.calledAs} runs show ${row.id} --full\n`,
    );
    return null;
  }
  writeFiles([{ path: writeTo, text: answer.source }], { force });
  return writeTo;
}

export function constantsTable(
  output: Output,
  constants: NonNullable<TuningView['search']>['constants'],
  tuned: Readonly<Record<string, number>>,
): string {
  const rows = constants.map(({ name, line, value, low, high, scale, origin }) => {
    const now = tuned[name];
    const change = now === undefined || now === value ? '–' : `→ ${numberText(now)}`;
    const range = `${numberText(low)} to ${numberText(high)}${scale === 'log' ? ', log' : ''}`;
    return [name, line, numberText(value), change, range, origin];
  });
  return table(output, ['constant', 'line', 'old', 'new', 'searched', 'found as'], rows);
}

function tuningText(
  output: Output,
  { row, view: { header } }: RunResult,
  { search, tuned }: TuningView,
  text: string | null,
): string {
  const file = header?.agent.settings.file;
  if (!tuned) return `Run ${row.id} ended before its search did.\n`;
  const { gain, trials, evaluations } = tuned;
  const head = `${count(trials, 'trial')} in ${count(evaluations, 'evaluation')}, no model asked. ${tuned.because}`;
  const worth = gain
    ? `On ${search?.areFresh ? 'new' : 'unseen'} cases: ${formatImprovement(gain, tuned.unit)}.`
    : 'No values were ahead of those of the program, so nothing was left to be proved.';
  const verdict =
    gain?.verdict === 'better'
      ? output.paint('good', text ? `Written to ${text}.` : 'Nothing was written.')
      : output.paint('warn', `No gain beyond noise: ${file} stays as it is, nothing was written.`);
  return `\n${constantsTable(output, search?.constants ?? [], tuned.values)}\n${head}\n${worth}\n${verdict}\n`;
}

function documentOf(
  { row, view: { header, end } }: RunResult,
  { search, trials, tuned }: TuningView,
  written: string | null,
) {
  return {
    run: row.id,
    outcome: end?.outcome ?? null,
    file: header?.agent.settings.file ?? null,
    written,
    isBetter: tuned?.gain?.verdict === 'better',
    constants: (search?.constants ?? []).map((each) => ({
      ...each,
      new: tuned?.values[each.name] ?? each.value,
    })),
    gain: tuned?.gain ?? null,
    cases: search?.cases ?? null,
    unseen: search && { cases: search.unseen, areFresh: search.areFresh },
    trials: trials.length,
    evaluations: tuned?.evaluations ?? null,
    because: tuned?.because ?? null,
  };
}
