/**
 * A run-set of one row of eight calls, the same in every process, whose provider keeps a list of what it was asked and
 * how long the reply might be. It can fall silent at one of the calls, so that a process can be killed in the middle of it.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SettingsByRole } from '../../src/run/model-settings.ts';
import type { Runtime } from '../../src/run/world.ts';
import { beginSet, prepareRows, resumeSet, type SetEnding } from '../../src/studies/run-set/execute.ts';
import type { RunSet } from '../../src/studies/run-set/plan.ts';
import { modelOf } from '../support/odd.ts';
import { rowOf, setOfRows, setWorld } from './sets.ts';

export type CutOptions = {
  readonly tokens: number;
  readonly maxOutputTokens?: number;
  /** The number of the call that is never answered. */
  readonly silentAt?: number;
};

export type AskedOf = { readonly question: string; readonly maxOutputTokens: number | null };

export function cutSet({ tokens, maxOutputTokens }: CutOptions): RunSet {
  const modelSettings: SettingsByRole = maxOutputTokens === undefined ? {} : { default: { maxOutputTokens } };
  return setOfRows([rowOf({ settings: { calls: 8 }, modelSettings })], { budget: { tokens } });
}

export function cutWorld(folder: string, { silentAt }: CutOptions): Runtime {
  const model = modelOf(
    async ({ messages: [first], settings }) => {
      const question = String(first?.content);
      const asked: AskedOf = { question, maxOutputTokens: settings?.maxOutputTokens ?? null };
      appendFileSync(logIn(folder), `${JSON.stringify(asked)}\n`);
      if (question.startsWith(`call ${silentAt}`)) await new Promise(() => undefined);
      return question.startsWith('call 7') ? 'solved' : 'more';
    },
    { kind: 'live' },
  );
  return setWorld(model, { folder });
}

/** Begins it, or goes on with it. */
export async function cutLife(folder: string, options: CutOptions): Promise<SetEnding> {
  const world = cutWorld(folder, options);
  const set = cutSet(options);
  const isNew = (await world.store.getSet(set.id)) === null;
  const prepared = await prepareRows(world, set);
  return (await (isNew ? beginSet : resumeSet)(world, set, { prepared })).done;
}

export function askedIn(folder: string): readonly AskedOf[] {
  const log = existsSync(logIn(folder)) ? readFileSync(logIn(folder), 'utf8') : '';
  return log
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as AskedOf);
}

function logIn(folder: string): string {
  return join(folder, 'asked.log');
}
