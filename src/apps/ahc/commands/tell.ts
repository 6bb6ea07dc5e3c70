/** `polya ahc tell`: says something to a session that runs, and prints what it answers or what became of it. */

import type { Command } from 'commander';
import type { CommandFile, Shell } from '../../../cli/contract.ts';
import { positive } from '../../../cli/options.ts';
import { exitCodes, UnavailableError, UserError } from '../../../core/errors.ts';
import type { Store } from '../../../core/store.ts';
import { ahcCall, harmless } from '../../../text/format.ts';
import {
  askUntil,
  followSession,
  type Heard,
  heardIn,
  isAsking,
  lookForSession,
  notRunning,
  say,
  untilInterrupted,
  withStoreOf,
} from '../session/look.ts';
import type { SessionPlace } from '../session/manifest.ts';
import { tellJson, type WorkspaceOptions, workspaceOptions } from '../workspace.ts';

type TellOptions = WorkspaceOptions & {
  readonly wait: boolean;
  readonly patience: number;
  readonly hint?: boolean;
  readonly question?: boolean;
};

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
    const words = command.processedArgs[0] as readonly string[];
    const text = textOf(words, options);
    const { found, sessions } = await lookForSession(shell, command, words.length > 1 ? words[0] : undefined);
    if (found)
      return withStoreOf(found.place, shell.env, (store) =>
        tell(shell, store, found.place, { ...options, text }),
      );
    const [newest] = sessions;
    throw new UserError({
      code: 'session-not-running',
      what: 'No session runs here that could be told something.',
      fix: newest
        ? `\`polya ahc solve --session-id ${newest.manifest.name}\` goes on with the newest, where it can.`
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
  if (!hint || !question) return text;
  const what = '--hint and --question exclude each other.';
  throw new UserError({ code: 'options-conflict', what, fix: 'Leave one out.' });
}

async function tell(
  shell: Shell,
  store: Store,
  place: SessionPlace,
  { text, wait, json, hint, question, patience }: TellOptions & { readonly text: string },
): Promise<number> {
  const { name } = place.manifest;
  const look = followSession(store, place);
  const seen = await look();
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
  }
  const askIfHeard = async (): Promise<Heard | null> => {
    const now = await look();
    const heard = heardIn(now, key);
    if (!heard && !now.row?.owner) throw endedFirst(name, now.status);
    return heard;
  };
  return untilInterrupted(shell, async ({ signal }) => {
    const heard = await askUntil(askIfHeard, { everyMs: 200, patienceMs: patience * 1000, signal });
    if (!heard && signal.aborted) return exitCodes.cancelled;
    if (!heard) throw notHeard(name, patience);
    const { became, by, hint: number, reply } = heard;
    const told = { session: name, key, text: heard.text, is_heard: true, became, by, hint: number, reply };
    if (json) tellJson(shell, told);
    else shell.out.write(`${harmless(heard.reply).trim()}\n`);
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
