/**
 * A process that works on a run with a session in the real sandbox, and kills itself with SIGKILL when so many of its
 * calls are in the journal: `node session-child.ts FOLDER CALLS`.
 */
import { startRun } from '../../src/run/start.ts';
import { oddRun } from './odd.ts';
import { sessionWorld } from './session-world.ts';

const world = sessionWorld(process.argv[2] ?? '');
let left = Number(process.argv[3]);
const onEvent = ({ kind }: { kind: string }): void => {
  if (kind === 'exec-end') left -= 1;
  if (left === 0) process.kill(process.pid, 'SIGKILL');
};
await (await startRun(world, oddRun(), { onEvent })).done;
