/**
 * A journal event through the real writer, encoder and store, each awaited as an effect awaits it, against a prepared
 * insert of the same bytes into the same table. Batches: ten events of one turn against ten inserts in one transaction.
 */
import { join } from 'node:path';
import type { EventRow } from '../src/core/store.ts';
import { JournalEncoder } from '../src/core/journal.ts';
import { systemClock } from '../src/io/clock.ts';
import { hashText } from '../src/run/hash.ts';
import { JournalWriter, type NewEvent } from '../src/run/writer.ts';
import { type Bench, contest, type Row, timedEach } from './measure.ts';
import { openRaw, type RawStore } from './raw.ts';
import { proseOf } from './speech.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { openStoreWithRun } from './store-with-run.ts';

const events = 400;
const batchSize = 10;
const rounds = 21;

type Case = {
  readonly what: string;
  readonly durable: boolean;
  readonly together: number;
  readonly make: (number: number) => NewEvent;
};

const cases: readonly Case[] = [
  { what: 'short event (200 B), NORMAL', durable: false, together: 1, make: shortEvent },
  { what: 'event of 2 KB with a blob, NORMAL', durable: false, together: 1, make: longEvent },
  { what: 'short event, FULL', durable: true, together: 1, make: shortEvent },
  { what: `short event in a batch of ${batchSize}, NORMAL`, durable: false, together: batchSize, make: shortEvent },
];

export const append: Bench = {
  name: 'append',
  async run() {
    const rows: Row[] = [];
    for (const each of cases) rows.push(await measure(each));
    return rows;
  },
};

async function measure({ what, durable, together, make }: Case): Promise<Row> {
  using folder = temporaryFolder();
  const { writer, close } = await openWriter(join(folder.path, 'ours.db'));
  const raw = openRaw(join(folder.path, 'raw.db'), durable ? 'FULL' : 'NORMAL');
  let ourNumber = 0;
  let rawNumber = 0;
  const result = await contest({
    rounds,
    ours: () =>
      timedEach(events, async () => {
        for (let done = 0; done < events; done += together) {
          const news = Array.from({ length: together }, () => make((ourNumber += 1)));
          await writer.add(news, { durable }).written;
        }
      }),
    floor: () =>
      timedEach(events, () => {
        for (let done = 0; done < events; done += together) {
          insertTogether(raw, Array.from({ length: together }, () => rowOf(make, (rawNumber += 1))));
        }
      }),
  });
  raw.database.close();
  await close();
  const against = together === 1 ? 'one raw insert of the same bytes' : 'raw inserts in one transaction';
  return { what, unit: 'µs/event', against, ...result, aim: { of: 'ratio', atMost: 2 } };
}
