/** What `./polya` starts, and the bin of the package after it has checked the version of Node. */
import { polyaFace } from './faces.ts';
import { runProcess } from './run-process.ts';

await runProcess(polyaFace);
