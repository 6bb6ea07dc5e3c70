/**
 * A process that works on a run of the toy world and kills itself with SIGKILL at one moment of it:
 * `node kill-child.ts FOLDER AGENT start|resume MOMENT NUMBER`, the moment being one of those below; at `never` it goes
 * on, NUMBER milliseconds slower at each call, until somebody else kills it; at `silent` its model gives NUMBER replies and
 * then none, so that it waits until it is stopped. It says so on stdout when it has begun.
 */
import { resumeRun } from '../../src/run/resume.ts';
import { startRun } from '../../src/run/start.ts';
import { killWorld } from './kill-world.ts';
import { killerAt, storeWithMoments } from './moments.ts';
import { toyRun } from './toy-run.ts';
import { toyWorld } from './world.ts';

const [folder = '', agent = '', how = 'start', moment = '', number = '0'] = process.argv.slice(2);
const reach = killerAt(moment, Number(number));
const means = { never: { slowMs: Number(number) }, silent: { replies: Number(number) } }[moment] ?? {};
const world = toyWorld({
  folder,
  wrapStore: (store) => storeWithMoments(store, reach),
  onPerform: (name) => reach(`${name}-effect`),
  ...killWorld,
  ...means,
});
const handle = await (how === 'start' ? startRun(world, toyRun(agent)) : resumeRun(world, 'run'));
console.log('begun');
await handle.done;
