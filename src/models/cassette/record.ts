/** A run's conversation with its models as a cassette, without secrets. Words of a script or person stay marked as theirs. Pure. */
import { UserError } from '../../core/errors.ts';
import { type Event, type EventOf, type Header, positionName } from '../../core/event.ts';
import { positionKey } from '../../core/history.ts';
import { changeStrings } from '../../core/json.ts';
import type { ModelRequest, ModelSuccess } from '../../core/model.ts';
import { secretsIn } from '../../core/secrets.ts';
import { secretRemover } from '../redact.ts';
import { type CassetteEntry, cassetteText, cassetteVersion } from './format.ts';
import { requestKey } from './request-key.ts';
import { type Change, type Hidden, hiddenIn, lockWords, unlockWords } from './words.ts';

export type RecordOptions = {
  /** Its values are replaced where their names call them secret. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Texts that may not be passed on: quotations of them are locked. */
  readonly hidden: readonly string[];
};

/** Throws `UserError` where there is nothing to record, or something that must not be written. */
export function recordCassette(events: readonly Event[], { env, hidden }: RecordOptions): string {
  const header = events.findLast(isHead)?.body;
  const clean = secretRemover(secretsIn(env));
  const secret = hiddenIn(hidden);
  const entries = conversation(events).map((call) => entryOf(call, { clean, hidden: secret }));
  if (!header || entries.length === 0) {
    throw new UserError({
      code: 'nothing-to-record',
      what: 'There is nothing to record.',
      why: 'No model call of this run has an answer.',
      fix: 'Record a run in which a model was asked.',
    });
  }
  const { runId: run, agent, problem, codeVersion: polya } = header;
  const about = { run, agent: agent.name, problem: problem.id, polya };
  const text = cassetteText({
    head: { polyaCassette: cassetteVersion, ...about, withPuzzle: hidden.length === 0 },
    entries,
  });
  refuseSecrets(text);
  return text;
}

type Told = EventOf<'model-response'>;
type Call = Place & {
  readonly asked: EventOf<'model-request'>;
  readonly told: Told;
  readonly header: Header;
  readonly request: ModelRequest;
  readonly role: string;
  readonly key: string;
};
type Place = { readonly index: number; readonly occurrence: number };

/** Every attempt that was answered or failed, in the order in which it was asked. */
function conversation(events: readonly Event[]): readonly Call[] {
  const told = new Map(events.filter(isTold).map((event) => [positionKey(event), event]));
  const calls: Call[] = [];
  const indexes = new Map<string, number>();
  const occurrences = new Map<string, number>();
  /** By the position of the first attempt: a retry has the same place. */
  const places = new Map<string, Place>();
  let header: Header | null = null;
  for (const event of events) {
    if (isHead(event)) header = event.body;
    if (event.kind !== 'model-request' || !header) continue;
    const { role, ...request } = event.body as unknown as ModelRequest & { role: string };
    const key = requestKey(request);
    const first = positionKey({ ...event, attempt: 0 });
    if (event.attempt === 0) {
      const index = count(indexes, `${event.branch}\0${role}`);
      places.set(first, { index, occurrence: count(occurrences, `${role}\0${key}`) });
    }
    const place = places.get(first);
    const answer = told.get(positionKey(event));
    if (place && answer) calls.push({ asked: event, told: answer, header, request, role, key, ...place });
  }
  return calls;
}

/** How often this name was counted before. */
function count(counts: Map<string, number>, name: string): number {
  const before = counts.get(name) ?? 0;
  counts.set(name, before + 1);
  return before;
}

function entryOf(call: Call, { clean, hidden }: { clean: Change; hidden: Hidden }): CassetteEntry {
  const { asked, told, header, role, index, key, occurrence } = call;
  const model = header.models[role] ?? header.models.default;
  const place = { role, branch: asked.branch, index, attempt: asked.attempt };
  const origin = { model: model?.spec ?? '', kind: model?.kind ?? 'live' };
  const { body } = told;
  const tokens = 'usage' in body ? (body.usage?.tokens ?? null) : null;
  const common = { ...place, ...origin, request: key, occurrence, tokens };
  if (body.status === 'error') {
    const { name, message, model: failed } = body.error;
    const kind = (failed?.kind ?? name) as NonNullable<CassetteEntry['error']>['kind'];
    return { ...common, error: { kind, message: clean(message), retryable: failed?.retryable ?? false } };
  }
  if (body.status !== 'ok') throw new Error('Only what settled is recorded.');
  const { message, finish, object, servedBy } = changeStrings(
    body.result as unknown as Omit<ModelSuccess, 'ok' | 'usage'>,
    clean,
  );
  const locked = withoutPuzzle(call, { content: message.content, finish, object, servedBy }, hidden);
  return { ...common, reply: locked } as CassetteEntry;
}

/** Words that no message holds could not be put back where the cassette is played. */
function withoutPuzzle<T extends object>({ asked, request }: Call, reply: T, hidden: Hidden): T {
  let missing = 0;
  const count = () => {
    missing += 1;
  };
  const locked = changeStrings(reply, lockWords(request, hidden, count));
  const opened = changeStrings(locked, unlockWords(request, count));
  if (missing === 0 && JSON.stringify(opened) === JSON.stringify(reply)) return locked;
  throw new UserError({
    code: 'cassette-reply-unfit',
    what: `The cassette was not written: the reply at ${positionName(asked)} quotes the puzzle in words that its conversation does not hold.`,
    why: 'They could not be put back where the cassette is played.',
    fix: 'Record it with `--with-puzzle`, and keep it to yourself.',
  });
}

function isTold(event: Event): event is Told {
  return event.kind === 'model-response' && (event.body.status === 'ok' || event.body.status === 'error');
}

function isHead(event: Event): event is EventOf<'run-start'> | EventOf<'run-fork'> {
  return event.kind === 'run-start' || event.kind === 'run-fork';
}

const forms: readonly { readonly name: string; readonly pattern: RegExp }[] = [
  { name: 'an API key', pattern: /\b(?:sk|rk|pk)-[A-Za-z0-9_-]{20,}/ },
  { name: 'a Google API key', pattern: /\bAIza[A-Za-z0-9_-]{30,}/ },
  { name: 'a GitHub token', pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,})/ },
  { name: 'a Slack token', pattern: /\bxox[abprs]-[A-Za-z0-9-]{10,}/ },
  { name: 'an AWS key', pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/ },
  {
    name: 'a signed token (JWT)',
    pattern: /\beyJ[A-Za-z0-9_-]{10,4000}\.eyJ[A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{10,}/,
  },
  { name: 'a private key', pattern: /-----BEGIN [A-Z ]*PRIVATE KEY-----/ },
  {
    name: 'a session cookie',
    pattern: /\b\w*session(?:id)?\s*[=:]\s*["']?[A-Za-z0-9%._-]{32,}/i,
  },
  { name: 'a session cookie', pattern: /\b53616c7465645f5f[0-9a-f]{32,}/i },
  {
    name: 'a cookie',
    pattern: /\b(?:Set-)?Cookie:\s*(?:[^\s=;"]{1,1000}=[^\s;"]*;\s*)*[^\s=;"]{1,1000}=[^\s;"]{8,}/i,
  },
  {
    name: 'a key in a header',
    pattern: /\b(?:x-api-key|x-goog-api-key|api-key)["']?\s*[:=]\s*["']?[A-Za-z0-9._-]{16,}/i,
  },
  { name: 'a basic authorization', pattern: /\bAuthorization:\s*Basic\s+[A-Za-z0-9+/=]{8,}/i },
  { name: 'an access token', pattern: /\b(?:hf_|npm_|gsk_|xai-|glpat-|r8_|pplx-)[A-Za-z0-9_-]{20,}/ },
  { name: 'a Stripe key', pattern: /\b[srp]k_(?:live|test)_[A-Za-z0-9]{16,}/ },
  { name: 'a bearer token', pattern: /\bBearer\s+[A-Za-z0-9._~+/-]{20,}/i },
];

/** Throws `UserError` that names the form and the line, and never the secret. */
export function refuseSecrets(text: string): void {
  const lines = text.split('\n');
  for (const { name, pattern } of forms) {
    const at = lines.findIndex((line) => pattern.test(line));
    if (at < 0) continue;
    throw new UserError({
      code: 'cassette-holds-secret',
      what: `The cassette was not written: line ${at + 1} would hold what looks like ${name}.`,
      why: 'A model or a program has said it in this run, and a cassette is made to be passed on.',
      fix: 'Set the environment variable that holds it (a name with KEY, TOKEN, SECRET, SESSION, COOKIE or PASSWORD in it), and it is replaced; or keep the run itself, which stays in .polya.',
    });
  }
}
