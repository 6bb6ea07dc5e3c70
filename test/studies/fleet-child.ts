/** A host: `node fleet-child.ts PLACE NAME SLOTS`, its place as JSON. It works until SIGTERM, or until somebody kills it. */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { work } from '../../src/studies/fleet/worker.ts';
import { factsOf, hostWorld, spoolOf } from './fleet-world.ts';

const [text = '{}', name = '', slots = '2'] = process.argv.slice(2);
const place = JSON.parse(text);
const world = await hostWorld(place, name);
const tell = (line: string) => appendFileSync(join(place.folder, 'told.log'), `${name} ${line}\n`);
const stopping = new AbortController();
process.on('SIGTERM', () => stopping.abort());
const facts = factsOf(name, { slots: Number(slots) });
const spool = spoolOf(place, name, tell);
await work(world, { fleet: world.fleet, facts, signal: stopping.signal, tell, spool });
await world.pacer?.close();
await world.store.close();
