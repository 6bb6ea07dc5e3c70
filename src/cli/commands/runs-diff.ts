/** `polya runs diff`: two runs side by side: how they were begun, where they part, what came of them. */
import { exitCodes, JournalError } from '../../core/errors.ts';
import { type Event, type Header, positionName } from '../../core/event.ts';
import { canonicalJson, type Json } from '../../core/json.ts';
import { answerText } from '../../notes/ensemble.ts';
import { describeEvent, notesIn } from '../../notes/event-line.ts';
import { clip, duration, oneLine } from '../../text/format.ts';
import { field, isObject } from '../../text/json.ts';
import { allModels, costText, outcomeText, tokensText, toolCallsOf } from '../../text/labels.ts';
import { table } from '../../text/table.ts';
import { type CommandFile, type Output, print } from '../contract.ts';
import { type ReadRun, readRun } from '../drive.ts';
import { findRun, refuseDamage, withRun } from '../journals.ts';
import { runJson, stateOf } from '../run-report.ts';

export const runsDiff: CommandFile = {
  define(command) {
    command
      .argument('<a>', 'a run: its id, the beginning or end of it, or `last`')
      .argument('<b>', 'another one')
      .option('--json', 'print it as JSON');
  },
  run: (shell, command) =>
    withRun(shell, command.processedArgs[0], async (polya, { id }) => {
      const other = await findRun(polya.world.store, command.processedArgs[1]);
      const [a, b] = [await readRun(shell, polya, id), await readRun(shell, polya, other.id)];
      const difference = differenceOf(a, b);
      const { json } = command.opts<{ json?: boolean }>();
      print(shell.out, json ? differenceJson(difference) : differenceText(shell.out, difference));
      return exitCodes.ok;
    }),
};

type Compared = ReadRun & { readonly header: Header };

type Difference = ReturnType<typeof differenceOf>;

/** Of `header`, an entry that a run does not have is null. */
function differenceOf(one: ReadRun, other: ReadRun) {
  const [a, b] = [whole(one), whole(other)];
  const [entriesA, entriesB] = [entriesOf(a), entriesOf(b)];
  const header = Object.keys({ ...entriesA, ...entriesB })
    .map((name) => ({ name, a: entriesA[name] ?? null, b: entriesB[name] ?? null }))
    .filter((entry) => canonicalJson(entry.a) !== canonicalJson(entry.b));
  return { a, b, header, parting: findParting(a.events, b.events) };
}

function whole(run: ReadRun): Compared {
  const { id } = run.row;
  refuseDamage(id, run);
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
  const begun = header.map((entry) => [
    entry.name,
    ...[entry.a, entry.b].map((value) => clip(valueText(value), cellCharacters)),
  ]);
  const columns = output.isTerminal ? output.columns : 160;
  const line = ({ row: { id }, header: author }: Compared, event: Event | null) => {
    const told = event ? `event ${event.seq}: ${describeEvent(event, author).text}` : 'has no such event';
    return `  ${output.paint('faint', id)}  ${clip(told, Math.max(40, columns - id.length - 4))}\n`;
  };
  return [
    title('How they were begun'),
    begun.length ? table(output, head, begun) : 'Alike.\n',
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
    .filter(([, one, two]) => one !== '' || two !== '');
}

function resultsOf({ row, view, metrics }: Compared): Record<string, string> {
  const { totals, end } = view;
  const { answer } = end?.solution ?? {};
  const { score } = end?.grade ?? {};
  return {
    outcome: end && stateOf(row) === 'ended' ? outcomeText(end) : stateOf(row),
    answer: answer ? clip(oneLine(answerText(answer)), cellCharacters) : '',
    score: score === undefined ? '' : String(score),
    'model calls': String(totals.modelCalls),
    'tool calls': String(toolCallsOf(totals)),
    tokens: tokensText(totals),
    cost: costText(totals, allModels(view)),
    time: duration(view.aliveMs),
    ...metrics?.rows,
  };
}

/** What its user told it, a fork's hint included. */
function toldTo(events: readonly Event[]): string | null {
  const told = events.flatMap(notesIn);
  return told.length > 0 ? told.join(' / ') : null;
}

function entriesOf({ header, events }: Compared): Record<string, Json> {
  const { runId, problem, agent, limits, prompts, sandbox, seed, codeVersion, retry, code = [] } = header;
  const models = Object.entries(header.models);
  const toolchains = sandbox?.toolchains ?? [];
  return {
    problem: problem.id,
    'problem content': problem.contentHash,
    ...prefixed('problem', problem.reference),
    agent: agent.name,
    hints: toldTo(events),
    ...prefixed('setting', agent.settings),
    ...Object.fromEntries(models.map(([role, { spec }]) => [`model ${role}`, spec])),
    ...Object.assign({}, ...models.map(([role, { settings = {} }]) => prefixed(`model ${role}`, settings))),
    ...prefixed('limit', limits),
    ...prefixed('prompt', prompts),
    ...prefixed('retry', retry),
    sandbox: sandbox && `${sandbox.backend} ${sandbox.version}`,
    ...Object.fromEntries(
      toolchains.map(({ language, version, level }) => [
        `toolchain ${language}`,
        `${version} ${level}`.trim(),
      ]),
    ),
    // A run without a seed of its user's has its id.
    seed: seed === runId ? null : seed,
    polya: codeVersion,
    ...Object.fromEntries(
      code.flatMap(({ file, hash, brings }) =>
        brings.map((part) => [`code of the ${part}`, `${file} ${hash}`]),
      ),
    ),
  };
}

function prefixed(prefix: string, entries: object): Record<string, Json> {
  return Object.fromEntries(Object.entries(entries).map(([name, value]) => [`${prefix} ${name}`, value]));
}

/** `at`: `main#5 tool-call`; null for an event that a journal does not have, and where they say the same. */
function findParting(a: readonly Event[], b: readonly Event[]) {
  const [linesA, linesB] = [linesOf(a), linesOf(b)];
  for (const [at, event] of linesA) {
    const other = linesB.get(at) ?? null;
    if (!other || contentOf(event) !== contentOf(other)) return { at, a: event, b: other };
  }
  for (const [at, event] of linesB) if (!linesA.has(at)) return { at, a: null, b: event };
  return null;
}

/** Headers are compared by themselves; who worked on a run, and how late it was, is no part of what it did. */
const passedOver: ReadonlySet<Event['kind']> = new Set(['run-start', 'run-fork', 'run-resume', 'clock']);

/** By position and kind; what has no position, by how often there was such an event before it. */
function linesOf(events: readonly Event[]): Map<string, Event> {
  const lines = new Map<string, Event>();
  const seen = new Map<string, number>();
  for (const event of events) {
    if (passedOver.has(event.kind)) continue;
    const place = `${positionName(event)} ${event.kind}`;
    const before = seen.get(place) ?? 0;
    seen.set(place, before + 1);
    lines.set(before === 0 ? place : `${place} (${before + 1})`, event);
  }
  return lines;
}

/** Of what a tool gave, what the model was told: the rest says how it came about. */
function contentOf({ kind, body }: Event): string {
  const content: Json = JSON.parse(JSON.stringify(body));
  const result = kind === 'tool-result' ? field(content, 'result') : undefined;
  const isTold = isObject(content) && isObject(result);
  return canonicalJson(comparable(isTold ? { ...content, result: { ...result, data: null } } : content));
}

const personal: ReadonlySet<string> = new Set([
  // Named anew by each run, or by its provider.
  ...['id', 'callId', 'runId', 'provider', 'servedBy', 'rawReply'],
  // Measured, or computed from what is in the header.
  ...['aliveMs', 'usage', 'reserve', 'model', 'wallMs', 'cpuMs', 'peakMemoryBytes', 'waitedMs', 'leftMs'],
]);

const measure = /\b\d+(?:\.\d+)? (?:ms|s|MiB)\b/g;

function comparable(value: Json): Json {
  if (typeof value === 'string') return value.replaceAll(measure, '…');
  if (Array.isArray(value)) return value.map(comparable);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([key]) => !personal.has(key));
  return Object.fromEntries(kept.map(([key, inner]) => [key, comparable(inner ?? null)]));
}
