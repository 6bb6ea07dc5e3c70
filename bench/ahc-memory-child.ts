/** `node ahc-memory-child.ts COUNT`: evaluates so many cases and prints the most memory that it took, in bytes. */
import { chooseSandbox } from '../src/sandbox/choose.ts';
import { busySolution, evaluateAll, inputs } from './ahc-world.ts';

await evaluateAll(chooseSandbox(), busySolution(0), inputs(Number(process.argv[2] ?? '1')));
process.stdout.write(`${process.resourceUsage().maxRSS * 1024}\n`);
