/** What `./ahc-agent` starts, and the bin of the package after it has checked the version of Node. */
import { ahcProgram } from './apps/all.ts';
import { runProcess } from './cli/process-shell.ts';

await runProcess(ahcProgram);
