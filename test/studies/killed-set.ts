/** The run-set that is killed, the same in every process. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { World } from '../../src/run/world.ts';
import { modelOf } from '../support/odd.ts';
import { rowOf, setOfRows, setWorld } from './sets.ts';

export const killedSet = setOfRows(
  Array.from({ length: 12 }, (_, n) => rowOf({ name: `row ${n}`, settings: { calls: 6 } })),
  { concurrency: 4, budget: { costUsd: 1_000 } },
);

export function killedWorld(folder: string, slowMs: number): World {
  const log = join(folder, 'outside.log');
  const model = modelOf(
    async (request, { run }) => {
      await new Promise((resolve) => setTimeout(resolve, slowMs));
      appendFileSync(log, `${run} ${JSON.stringify(request.messages)}\n`);
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
