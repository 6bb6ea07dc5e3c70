/** `--notify`: gives the news to a command, or posts it to a URL. A failure of either changes nothing of the run. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Command, Option } from 'commander';
import type { RunEnd } from '../core/event.ts';
import { holdsSecret, siteSessions } from '../core/secrets.ts';
import { networkOf } from '../io/network.ts';
import { describeProviders } from '../models/describe.ts';
import { countsText, type SetResult } from '../open/set-json.ts';
import { oneLine } from '../text/format.ts';
import { outcomeText } from '../text/labels.ts';
import type { Shell } from './contract.ts';

export type NotifyOptions = { readonly notify?: string };

export type News = {
  /** `budget`: it ended because no more may be spent. */
  readonly event: 'end' | 'budget' | 'failure';
  readonly what: 'run' | 'run-set';
  /** Null where it failed before it had one. */
  readonly id: string | null;
  readonly outcome: string | null;
  /** One line for people. */
  readonly text: string;
};

export function notifyOption(command: Command): Command {
  return viewOption(
    command.option(
      '--notify <command|url>',
      'at the end, at the budget or at a failure, run this command or post to this URL',
    ),
  );
}

/** Of every command that starts or goes on with something; `runProgram` does what they say. */
export function viewOption(command: Command): Command {
  return command
    .option('--view', 'show it in a browser while it runs and afterwards, until Ctrl-C (docs/view.md)')
    .addOption(new Option('-q, --quiet', 'print the result alone').conflicts('verbose'))
    .option('-v, --verbose', 'show every step, and all that models write, programs and data too');
}

/** Does the work and sends the notification of its end. Rethrows its errors. */
export async function notifying<T>(
  shell: Shell,
  { notify }: NotifyOptions,
  { what, work, newsOf }: { what: News['what']; work: () => Promise<T>; newsOf: (result: T) => News },
): Promise<T> {
  if (notify === undefined) return work();
  try {
    const result = await work();
    await tell(shell, notify, newsOf(result));
    return result;
  } catch (error) {
    const message = oneLine(error instanceof Error ? error.message : String(error));
    await tell(shell, notify, { event: 'failure', what, id: null, outcome: null, text: message });
    throw error;
  }
}

export function newsOfRun({ id, end }: { id: string; end: RunEnd }): News {
  const isBudget = end.outcome === 'limit' && (end.limit === 'costUsd' || end.limit === 'tokens');
  const event = end.outcome === 'error' ? 'failure' : isBudget ? 'budget' : 'end';
  const detail = end.error?.message ?? end.grade?.explanation ?? '';
  const text = oneLine(`Run ${id}: ${outcomeText(end)}${detail && `. ${detail}`}`);
  return { event, what: 'run', id, outcome: end.outcome, text };
}

export function newsOfSet({ set, reason, rows }: SetResult): News {
  const hasFailed = rows.some(({ view }) => view?.end?.outcome === 'error');
  const event = reason === 'budget' ? 'budget' : reason === null && hasFailed ? 'failure' : 'end';
  const text = oneLine(`Run-set ${set.id}, ${set.plan.name}: ${countsText(rows)}`);
  return { event, what: 'run-set', id: set.id, outcome: reason, text };
}

const patienceMs = 15_000;

async function tell(shell: Shell, target: string, news: News): Promise<void> {
  try {
    await (/^https?:\/\//.test(target) ? post(shell, target, news) : call(shell, target, news));
  } catch (error) {
    const { message, cause } = error instanceof Error ? error : new Error(String(error));
    const why = oneLine(`${message}${cause instanceof Error ? `: ${cause.message}` : ''}`);
    shell.err.write(`The notification could not be delivered: ${why}\n`);
  }
}

async function post({ env }: Shell, url: string, news: News): Promise<void> {
  const response = await networkOf(env).fetch(url, {
    method: 'POST',
    redirect: 'follow',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(news),
    signal: AbortSignal.timeout(patienceMs),
  });
  // The address may hold a secret: it is not told.
  if (!response.ok) throw new Error(`the server answered with HTTP ${response.status}.`);
}

/** Programs that tell people things log in with these. */
const messenger =
  /(?:^|_)(?:CHAT|SLACK|DISCORD|TELEGRAM|MATRIX|MATTERMOST|TEAMS|SIGNAL|NTFY|GOTIFY|PUSHOVER|PUSHBULLET|WEBHOOK|NOTIFY|E?MAIL|SMTP)(?=_|$)/i;

/** Keys to models and sites are ours; of other secrets it gets those of messengers, and those that it names itself. */
function environmentFor({ env, ownEnv = env }: Shell, command: string): Shell['env'] {
  const keys = describeProviders({}).flatMap(({ keyVariables }) => keyVariables);
  const ours = new Set([...keys, ...siteSessions]);
  const named = new Set(command.match(/\w+/g));
  const isGiven = (name: string, value?: string) =>
    !ours.has(name) && (!holdsSecret(name, value) || messenger.test(name) || named.has(name));
  return Object.fromEntries(Object.entries(ownEnv).filter(([name, value]) => isGiven(name, value)));
}

async function call(shell: Shell, command: string, news: News): Promise<void> {
  const child = spawn('/bin/sh', ['-c', command], {
    cwd: shell.folder,
    env: {
      ...environmentFor(shell, command),
      POLYA_EVENT: news.event,
      POLYA_ID: news.id ?? '',
      POLYA_OUTCOME: news.outcome ?? '',
      POLYA_TEXT: news.text,
    },
    stdio: ['pipe', 'ignore', 'ignore'],
    timeout: patienceMs,
  });
  // A command may ignore its input.
  child.stdin.on('error', () => undefined);
  child.stdin.end(`${JSON.stringify(news)}\n`);
  const [code, signal] = await once(child, 'exit');
  if (code !== 0) throw new Error(`the command ended with ${signal ?? `exit code ${code}`}.`);
}
