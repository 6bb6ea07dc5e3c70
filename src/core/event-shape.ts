/**
 * Whether an event has what every event of its kind has: a journal may come from anybody. It does not look into what agents and
 * tools wrote. Pure.
 */
import { type EventKind, effectOfIntent, effectOfSettlement, journalVersion } from './event.ts';

type Fields = Readonly<Record<string, 'string' | 'number' | 'object' | 'strings'>>;

const header: Fields = {
  version: 'number',
  problem: 'object',
  agent: 'object',
  models: 'object',
  limits: 'object',
};

const shapes: { readonly [kind in EventKind]?: Fields } = {
  'run-start': header,
  'run-fork': header,
  'run-resume': { aliveMs: 'number' },
  'run-limits': { limits: 'object' },
  'run-end': { outcome: 'string', aliveMs: 'number' },
  'stage-end': { stage: 'string' },
  'stage-start': { stage: 'string' },
};

const settlements: Readonly<Record<string, Fields>> = {
  ok: {},
  error: { error: 'object' },
  refused: { limit: 'string', max: 'number' },
  cancelled: { by: 'string' },
};

// What steers a terminal, or turns the direction of writing around.
const steering = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

/** What is wrong with it, for people; null where nothing is. */
export function findEventIssue(event: {
  readonly kind: EventKind;
  readonly branch: string;
  readonly body: unknown;
}): string | null {
  const { kind, branch, body } = event;
  if (steering.test(kind)) return 'its kind holds control characters';
  if (steering.test(branch)) return 'its branch holds control characters';
  const isHeader = kind === 'run-start' || kind === 'run-fork';
  // A newer version may have other fields, and is read as far as possible.
  if (isHeader && Number(fieldOf(body, 'version')) > journalVersion) return null;
  if (effectOfIntent(kind)) return typeOf(body) === 'object' ? null : `its ${kind} is no object`;
  const fields = effectOfSettlement(kind) ? settlements[String(fieldOf(body, 'status'))] : shapes[kind];
  if (effectOfSettlement(kind) && !fields) return `its ${kind} does not say how it ended`;
  const issue = findFieldIssue(body, fields ?? {}, kind);
  if (issue !== null || !isHeader) return issue;
  return (
    findFieldIssue(
      fieldOf(body, 'problem'),
      { id: 'string', title: 'string', family: 'string', stages: 'strings' },
      'problem',
    ) ??
    findFieldIssue(fieldOf(body, 'agent'), { name: 'string', settings: 'object' }, 'agent') ??
    findModelsIssue(fieldOf(body, 'models'))
  );
}

function findModelsIssue(models: unknown): string | null {
  const all = Object.values(Object(models));
  return (
    all.map((model) => findFieldIssue(model, { spec: 'string', kind: 'string' }, 'model')).find(Boolean) ??
    null
  );
}

function findFieldIssue(body: unknown, fields: Fields, name: string): string | null {
  const missing = Object.entries(fields).find(([field, type]) => typeOf(fieldOf(body, field)) !== type);
  return missing ? `its ${name} lacks "${missing[0]}", or has another form of it` : null;
}

function fieldOf(body: unknown, name: string): unknown {
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, name)) return undefined;
  return Reflect.get(body, name);
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (!Array.isArray(value)) return typeof value;
  return value.every((item) => typeof item === 'string') ? 'strings' : 'array';
}
