/** A host: `node fleet-child.ts FOLDER URL NAME SLOTS`. It works until SIGTERM, or until somebody kills it. */
import { work } from '../../src/studies/fleet/worker.ts';
import { factsOf, hostWorld } from './fleet-world.ts';

const [folder = '', url = '', name = '', slots = '2'] = process.argv.slice(2);
const world = await hostWorld({ folder, url }, name);
const tell = (line: string) => process.env.POLYA_KEEP && console.error(name, line);
const stopping = new AbortController();
process.on('SIGTERM', () => stopping.abort());
const facts = factsOf(name, { slots: Number(slots) });
await work(world, { fleet: world.fleet, facts, signal: stopping.signal, tell });
await world.store.close();
