/**
 * A process that works on a run of the induction graph and kills itself with SIGKILL at one moment of it:
 * `node induction-child.ts FOLDER start|resume MOMENT NUMBER`.
 */
import { resumeRun } from '../../src/run/resume.ts';
import { startRun } from '../../src/run/start.ts';
import { inductionRun, inductionWorld } from './induction-world.ts';
import { killerAt } from './moments.ts';

const [folder = '', how = '', moment = '', number = '0'] = process.argv.slice(2);
const world = inductionWorld(folder, killerAt(moment, Number(number)));
const handle = await (how === 'start' ? startRun(world, inductionRun) : resumeRun(world, 'run'));
await handle.done;
