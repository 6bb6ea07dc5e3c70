/** A process that works on the set of cut-set.ts until somebody kills it: `node cut-child.ts FOLDER OPTIONS`, as JSON. */
import { type CutOptions, cutLife } from './cut-set.ts';

const [folder = '', options = '{}'] = process.argv.slice(2);
// What never answers keeps no process alive.
setInterval(() => undefined, 1_000);
await cutLife(folder, JSON.parse(options) as CutOptions);
process.exit(0);
