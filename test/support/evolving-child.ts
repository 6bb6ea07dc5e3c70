/**
 * A process that works on an evolution and kills itself with SIGKILL at one moment of it: `node evolving-child.ts FOLDER
 * start|resume MOMENT NUMBER`; at `never` it goes on until somebody else kills it, a little slower, and says when it began.
 */
import { resumeRun } from '../../src/run/resume.ts';
import { startRun } from '../../src/run/start.ts';
import { evolvingWorld, killedRun } from './evolving-world.ts';
import { killerAt } from './moments.ts';

const [folder = '', how = '', moment = '', number = '0'] = process.argv.slice(2);
const slowMs = moment === 'never' ? Number(number) : 0;
const world = evolvingWorld(folder, killerAt(moment, Number(number)), slowMs);
// The kill before may have come right after its end.
const { ended } = (await world.store.get('run')) ?? {};
if (!ended) {
  const handle = await (how === 'resume' ? resumeRun(world, 'run') : startRun(world, killedRun));
  console.log('begun');
  await handle.done;
}
