/** Messages to a session that runs: posted into its mailbox under a key, by which its note `heard` is found in the journal. */
import { randomUUID } from 'node:crypto';
import { UserError } from '../../../core/errors.ts';
import type { RunRow, Store } from '../../../core/store.ts';
import type { EvolutionMail, EvolutionNotes } from '../../../notes/evolution.ts';
import { harmless } from '../../../text/format.ts';
import type { SeenSession } from './look.ts';

export type Heard = EvolutionNotes['heard'];
export type SaidAs = Exclude<EvolutionMail['type'], 'settings'>;

/** Resolves to the key. */
export async function say(
  store: Store,
  run: Pick<RunRow, 'id'>,
  text: string,
  as: SaidAs = 'said',
): Promise<string> {
  const key = randomUUID();
  const mail: EvolutionMail = { type: as, text, key };
  await store.post(run.id, { kind: 'tell', text: JSON.stringify(mail), atMs: Date.now() });
  return key;
}

export function heardIn({ state }: Pick<SeenSession, 'state'>, key: string): Heard | null {
  return state.heard.find((each) => each.key === key) ?? null;
}

export function heardText({ reply }: Heard): string {
  return harmless(reply).trim();
}

export function notRunning({ place, status }: Pick<SeenSession, 'place' | 'status'>): UserError {
  const { name } = place.manifest;
  return new UserError({
    code: 'run-not-running',
    what: `The session ${name} does not run: it is ${status}. Nobody would hear it.`,
    fix: `\`polya ahc solve --session-id ${name} --interactive\` goes on with it, where it can, and listens.`,
  });
}
