/** What `./ahc-agent` starts, and the bin of the package after it has checked the version of Node. */
import { ahcFace } from './faces.ts';
import { runProcess } from './run-process.ts';

await runProcess(ahcFace);
