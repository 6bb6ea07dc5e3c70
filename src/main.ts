/** What `./polya` starts, and the bin of the package after it has checked the version of Node. */
import { apps } from './apps/all.ts';
import { polyaProgram } from './cli/commands.ts';
import { runProcess } from './cli/process-shell.ts';

await runProcess(polyaProgram(apps));
