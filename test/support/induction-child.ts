/**
 * A process that works on a run of the induction graph and kills itself with SIGKILL at one moment of it:
 * `node induction-child.ts FOLDER start|resume MOMENT NUMBER`.
 */
import { resumeRun } from '../../src/run/resume.ts';
import { startRun } from '../../src/run/start.ts';
import { inductionRun, inductionWorld } from './induction-world.ts';

const [folder = '', how = '', moment = '', number = '0'] = process.argv.slice(2);
const counts = new Map<string, number>();

const world = inductionWorld(folder, (name) => {
  const count = (counts.get(name) ?? 0) + 1;
  counts.set(name, count);
  if (name === moment && count === Number(number)) process.kill(process.pid, 'SIGKILL');
});
const handle = await (how === 'start' ? startRun(world, inductionRun) : resumeRun(world, 'run'));
await handle.done;
