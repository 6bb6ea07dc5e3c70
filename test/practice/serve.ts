/** A process that serves a state folder until it is killed; its first line of output is its address. Used by tests. */
import { startPracticeSite } from '../../src/practice/site.ts';

const site = await startPracticeSite({ stateFolder: process.argv[2] ?? '', cooldownMs: 0 });
console.log(site.url);
