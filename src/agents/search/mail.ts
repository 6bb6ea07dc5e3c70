/**
 * What its user says to a session that runs. Settings are changed where they are valid; words become hints, or are
 * answered, in a branch of their own, so that no line of search waits for it. What came is an effect, so it holds from the
 * same place again after a crash.
 */
import { z } from 'zod';
import type { Run } from '../../core/agent.ts';
import { type EvolutionNotes, evolutionMailOf } from '../../notes/evolution.ts';
import { type Search, write } from './search.ts';
import { changedSettings } from './settings.ts';
import { converse } from './talk/converse.ts';
import { takeHint } from './talk/hints.ts';

/** All of it is done with when this returns. */
export async function readMail(search: Search, run: Run): Promise<void> {
  for (const talk of await receiveMail(search, run)) await talk;
}

/** What is still being done with it when this returns: to be awaited before the branch ends. */
export async function receiveMail(search: Search, run: Run): Promise<readonly Promise<void>[]> {
  const talks: Promise<void>[] = [];
  for (const message of await run.inbox()) {
    const mail = evolutionMailOf(message);
    if (mail.type === 'settings') takeSettings(search, run, mail.settings);
    else if (mail.type === 'hint' && mail.key === undefined) takeHint(search, run, { text: mail.text });
    else {
      search.talks += 1;
      talks.push(run.branch(`talk-${search.talks}`, (here) => converse(search, here, mail)));
    }
  }
  return talks;
}

/** Noted as `changed`, or as `rejected`. */
export function takeSettings(
  search: Search,
  run: Run,
  settings: EvolutionNotes['changed']['settings'],
): void {
  const read = changedSettings.safeParse(settings);
  if (!read.success) {
    return write(run, 'rejected', { settings, because: z.prettifyError(read.error) });
  }
  const given = Object.keys(settings);
  // A default stands for what was never said, and nothing is changed by not being said.
  const changes = Object.fromEntries(Object.entries(read.data).filter(([name]) => given.includes(name)));
  search.settings = { ...search.settings, ...changes };
  write(run, 'changed', { settings });
}
