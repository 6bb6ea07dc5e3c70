/**
 * A process that works on a run-set of twelve rows until somebody kills it: `node set-child.ts FOLDER ANSWERS`. Every call
 * that reaches its "provider" leaves a line in a file outside, which survives any kill; so many of them are answered.
 */
import { beginSet, prepareRows } from '../../src/studies/run-set/execute.ts';
import { killedSet, killedWorld } from './killed-set.ts';

const [folder = '', answers = '0'] = process.argv.slice(2);
const world = killedWorld(folder, Number(answers));
const handle = await beginSet(world, killedSet, { prepared: await prepareRows(world, killedSet) });
await handle.done;
