/**
 * A run's conversation with its models as a cassette. What a script or a person said stays a script's or a person's:
 * only what a model said is called a recording. Pure: events come in, a text goes out, and no secret is in it.
 */
import { UserError } from '../../core/errors.ts';
import { type Event, type EventOf, type Header, positionName } from '../../core/event.ts';
import { positionKey } from '../../core/history.ts';
import { changeStrings } from '../../core/json.ts';
import type { ModelRequest, ModelSuccess } from '../../core/model.ts';
import { secretsIn } from '../../core/secrets.ts';
import { secretRemover } from '../redact.ts';
import { type CassetteEntry, cassetteText, cassetteVersion } from './format.ts';
import { requestKey } from './request-key.ts';
import { refuseSecrets } from './secrets.ts';
import { type Change, type Hidden, hiddenIn, lockWords, unlockWords } from './words.ts';

export type RecordOptions = {
  /** Values that its names call secret are replaced. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Texts that may not be passed on: what quotes them is locked. */
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
  const withPuzzle = hidden.length === 0;
  const head = {
    polyaCassette: cassetteVersion,
    run,
    agent: agent.name,
    problem: problem.id,
    polya,
    withPuzzle,
  };
  const text = cassetteText({ head: { ...head, polyaCassette: cassetteVersion }, entries });
  refuseSecrets(text);
  return text;
}

type Asked = EventOf<'model-request'>;
type Told = EventOf<'model-response'>;
type Call = {
  readonly asked: Asked;
  readonly told: Told;
  readonly header: Header;
  readonly request: ModelRequest;
  readonly role: string;
  readonly index: number;
  readonly key: string;
  readonly occurrence: number;
};

/** Every attempt that was answered or failed, in the order in which it was asked. */
function conversation(events: readonly Event[]): readonly Call[] {
  const told = new Map(events.filter(isTold).map((event) => [positionKey(event), event]));
  const places = new Counter();
  const questions = new Counter();
  const calls: Call[] = [];
  let header: Header | null = null;
  let last = { index: 0, occurrence: 0 };
  for (const event of events) {
    if (isHead(event)) header = event.body;
    if (event.kind !== 'model-request' || !header) continue;
    const { role, ...request } = event.body as unknown as ModelRequest & { role: string };
    const key = requestKey(request);
    // A retry stands where its first attempt stood.
    if (event.attempt === 0) {
      last = {
        index: places.next(`${event.branch}\0${role}`),
        occurrence: questions.next(`${role}\0${key}`),
      };
      places.keep(positionKey({ ...event, attempt: 0 }), last);
    }
    const place = places.kept(positionKey({ ...event, attempt: 0 })) ?? last;
    const answer = told.get(positionKey(event));
    if (answer) calls.push({ asked: event, told: answer, header, request, role, key, ...place });
  }
  return calls;
}

class Counter {
  readonly #counts = new Map<string, number>();
  readonly #kept = new Map<string, { index: number; occurrence: number }>();

  next(name: string): number {
    const count = this.#counts.get(name) ?? 0;
    this.#counts.set(name, count + 1);
    return count;
  }

  keep(name: string, place: { index: number; occurrence: number }): void {
    this.#kept.set(name, place);
  }

  kept(name: string): { index: number; occurrence: number } | undefined {
    return this.#kept.get(name);
  }
}

function entryOf(call: Call, { clean, hidden }: { clean: Change; hidden: Hidden }): CassetteEntry {
  const { asked, told, header, role, index, key, occurrence } = call;
  const model = header.models[role] ?? header.models.default;
  const place = { role, branch: asked.branch, index, attempt: asked.attempt };
  const origin = { model: model?.spec ?? '', kind: model?.kind ?? 'live' };
  const { body } = told;
  const common = { ...place, ...origin, request: key, occurrence, tokens: usageOf(told)?.tokens ?? null };
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
  const reply = {
    content: message.content,
    finish,
    ...(object === undefined ? {} : { object }),
    ...(servedBy === undefined ? {} : { servedBy }),
  };
  const locked = withoutPuzzle(call, reply, hidden);
  return { ...common, reply: locked } as CassetteEntry;
}

/** Words that are in no message could not be put back where it is played. */
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

function usageOf({ body }: Told) {
  return 'usage' in body ? body.usage : null;
}

function isTold(event: Event): event is Told {
  return event.kind === 'model-response' && (event.body.status === 'ok' || event.body.status === 'error');
}

function isHead(event: Event): event is EventOf<'run-start'> | EventOf<'run-fork'> {
  return event.kind === 'run-start' || event.kind === 'run-fork';
}
