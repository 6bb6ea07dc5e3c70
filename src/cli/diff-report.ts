/** Two runs side by side, for people and for programs. Pure. */
import { type Event, type Header, positionName } from '../core/event.ts';
import { canonicalJson, type Json } from '../core/json.ts';
import { describeEvent } from '../notes/event-line.ts';
import { clip, duration } from '../text/format.ts';
import { field, isObject } from '../text/json.ts';
import { allModels, costText, outcomeText, tokensText, toolCallsOf } from '../text/labels.ts';
import { table } from '../text/table.ts';
import type { Output } from './output.ts';
import { runJson, stateOf } from './run-report.ts';
import type { RunResult } from './run-result.ts';

export type Compared = RunResult & { readonly header: Header; readonly events: readonly Event[] };

export type Difference = {
  readonly a: Compared;
  readonly b: Compared;
  readonly header: readonly HeaderDifference[];
  readonly parting: Parting | null;
};

export function differenceJson({ a, b, header, parting }: Difference) {
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

export function differenceText(output: Output, { a, b, header, parting }: Difference): string {
  const head = ['', a.row.id, b.row.id];
  const title = (text: string) => `${output.paint('strong', text)}\n`;
  return [
    title('How they were begun'),
    header.length ? table(output, head, header.map(headerRow)) : 'Alike.\n',
    `\n${title('Where they part')}`,
    partingText(output, { a, b, parting }),
    `\n${title('What came of them')}`,
    table(output, head, resultRows(a, b)),
  ].join('');
}

const cellCharacters = 48;

function headerRow({ name, a, b }: HeaderDifference): string[] {
  return [name, ...[a, b].map((value) => clip(valueText(value), cellCharacters))];
}

function valueText(value: HeaderDifference['a']): string {
  if (value === null) return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function partingText(output: Output, { a, b, parting }: Pick<Difference, 'a' | 'b' | 'parting'>): string {
  if (!parting) return 'Nowhere: they say the same at every position.\n';
  const lines = [
    [a, parting.a],
    [b, parting.b],
  ] as const;
  const columns = output.isTerminal ? output.columns : 160;
  return `At ${parting.at}:\n${lines
    .map(
      ([
        {
          row: { id },
          header,
        },
        event,
      ]) => {
        const told = event ? `event ${event.seq}: ${describeEvent(event, header).text}` : 'has no such event';
        return `  ${output.paint('faint', id)}  ${clip(told, Math.max(40, columns - id.length - 4))}\n`;
      },
    )
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
  return {
    outcome: view.end && stateOf(row) === 'ended' ? outcomeText(view.end) : stateOf(row),
    'model calls': String(totals.modelCalls),
    'tool calls': String(toolCallsOf(totals)),
    tokens: tokensText(totals),
    cost: costText(totals, allModels(view)),
    time: duration(view.aliveMs),
    ...metrics?.rows,
  };
}

export type HeaderDifference = {
  readonly name: string;
  /** Null where that run has no such entry. */
  readonly a: Json;
  readonly b: Json;
};

export function headerDifferences(a: Header, b: Header): HeaderDifference[] {
  const [entriesA, entriesB] = [entriesOf(a), entriesOf(b)];
  const names = [...new Set([...Object.keys(entriesA), ...Object.keys(entriesB)])];
  return names
    .map((name) => ({ name, a: entriesA[name] ?? null, b: entriesB[name] ?? null }))
    .filter((entry) => canonicalJson(entry.a) !== canonicalJson(entry.b));
}

function entriesOf(header: Header): Record<string, Json> {
  const {
    runId,
    problem,
    agent,
    models,
    limits,
    prompts,
    sandbox,
    seed,
    codeVersion,
    retry,
    code = [],
  } = header;
  return {
    problem: problem.id,
    'problem content': problem.contentHash,
    ...prefixed('problem', problem.reference),
    agent: agent.name,
    ...prefixed('setting', agent.settings),
    ...Object.fromEntries(Object.entries(models).map(([role, { spec }]) => [`model ${role}`, spec])),
    ...Object.assign(
      {},
      ...Object.entries(models).map(([role, { settings = {} }]) => prefixed(`model ${role}`, settings)),
    ),
    ...prefixed('limit', limits),
    ...prefixed('prompt', prompts),
    ...prefixed('retry', retry),
    sandbox: sandbox && `${sandbox.backend} ${sandbox.version}`,
    ...Object.fromEntries(
      (sandbox?.toolchains ?? []).map(({ language, version, level }) => [
        `toolchain ${language}`,
        `${version} ${level}`.trim(),
      ]),
    ),
    // Who names none gets his run's id.
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

export type Parting = {
  /** `main#5 tool-call` */
  readonly at: string;
  /** Null where that journal has no such event. */
  readonly a: Event | null;
  readonly b: Event | null;
};

/** Null where they say the same. */
export function findParting(a: readonly Event[], b: readonly Event[]): Parting | null {
  const [linesA, linesB] = [linesOf(a), linesOf(b)];
  for (const [at, event] of linesA) {
    const other = linesB.get(at) ?? null;
    if (!other || !saysTheSame(event, other)) return { at, a: event, b: other };
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

function saysTheSame(a: Event, b: Event): boolean {
  return canonicalJson(contentOf(a)) === canonicalJson(contentOf(b));
}

/** Of what a tool gave, what the model was told: the rest says how it came about. */
function contentOf({ kind, body }: Event): Json {
  const content: Json = JSON.parse(JSON.stringify(body));
  const result = kind === 'tool-result' ? field(content, 'result') : undefined;
  if (!isObject(content) || !isObject(result)) return comparable(content);
  return comparable({ ...content, result: { ...result, data: null } });
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
