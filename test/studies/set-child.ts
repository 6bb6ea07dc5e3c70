/**
 * A process that works on a run-set of twelve rows until somebody kills it: `node set-child.ts FOLDER`. Every call that
 * reaches its "provider" leaves a line in a file outside, which survives any kill. It says so when it has begun.
 */
import { beginSet } from '../../src/studies/run-set/execute.ts';
import { prepareRows } from '../../src/studies/run-set/prepare.ts';
import { killedSet, killedWorld } from './killed-set.ts';

const world = killedWorld(process.argv[2] ?? '', 15);
const handle = await beginSet(world, killedSet, { prepared: await prepareRows(world, killedSet) });
console.log('begun');
await handle.done;
