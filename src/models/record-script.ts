/** The replies that a run got from its models as a script that `--model scripted:FILE` plays. It holds no secrets. Pure. */
import { createHash } from 'node:crypto';
import { UserError } from '../core/errors.ts';
import type { Event, EventOf, Header } from '../core/event.ts';
import { positionKey } from '../core/history.ts';
import { changeStrings, type JsonObject } from '../core/json.ts';
import type { ModelSuccess } from '../core/model.ts';
import { findSecrets } from '../core/secrets.ts';
import { createRedactor } from '../text/redaction.ts';
import { createSecretRedactor } from './redact.ts';
import { errorKinds } from './script-file.ts';

export type RecordOptions = {
  /** Values of variables whose names call them secret are replaced. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Texts that may not be passed on: quotations of them are replaced. */
  readonly hidden: readonly string[];
};

export type RecordedScript = { readonly text: string; readonly calls: number };

/** Throws `UserError` where there is nothing to record, or something that must not be written. */
export function recordScript(events: readonly Event[], { env, hidden }: RecordOptions): RecordedScript {
  const header = events.findLast(isStart)?.body;
  const calls = callsWithReplies(events);
  if (!header || calls.length === 0) {
    throw new UserError({
      code: 'nothing-to-record',
      what: 'There is nothing to record.',
      why: 'No model call of this run has an answer.',
      fix: 'Record a run in which a model was asked.',
    });
  }
  const removeSecrets = createSecretRedactor(findSecrets(env));
  const texts = hidden.map((text) => ({ name: 'the puzzle', text }));
  const removeHidden = createRedactor(texts, (text) => createHash('sha256').update(text).digest('hex'));
  const roles: Record<string, Record<string, JsonObject[]>> = {};
  for (const { role, branch, attempts } of calls) {
    roles[role] ??= {};
    roles[role][branch] ??= [];
    roles[role][branch].push(changeStrings(replyOf(attempts), (text) => removeHidden(removeSecrets(text))));
  }
  const text = `${JSON.stringify({ about: descriptionOf(header), roles }, null, 2)}\n`;
  assertNoSecrets(text);
  return { text, calls: calls.length };
}

function descriptionOf({ runId, agent, problem, models }: Header): string {
  const names = [...new Set(Object.values(models).map(({ spec }) => spec))].join(', ');
  return `Recorded from run ${runId}: agent ${agent.name}, problem ${problem.id}, models ${names}.`;
}

type Response = EventOf<'model-response'>['body'];
type Call = { readonly role: string; readonly branch: string; readonly attempts: Response[] };

/** In the order in which they were made; a retry belongs to the call that it repeats. */
function callsWithReplies(events: readonly Event[]): readonly Call[] {
  const responses = new Map(
    events.flatMap((event) =>
      event.kind === 'model-response' ? [[positionKey(event), event.body] as const] : [],
    ),
  );
  const calls = new Map<string, Call>();
  for (const event of events) {
    if (event.kind !== 'model-request') continue;
    const first = positionKey({ ...event, attempt: 0 });
    const call = calls.get(first) ?? { role: String(event.body.role), branch: event.branch, attempts: [] };
    calls.set(first, call);
    const response = responses.get(positionKey(event));
    if (response?.status === 'ok' || response?.status === 'error') call.attempts.push(response);
  }
  return [...calls.values()].filter(({ attempts }) => attempts.length > 0);
}

function replyOf(attempts: readonly Response[]): JsonObject {
  const failures = attempts.flatMap((body) => (body.status === 'error' ? [errorIn(body)] : []));
  const [error = null] = failures;
  const success = attempts.find((body) => body.status === 'ok');
  if (!success) return { error };
  const content = contentIn(success.result as unknown as ModelSuccess);
  return error ? { ...content, error: { ...error, times: failures.length } } : content;
}

function errorIn({ error }: Extract<Response, { status: 'error' }>): JsonObject {
  const { name, message, model } = error;
  const kind = errorKinds.find((each) => each === (model?.kind ?? name)) ?? 'other';
  return { kind, message, retryable: model?.retryable ?? false };
}

function contentIn({ message, finish, object }: ModelSuccess): JsonObject {
  const textOf = (type: 'text' | 'reasoning'): string =>
    message.content.map((part) => (part.type === type ? part.text : '')).join('');
  const reasoning = textOf('reasoning');
  const toolCalls = message.content.flatMap((part) => {
    if (part.type !== 'tool-call') return [];
    const { name, args, raw } = part;
    return args === null ? { name, raw: raw ?? '' } : { name, args };
  });
  return {
    text: textOf('text'),
    ...(reasoning && { reasoning }),
    ...(toolCalls.length > 0 && { toolCalls }),
    ...(object !== undefined && { object }),
    finish,
    literal: true,
  };
}

function isStart(event: Event): event is EventOf<'run-start'> | EventOf<'run-fork'> {
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
export function assertNoSecrets(text: string): void {
  const lines = text.split('\n');
  for (const { name, pattern } of forms) {
    const at = lines.findIndex((line) => pattern.test(line));
    if (at < 0) continue;
    throw new UserError({
      code: 'script-holds-secret',
      what: `The script was not written: line ${at + 1} would hold what looks like ${name}.`,
      why: 'A model or a program has said it in this run, and a script is made to be passed on.',
      fix: 'Set the environment variable that holds it (a name with KEY, TOKEN, SECRET, SESSION, COOKIE or PASSWORD in it), and it is replaced; or keep the run itself, which stays in .polya.',
    });
  }
}
