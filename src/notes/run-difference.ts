/** Two journals side by side: how they were begun, which of their events stand at one place, and where they part. Pure. */
import { type Event, type Header, positionName } from '../core/event.ts';
import { canonicalJson, type Json } from '../core/json.ts';
import { isObject } from '../text/json.ts';
import { notesIn } from './event-line.ts';

/** `tells`: what was put into its mailbox, read or not. */
export type RunStart = {
  readonly header: Header;
  readonly events: readonly Event[];
  readonly tells: readonly string[];
};

/** If one of them lacks the entry, its side is null. */
export type HeaderDifference = { readonly name: string; readonly a: Json; readonly b: Json };

export function diffHeaders(a: RunStart, b: RunStart): readonly HeaderDifference[] {
  const [entriesA, entriesB] = [entriesOf(a), entriesOf(b)];
  return Object.keys({ ...entriesA, ...entriesB })
    .map((name) => ({ name, a: entriesA[name] ?? null, b: entriesB[name] ?? null }))
    .filter((entry) => canonicalJson(entry.a) !== canonicalJson(entry.b));
}

/** What its user told it, a fork's hint included; what nobody read is called that. */
function messagesTo({ events, tells }: RunStart): string | null {
  const lines = events.flatMap(notesIn);
  const unread = tells.filter((text) => !lines.includes(text)).map((text) => `${text} (not read)`);
  return [...lines, ...unread].join(' / ') || null;
}

function entriesOf(run: RunStart): Record<string, Json> {
  const { header } = run;
  const { runId, problem, agent, limits, prompts, sandbox, seed, codeVersion, retry, code = [] } = header;
  const models = Object.entries(header.models);
  const toolchains = sandbox?.toolchains ?? [];
  return {
    problem: problem.id,
    'problem content': problem.contentHash,
    ...prefixKeys('problem', problem.reference),
    agent: agent.name,
    hints: messagesTo(run),
    ...prefixKeys('setting', agent.settings),
    ...Object.fromEntries(models.map(([role, { spec }]) => [`model ${role}`, spec])),
    ...Object.assign({}, ...models.map(([role, { settings = {} }]) => prefixKeys(`model ${role}`, settings))),
    ...prefixKeys('limit', limits),
    ...prefixKeys('prompt', prompts),
    ...prefixKeys('retry', retry),
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

function prefixKeys(prefix: string, entries: object): Record<string, Json> {
  return Object.fromEntries(Object.entries(entries).map(([name, value]) => [`${prefix} ${name}`, value]));
}

/** `place`: `main#5 tool-call`; null for an event that a journal does not have. */
export type Pair = { readonly place: string; readonly a: Event | null; readonly b: Event | null };

/** The first place at which they differ; null where they say the same. */
export function findDivergence(a: readonly Event[], b: readonly Event[]) {
  const [linesA, linesB] = [linesOf(a), linesOf(b)];
  for (const [at, event] of linesA) {
    const other = linesB.get(at) ?? null;
    if (!other || !hasSameContent(event, other)) return { at, a: event, b: other };
  }
  for (const [at, event] of linesB) if (!linesA.has(at)) return { at, a: null, b: event };
  return null;
}

/** All places in the order of `a`; what `b` alone has follows what stands before it there. */
export function pairsOf(a: readonly Event[], b: readonly Event[]): readonly Pair[] {
  const [linesA, linesB] = [linesOf(a), linesOf(b)];
  const after = new Map<string, Pair[]>();
  let last = '';
  for (const [place, event] of linesB) {
    if (linesA.has(place)) last = place;
    else {
      const existing = after.get(last) ?? [];
      existing.push({ place, a: null, b: event });
      after.set(last, existing);
    }
  }
  const shared = [...linesA].flatMap(([place, event]) => [
    { place, a: event, b: linesB.get(place) ?? null },
    ...(after.get(place) ?? []),
  ]);
  return [...(after.get('') ?? []), ...shared];
}

/** Of one branch and those below it, as if it were the run's own: two branches can be compared as two runs are. */
export function branchEvents(events: readonly Event[], branch: string): readonly Event[] {
  if (branch === '') return events;
  return events.flatMap((event) => {
    if (event.branch === branch) return { ...event, branch: '' };
    return event.branch.startsWith(`${branch}/`)
      ? { ...event, branch: event.branch.slice(branch.length + 1) }
      : [];
  });
}

/** Headers are compared by themselves; who worked on a run, and how late it was, is no part of what it did. */
const passedOver: ReadonlySet<Event['kind']> = new Set([
  'run-start',
  'run-fork',
  'run-resume',
  'run-limits',
  'clock',
]);

/** By position and kind, notes by theirs; what has no position, by how often there was such an event before it. */
function linesOf(events: readonly Event[]): Map<string, Event> {
  const lines = new Map<string, Event>();
  const seen = new Map<string, number>();
  for (const event of events) {
    if (passedOver.has(event.kind)) continue;
    const note = event.kind === 'note' ? ` ${event.body.kind}` : '';
    const place = `${positionName(event)} ${event.kind}${note}`;
    const before = seen.get(place) ?? 0;
    seen.set(place, before + 1);
    lines.set(before === 0 ? place : `${place} (${before + 1})`, event);
  }
  return lines;
}

/** Of what a tool gave, what the model was told: the rest says how it came about. A note's number in its branch says nothing. */
export function hasSameContent(a: Event, b: Event): boolean {
  if (a.kind === 'note' && b.kind === 'note')
    return a.body.kind === b.body.kind && isDeepEqual(a.body.data, b.body.data);
  const isTool = a.kind === 'tool-result';
  return isDeepEqual(
    isTool ? withoutResultData(a.body) : a.body,
    isTool ? withoutResultData(b.body) : b.body,
  );
}

function withoutResultData(body: object): object {
  return 'result' in body && isObject(body.result)
    ? { ...body, result: { ...body.result, data: null } }
    : body;
}

const personal: ReadonlySet<string> = new Set([
  // Named anew by each run, or by its provider.
  ...['id', 'callId', 'lastId', 'runId', 'provider', 'servedBy', 'rawReply'],
  // Measured, or computed from what is in the header.
  ...[
    'aliveMs',
    'usage',
    'reserve',
    'quirks',
    'outputLimit',
    'model',
    'wallMs',
    'cpuMs',
    'peakMemoryBytes',
    'waitedMs',
    'leftMs',
  ],
]);

const measure = /\b\d+(?:\.\d+)? (?:ms|s|MiB)\b/g;

/** Part by part, so that two long conversations which differ soon are not read to their ends. */
function isDeepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a === 'string' && typeof b === 'string')
    return a.replaceAll(measure, '…') === b.replaceAll(measure, '…');
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((each, index) => isDeepEqual(each, b[index]));
  }
  const [keptA, keptB] = [kept(a), kept(b)];
  return keptA.size === keptB.size && [...keptA].every(([key, value]) => isDeepEqual(value, keptB.get(key)));
}

function kept(value: object): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(value).filter(([key, inner]) => inner !== undefined && !personal.has(key)));
}
