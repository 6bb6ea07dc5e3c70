/** `polya runs diff`: two runs side by side: how they were begun, where they part, what came of them. */
import { exitCodes, JournalError } from '../../core/errors.ts';
import { type Event, type Header, positionName } from '../../core/event.ts';
import type { Json } from '../../core/json.ts';
import { answerText } from '../../notes/ensemble.ts';
import { describeEvent } from '../../notes/event-line.ts';
import { diffHeaders, findDivergence } from '../../notes/run-difference.ts';
import { runJson, stateOf } from '../../open/run-json.ts';
import { duration, oneLine } from '../../text/format.ts';
import { allModels, costText, outcomeText, tokensText, toolCallsOf } from '../../text/labels.ts';
import { table } from '../../text/table.ts';
import { fitToWidth } from '../../text/wrap.ts';
import { type CommandFile, type Output, print } from '../contract.ts';
import { type ReadRun, readRun } from '../drive.ts';
import { assertIntact, findRun, withRun } from '../journals.ts';

export const runsDiff: CommandFile = {
  isReport: true,
  define(command) {
    command
      .argument('<a>', 'a run: its id, the beginning or end of it, or `last`')
      .argument('<b>', 'another one')
      .option('--json', 'print it as JSON');
  },
  run: (shell, command) =>
    withRun(shell, command.processedArgs[0], async (polya, { id }) => {
      const other = await findRun(polya.world.store, command.processedArgs[1]);
      const read = async (name: string): Promise<Told> => {
        const run = await readRun(shell, polya, name);
        const messages = await polya.world.store.mail(name, 0);
        return { ...run, tells: messages.flatMap(({ kind, text }) => (kind === 'tell' ? [text] : [])) };
      };
      const [a, b] = [await read(id), await read(other.id)];
      const difference = differenceOf(a, b);
      const { json } = command.opts<{ json?: boolean }>();
      print(shell.out, json ? differenceJson(difference) : differenceText(shell.out, difference));
      return exitCodes.ok;
    }),
};

/** `tells`: what was put into its mailbox, read or not. */
type Told = ReadRun & { readonly tells: readonly string[] };
type Compared = Told & { readonly header: Header };

type Difference = ReturnType<typeof differenceOf>;

/** An entry of `header` that one run does not have is null. */
function differenceOf(one: Told, other: Told) {
  const [a, b] = [whole(one), whole(other)];
  return { a, b, header: diffHeaders(a, b), parting: findDivergence(a.events, b.events) };
}

function whole(run: Told): Compared {
  const { id } = run.row;
  assertIntact(id, run);
  const { header } = run.view;
  if (header) return { ...run, header };
  throw new JournalError({
    code: 'journal-damaged',
    what: `The journal of run ${id} is damaged.`,
    fix: `\`polya runs show ${id}\` shows what is whole.`,
  });
}

function differenceJson({ a, b, header, parting }: Difference) {
  return {
    a: runJson(a),
    b: runJson(b),
    header,
    parting: parting && { at: parting.at, a: eventJson(parting.a, a), b: eventJson(parting.b, b) },
  };
}

function eventJson(event: Event | null, { header }: Compared) {
  if (!event) return null;
  const { seq, kind } = event;
  return { seq, kind, position: positionName(event), text: describeEvent(event, header).text };
}

const cellCharacters = 48;

function differenceText(output: Output, { a, b, header, parting }: Difference): string {
  const head = ['', a.row.id, b.row.id];
  const title = (text: string) => `${output.paint('strong', text)}\n`;
  const startedRuns = header.map((entry) => [
    entry.name,
    ...[entry.a, entry.b].map((value) => fitToWidth(valueText(value), cellCharacters)),
  ]);
  const columns = output.isTerminal ? output.columns : 160;
  const line = ({ row: { id }, header }: Compared, event: Event | null) => {
    const text = event ? `event ${event.seq}: ${describeEvent(event, header).text}` : 'has no such event';
    return `  ${output.paint('faint', id)}  ${fitToWidth(text, Math.max(40, columns - id.length - 4))}\n`;
  };
  return [
    title('How they were begun'),
    startedRuns.length ? table(output, head, startedRuns) : 'Alike.\n',
    `\n${title('Where they part')}`,
    parting
      ? `At ${parting.at}:\n${line(a, parting.a)}${line(b, parting.b)}`
      : 'Nowhere: they say the same at every position.\n',
    `\n${title('What came of them')}`,
    table(output, head, resultRows(a, b)),
  ].join('');
}

function valueText(value: Json): string {
  if (value === null) return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function resultRows(a: Compared, b: Compared): string[][] {
  const [left, right] = [resultsOf(a), resultsOf(b)];
  return Object.keys({ ...left, ...right })
    .map((name) => [name, left[name] ?? '', right[name] ?? ''])
    .filter(([, one, second]) => one !== '' || second !== '');
}

function resultsOf({ row, view, metrics }: Compared): Record<string, string> {
  const { totals, end } = view;
  const { answer } = end?.solution ?? {};
  const { score } = end?.grade ?? {};
  return {
    outcome: end && stateOf(row) === 'ended' ? outcomeText(end) : stateOf(row),
    answer: answer ? fitToWidth(oneLine(answerText(answer)), cellCharacters) : '',
    score: score === undefined ? '' : String(score),
    'model calls': String(totals.modelCalls),
    'tool calls': String(toolCallsOf(totals)),
    tokens: tokensText(totals),
    cost: costText(totals, allModels(view)),
    time: duration(view.aliveMs),
    ...metrics?.rows,
  };
}
