/** A host: `node fleet-child.ts PLACE NAME SLOTS`, the place as JSON. It works until SIGTERM, or until somebody kills it. */
import { work } from '../../src/studies/fleet/worker.ts';
import { factsOf, hostWorld } from './fleet-world.ts';

const [place = '', name = '', slots = '2'] = process.argv.slice(2);
const world = await hostWorld(JSON.parse(place), name);
const tell = (line: string) => process.env.POLYA_KEEP && console.error(name, line);
const stopping = new AbortController();
process.on('SIGTERM', () => stopping.abort());
const facts = factsOf(name, { slots: Number(slots) });
await work(world, { fleet: world.fleet, facts, signal: stopping.signal, tell });
await world.pacer?.close();
await world.store.close();
