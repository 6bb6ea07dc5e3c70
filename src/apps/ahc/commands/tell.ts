/** `polya ahc tell`: says something to a session that runs, and prints what it answers or what became of it. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import type { CommandFile, Shell } from '../../../cli/contract.ts';
import { positive } from '../../../cli/options.ts';
import { exitCodes, UnavailableError, UserError } from '../../../core/errors.ts';
import type { Store } from '../../../core/store.ts';
import { ahcCall, harmlessJson } from '../../../text/format.ts';
import { lookForSession } from '../session/find.ts';
import { followSession, isAsking, type SeenSession, withStoreOf } from '../session/look.ts';
import type { SessionPlace } from '../session/manifest.ts';
import { type Heard, heardIn, heardText, notRunning, type SaidAs, say } from '../session/tell.ts';
import { type WorkspaceOptions, workspaceOptions } from '../workspace.ts';

type TellOptions = WorkspaceOptions & {
  readonly wait: boolean;
  readonly patience: number;
  readonly hint?: boolean;
  readonly question?: boolean;
};

const lookEveryMs = 200;

const help = `
It is a question, which is answered and changes nothing; a range for a parameter; a reference to a past contest or an
algorithm; or a hint. A model finds out which, or rules where it does not say.

Examples:
  polya ahc tell "what is the weakness of the best solution?"
  polya ahc tell night "try START_TEMP from 10 to 500"
  polya ahc tell "could the beam search of ahc015 help?" --no-wait`;

export const ahcTell: CommandFile = {
  define(command: Command) {
    workspaceOptions(
      command
        .argument(
          '<words...>',
          'the session, by name or id (default: the only one that runs), and what is said, in quotes',
        )
        .option('--hint', 'it is a hint: no model is asked what it is')
        .option('--question', 'it is a question: no model is asked what it is')
        .option('--no-wait', 'do not wait until it is heard')
        .option('--patience <seconds>', 'how long to wait for it to be heard', positive, 600),
    ).addHelpText('after', help);
  },
  async run(shell, command) {
    const options = command.opts<TellOptions>();
    const { name, text } = wordsOf(command.processedArgs[0] as readonly string[], options);
    const { found, sessions } = await lookForSession(shell, command, name);
    if (!found) throw noneRuns(sessions);
    return withStoreOf(found.place, shell.env, (store) =>
      tell({ shell, place: found.place, store, text }, options),
    );
  },
};

function wordsOf(words: readonly string[], { hint, question }: TellOptions) {
  const [first = '', second] = words;
  const text = second ?? first;
  if (words.length > 2) {
    throw new UserError({
      code: 'session-not-named',
      what: `These are ${words.length} words, and a session's name and one text are expected.`,
      fix: 'Put what you say in quotes: `polya ahc tell night "try larger moves"`.',
    });
  }
  if (text.trim() === '')
    throw new UserError({
      code: 'text-empty',
      what: 'There is nothing to tell: the text is empty.',
    });
  if (hint && question)
    throw new UserError({
      code: 'options-conflict',
      what: '--hint and --question exclude each other.',
      fix: 'Leave one out.',
    });
  return { name: second === undefined ? undefined : first, text };
}

type Telling = {
  readonly shell: Shell;
  readonly place: SessionPlace;
  readonly store: Store;
  readonly text: string;
};

async function tell(telling: Telling, options: TellOptions): Promise<number> {
  const { shell, place, store, text } = telling;
  const look = followSession(store, place);
  const seen = await look();
  if (!seen.row?.owner) throw notRunning(seen);
  const as: SaidAs = options.hint ? 'hint' : options.question ? 'question' : 'said';
  const key = await say(store, seen.row, text, as);
  const { name } = place.manifest;
  if (!options.wait) {
    const sent = { session: name, key, text, is_heard: false };
    shell.out.write(
      options.json
        ? `${harmlessJson(sent, 2)}\n`
        : `Said to the session ${name}; it hears it when its next candidate begins.\n`,
    );
    return exitCodes.ok;
  }
  if (isAsking(seen)) {
    shell.err.write(
      `The session ${name} waits for its user to confirm something, and hears this afterwards: ${ahcCall(shell)} solve --interactive --session-id ${name}\n`,
    );
  }
  return waitFor(telling, look, { key, options });
}

async function waitFor(
  { shell, place }: Telling,
  look: () => Promise<SeenSession>,
  { key, options }: { readonly key: string; readonly options: TellOptions },
): Promise<number> {
  const leaving = new AbortController();
  const release = shell.onInterrupt(() => leaving.abort());
  const { name } = place.manifest;
  try {
    for (let waitedMs = 0; ; waitedMs += lookEveryMs) {
      const seen = await look();
      const heard = heardIn(seen, key);
      if (heard) return tellHeard(shell, name, heard, Boolean(options.json));
      if (leaving.signal.aborted) return exitCodes.cancelled;
      if (!seen.row?.owner) throw endedFirst(name, seen.status);
      if (waitedMs > options.patience * 1000) throw notHeard(name, options.patience);
      await sleep(lookEveryMs, undefined, { signal: leaving.signal }).catch(() => undefined);
    }
  } finally {
    release();
  }
}

function tellHeard(shell: Shell, session: string, heard: Heard, isJson: boolean): number {
  const { key, text, became, by, hint, reply } = heard;
  const told = { session, key, text, is_heard: true, became, by, hint, reply };
  shell.out.write(isJson ? `${harmlessJson(told, 2)}\n` : `${heardText(heard)}\n`);
  return exitCodes.ok;
}

function noneRuns(sessions: readonly SessionPlace[]): UserError {
  const [newest] = sessions;
  return new UserError({
    code: 'session-not-running',
    what: 'No session runs here: nobody would hear it.',
    fix: newest
      ? `\`polya ahc solve --session-id ${newest.manifest.name}\` goes on with the newest, where it can.`
      : 'Begin one: `polya ahc solve`.',
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
