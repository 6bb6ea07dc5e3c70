/** `polya runs diff`: two runs side by side: how they were begun, where they part, what came of them. */
import type { Command } from 'commander';
import { exitCodes, JournalError } from '../../core/errors.ts';
import { type Event, type Header, positionName } from '../../core/event.ts';
import { type Polya, readJournal } from '../../index.ts';
import type { CommandFile } from '../command.ts';
import { readRun } from '../drive.ts';
import { describeEvent } from '../event-line.ts';
import { type HeaderDifference, headerDifferences } from '../header-diff.ts';
import { findRun, withRun } from '../journals.ts';
import { costText, outcomeText, tokensText, toolCallsOf } from '../labels.ts';
import { partRows } from '../metrics-report.ts';
import { findParting, type Parting } from '../parting.ts';
import { type RunResult, runJson, stateOf } from '../run-report.ts';
import type { Output, Shell } from '../shell.ts';
import { table } from '../table.ts';
import { clip, duration, harmlessJson } from '../text.ts';

type Compared = RunResult & { readonly header: Header; readonly events: readonly Event[] };

type Difference = {
  readonly a: Compared;
  readonly b: Compared;
  readonly header: readonly HeaderDifference[];
  readonly parting: Parting | null;
};

export const runsDiff: CommandFile = {
  define(command: Command) {
    command
      .argument('<a>', 'a run: its id, the beginning or end of it, or `last`')
      .argument('<b>', 'another one')
      .option('--json', 'print it as JSON');
  },
  run: (shell, command) =>
    withRun(shell, command.processedArgs[0], async (polya, { id }) => {
      const other = await findRun(polya.world.store, command.processedArgs[1]);
      const difference = between(await compared(polya, id), await compared(polya, other.id));
      if (command.opts<{ json?: boolean }>().json)
        shell.out.write(`${harmlessJson(differenceJson(difference), 2)}\n`);
      else tell(shell, difference);
      return exitCodes.ok;
    }),
};

async function compared(polya: Polya, id: string): Promise<Compared> {
  const { events, damage } = await readJournal(polya.world.store, id);
  const result = await readRun(polya, id);
  const { header } = result.view;
  if (header && !damage) return { ...result, header, events };
  throw new JournalError({
    what: `The journal of run ${id} is damaged${damage ? ` at event ${damage.seq}: ${damage.reason}` : ''}.`,
    fix: `\`polya runs show ${id}\` shows what is whole.`,
  });
}

function between(a: Compared, b: Compared): Difference {
  return {
    a,
    b,
    header: headerDifferences(a.header, b.header),
    parting: findParting(a.events, b.events),
  };
}

function differenceJson({ a, b, header, parting }: Difference) {
  return {
    a: runJson(a),
    b: runJson(b),
    header,
    parting: parting && { at: parting.at, a: eventJson(parting.a), b: eventJson(parting.b) },
  };
}

function eventJson(event: Event | null) {
  if (!event) return null;
  const { seq, kind } = event;
  return { seq, kind, position: positionName(event), text: describeEvent(event).text };
}

function tell({ out }: Shell, { a, b, header, parting }: Difference): void {
  const head = ['', a.row.id, b.row.id];
  out.write(`${out.paint('strong', 'How they were begun')}\n`);
  out.write(header.length ? table(out, head, header.map(headerRow)) : 'Alike.\n');
  out.write(`\n${out.paint('strong', 'Where they part')}\n${partingText(out, { a, b, parting })}`);
  out.write(`\n${out.paint('strong', 'What came of them')}\n${table(out, head, resultRows(a, b))}`);
}

const cellCharacters = 48;

function headerRow({ name, a, b }: HeaderDifference): string[] {
  return [name, ...[a, b].map((value) => clip(valueText(value), cellCharacters))];
}

function valueText(value: HeaderDifference['a']): string {
  if (value === null) return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function partingText(
  output: Output,
  { a, b, parting }: Pick<Difference, 'a' | 'b' | 'parting'>,
): string {
  if (!parting) return 'Nowhere: they say the same at every position.\n';
  const lines = [
    [a.row.id, parting.a],
    [b.row.id, parting.b],
  ] as const;
  const columns = output.isTerminal ? output.columns : 160;
  return `At ${parting.at}:\n${lines
    .map(([id, event]) => {
      const told = event ? `event ${event.seq}: ${describeEvent(event).text}` : 'has no such event';
      return `  ${output.paint('faint', id)}  ${clip(told, Math.max(40, columns - id.length - 4))}\n`;
    })
    .join('')}`;
}

function resultRows(a: Compared, b: Compared): string[][] {
  const [left, right] = [a, b].map(resultsOf);
  const names = [...new Set([...Object.keys(left ?? {}), ...Object.keys(right ?? {})])];
  return names
    .map((name) => [name, left?.[name] ?? '', right?.[name] ?? ''])
    .filter(([, one, two]) => one !== '' || two !== '');
}

function resultsOf({ row, view, metrics }: Compared): Record<string, string> {
  const { totals } = view;
  const parts = metrics ? partRows(metrics) : [];
  return {
    outcome: view.end && stateOf(row) === 'ended' ? outcomeText(view.end) : stateOf(row),
    'model calls': String(totals.modelCalls),
    'tool calls': String(toolCallsOf(totals)),
    tokens: tokensText(totals),
    cost: costText(totals, view.header?.models ?? {}),
    time: duration(view.aliveMs),
    ...Object.fromEntries(parts.map(([name, one]) => [`part 1 ${name}`, one])),
    ...Object.fromEntries(parts.map(([name, , two]) => [`part 2 ${name}`, two])),
  };
}
