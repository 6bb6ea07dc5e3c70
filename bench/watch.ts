/**
 * Watching a conversation of 200 turns while it goes on: one look at the journal before each call of the model, as
 * `polya runs watch` looks, against the raw query for the new rows. Looks at the last quarter only count, so that a
 * look which reads everything again would be seen. And a look that finds nothing new.
 */
import { DatabaseSync } from 'node:sqlite';
import { toolLoop } from '../src/agents/tool-loop/tool-loop.ts';
import type { Model } from '../src/core/model.ts';
import { followJournal } from '../src/run/load.ts';
import { type Bench, median, type Row, timed } from './measure.ts';
import { talkingModel, talkTools } from './tool-talk.ts';
import { openWorld, runToEnd } from './world.ts';

const turns = 200;

type Looks = { readonly news: number[]; readonly nothing: number[]; readonly raw: number[] };

export const watch: Bench = {
  name: 'watch',
  async run() {
    const { news, nothing, raw } = await lookOnAsItGoes();
    return [row('a look that finds one turn', news, raw), row('a look that finds nothing', nothing, raw)];
  },
};

async function lookOnAsItGoes(): Promise<Looks> {
  const looks: Looks = { news: [], nothing: [], raw: [] };
  const before = { each: async (): Promise<void> => undefined };
  const model: Model = {
    ...talkingModel,
    generate: async (request, call) => {
      await before.each();
      return talkingModel.generate(request, call);
    },
  };
  await using world = openWorld({ agent: toolLoop, model, tools: talkTools(turns) });
  using database = new DatabaseSync(world.file);
  const query = database.prepare('SELECT * FROM events WHERE run_key = 1 AND seq > ? ORDER BY seq');
  const look = followJournal(world.store, 'run');
  let lastSeq = 0;
  before.each = async () => {
    looks.news.push(await timed(look));
    looks.nothing.push(await timed(look));
    looks.raw.push(await timed(() => query.all(lastSeq)));
    lastSeq = (await world.store.get('run'))?.lastSeq ?? 0;
  };
  await runToEnd(world, 'run');
  return looks;
}

function row(what: string, ours: readonly number[], raw: readonly number[]): Row {
  const [measured, floor] = [ours, raw].map((each) => median(each.slice(-turns / 4)) * 1000);
  if (measured === undefined || floor === undefined) throw new Error('Nothing was measured.');
  return { what, unit: 'µs', against: 'the raw query', measured, floor, ratio: measured / floor, aim: null };
}
