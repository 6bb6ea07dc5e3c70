/**
 * Messages to a session that runs. `polya ahc tell` says something, and prints what it answers or what became of it; `stop`
 * ends it at any moment, and waits until everything that is to be kept is kept.
 */
import type { Command } from 'commander';
import type { CommandFile, Shell } from '../../../cli/contract.ts';
import { positive } from '../../../cli/options.ts';
import { exitCodes, UnavailableError, UserError } from '../../../core/errors.ts';
import type { Store } from '../../../core/store.ts';
import type { Workspace } from '../../../families/ahc/workspace.ts';
import { ahcCall, count } from '../../../text/format.ts';
import { scoreNow } from '../session/course.ts';
import {
  askToStop,
  askUntil,
  completeFiles,
  followSession,
  type Heard,
  heardIn,
  isAsking,
  lookForSession,
  notRunning,
  runOf,
  say,
  seeSession,
  untilInterrupted,
  withStoreOf,
} from '../session/look.ts';
import type { SessionPlace } from '../session/sessions.ts';
import { keptText } from '../session/status.ts';
import { conflict, tellJson, type WorkspaceOptions, withHelp, workspaceOptions } from '../workspace.ts';

type TellOptions = WorkspaceOptions & {
  readonly wait: boolean;
  readonly patience: number;
  readonly hint?: boolean;
  readonly question?: boolean;
};

export const ahcTell: CommandFile = {
  define(command: Command) {
    workspaceOptions(
      withHelp(command, 'tell')
        .argument(
          '<words...>',
          'the session, by name or id (default: the only one that runs), and what is said, in quotes',
        )
        .option('--hint', 'it is a hint: no model is asked what it is')
        .option('--question', 'it is a question: no model is asked what it is')
        .option('--no-wait', 'do not wait until it is heard')
        .option('--patience <seconds>', 'how long to wait for it to be heard', positive, 600),
    );
  },
  async run(shell, command) {
    const options = command.opts<TellOptions>();
    const words = command.processedArgs[0] as readonly string[];
    const text = textOf(words, options);
    const { found, sessions } = await lookForSession(shell, command, words.length > 1 ? words[0] : undefined);
    if (found)
      return withStoreOf(found.place, shell.env, (store) =>
        tell(shell, store, found.place, { ...options, text }),
      );
    const [sessionPlace] = sessions;
    throw new UserError({
      code: 'session-not-running',
      what: 'No session runs here that could be told something.',
      fix: sessionPlace
        ? `\`polya ahc solve --session-id ${sessionPlace.name}\` goes on with the newest, where it can.`
        : 'Begin one: `polya ahc solve`.',
    });
  },
};

function textOf(words: readonly string[], { hint, question }: TellOptions): string {
  const text = words.at(-1) ?? '';
  if (words.length > 2) {
    throw new UserError({
      code: 'session-not-named',
      what: `These are ${words.length} words, and a session's name and one text are expected.`,
      fix: 'Put what you say in quotes: `polya ahc tell night "try larger moves"`.',
    });
  }
  if (text.trim() === '')
    throw new UserError({ code: 'text-empty', what: 'There is nothing to tell: the text is empty.' });
  if (hint && question) throw conflict('--hint and --question exclude each other.');
  return text;
}

async function tell(
  shell: Shell,
  store: Store,
  place: SessionPlace,
  { text, wait, json, hint, question, patience }: TellOptions & { readonly text: string },
): Promise<number> {
  const { name } = place;
  const poll = followSession(store, place);
  const seen = await poll();
  if (!seen.row?.owner) throw notRunning(seen);
  const key = await say(store, seen.row, text, hint ? 'hint' : question ? 'question' : 'said');
  if (!wait) {
    if (json) tellJson(shell, { session: name, key, text, is_heard: false });
    else shell.out.write(`Said to the session ${name}; it hears it when its next candidate begins.\n`);
    return exitCodes.ok;
  }
  if (isAsking(seen)) {
    shell.err.write(
      `The session ${name} waits for its user to confirm something, and hears this afterwards: ${ahcCall(shell)} solve --interactive --session-id ${name}\n`,
    );
  } else if (!json) {
    shell.err.write(
      `Said to the session ${name}; it hears it when its next candidate begins. Ctrl-C ends the waiting alone.\n`,
    );
  }
  const askIfHeard = async (): Promise<Heard | null> => {
    const now = await poll();
    const received = heardIn(now, key);
    if (!received && !now.row?.owner) throw endedFirst(name, now.status);
    return received;
  };
  return untilInterrupted(shell, async ({ signal }) => {
    const received = await askUntil(askIfHeard, { everyMs: 200, patienceMs: patience * 1000, signal });
    if (!received && signal.aborted) return exitCodes.cancelled;
    if (!received) throw notHeard(name, patience);
    const { became, by, hint: number, reply } = received;
    const told = { session: name, key, text: received.text, is_heard: true, became, by, hint: number, reply };
    if (json) tellJson(shell, told);
    else shell.out.write(`${received.reply.trim()}\n`);
    return exitCodes.ok;
  });
}

function endedFirst(name: string, status: string): UnavailableError {
  return new UnavailableError({
    code: 'session-ended',
    what: `The session ${name} came to its end before it heard this: it is ${status}.`,
    fix: `Where it goes on (\`polya ahc solve --session-id ${name}\`) as the same run, it hears it then.`,
  });
}

function notHeard(name: string, patience: number): UnavailableError {
  return new UnavailableError({
    code: 'session-not-listening',
    what: `The session ${name} has not heard it within ${patience} seconds.`,
    why: 'It listens when a candidate begins; all of its lines wait for models or evaluations.',
    fix: `It is not lost: \`polya ahc status ${name}\` shows it as soon as it is heard. --patience waits longer.`,
  });
}

type StopOptions = WorkspaceOptions & { readonly patience: number };

export const ahcStop: CommandFile = {
  define(command: Command) {
    workspaceOptions(
      command
        .argument('[session]', 'its name or id (default: the only one that runs)')
        .option('--patience <seconds>', 'how long to wait for its end', positive, 60),
    );
  },
  async run(shell, command) {
    const options = command.opts<StopOptions>();
    const [name] = command.processedArgs as [string?];
    const { found, workspace } = await lookForSession(shell, command, name);
    if (found)
      return withStoreOf(found.place, shell.env, (store) =>
        stop(shell, store, { place: found.place, workspace }, options),
      );
    shell.out.write(options.json ? 'null\n' : 'No session runs here; there is nothing to stop.\n');
    return exitCodes.ok;
  },
};

async function stop(
  shell: Shell,
  store: Store,
  { place, workspace }: { readonly place: SessionPlace; readonly workspace: Workspace },
  { patience, json }: StopOptions,
): Promise<number> {
  const { name, id } = place;
  const row = await runOf(store, place);
  if (!row?.owner) throw notRunning(await seeSession(store, place));
  const { pid } = row.owner;
  await askToStop(store, row);
  shell.err.write(`Asked process ${pid} to stop the session ${name} …\n`);
  const isOver = async (): Promise<true | null> => ((await runOf(store, place))?.owner ? null : true);
  if (!(await askUntil(isOver, { everyMs: 100, patienceMs: patience * 1000 }))) {
    throw new UnavailableError({
      code: 'not-stopped',
      what: `The session ${name} has not stopped within ${patience} seconds.`,
      why: `Process ${pid} has been asked to, but does not answer.`,
      fix: `Wait, or end it with \`kill ${pid}\`; nothing that was paid for is lost, and the session can go on afterwards.`,
    });
  }
  await completeFiles(place, workspace, shell.env);
  const seen = await seeSession(store, place);
  const { status, state, facts } = seen;
  const candidates = state.candidates.length;
  const folder = place.folder.path;
  if (json) {
    const best_score = scoreNow(state, facts, state.bestId);
    tellJson(shell, { session: name, id, status, candidates, best: state.bestId, best_score, folder });
    return exitCodes.ok;
  }
  const method = status === 'stopped' ? 'is stopped' : `has ended by itself: ${status}`;
  const kept = keptText(seen) ?? 'no program was found yet';
  shell.out.write(
    `The session ${name} ${method}.\nKept: ${count(candidates, 'candidate')} in ${folder}; ${kept}.\nGo on with it: ${ahcCall(shell)} solve --session-id ${name}\n`,
  );
  return exitCodes.ok;
}
