/** The run-set that is killed, the same in every process; its provider may fall silent after so many calls. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Runtime } from '../../src/run/world.ts';
import { modelOf } from '../support/odd.ts';
import { rowOf, setOfRows, setWorld } from './sets.ts';

/** Rows that are at work at once: so many calls are open when nobody answers any more. */
export const atOnce = 4;

export const killedSet = setOfRows(
  Array.from({ length: 12 }, (_, n) => rowOf({ name: `row ${n}`, settings: { calls: 6 } })),
  { concurrency: atOnce, budget: { costUsd: 1_000 } },
);

export function killedWorld(folder: string, answers = Number.POSITIVE_INFINITY): Runtime {
  const log = join(folder, 'outside.log');
  let left = answers;
  const model = modelOf(
    async (request, { run }) => {
      appendFileSync(log, `${run} ${JSON.stringify(request.messages)}\n`);
      left -= 1;
      if (left < 0) await new Promise(() => undefined);
      return `${request.messages.length} ${run}`;
    },
    { kind: 'live' },
  );
  return setWorld(model, { folder });
}

export function madeCalls(folder: string): string[] {
  const log = join(folder, 'outside.log');
  return (existsSync(log) ? readFileSync(log, 'utf8') : '').split('\n').filter(Boolean);
}
