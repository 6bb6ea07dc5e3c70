/** Routes over run-sets: the list, one as `polya run-set show --json` tells it, and one as it goes on. */
import { Hono } from 'hono';
import type { HostItem, SetItem } from '../notes/page-items.ts';
import { setJson, setRowJson } from '../open/set-json.ts';
import { readableRuns } from '../run/spending.ts';
import { layoutOf } from '../studies/run-set/layout.ts';
import { runIdOf, setOf } from '../studies/run-set/plan.ts';
import type { RowResult } from '../studies/run-set/rows.ts';
import { text } from '../text/json.ts';
import { outcomeTone } from '../text/labels.ts';
import { rejectRequest } from './guard.ts';
import type { Routes } from './routes.ts';
import { headOf, resultOf, rowItem, SetReader } from './set-reader.ts';
import { streamEvents } from './stream.ts';

const mostSets = 200;
const lookEveryMs = 500;
const lookAtRestEveryMs = 2_000;
const rowsAtOnce = 200;
const unknown = 'There is no such run-set here.';

export function setRoutes({ polya, reader, ...ending }: Routes): Hono {
  const { store } = polya.world;
  const sets = new SetReader(store, reader);
  const app = new Hono();

  app.get('/sets', async (context) => {
    const rows = await store.listSets({ limit: mostSets });
    const runs = new Map((await readableRuns(store, () => undefined)).map((run) => [run.id, run]));
    const items = rows.map((row): SetItem => {
      const set = setOf(row);
      const own = set.plan.rows.flatMap((_plan, index) => runs.get(runIdOf(set, index)) ?? []);
      const outcomes = own.filter(({ ended }) => ended).map(({ summary }) => text(summary, 'outcome'));
      const good = outcomes.filter((outcome) => outcomeTone(outcome) === 'good').length;
      return { ...setRowJson(row), ended: outcomes.filter((each) => each !== 'cancelled').length, good };
    });
    return context.json({ sets: items });
  });

  app.get('/sets/:id', async (context) => {
    const row = await store.getSet(context.req.param('id'));
    if (!row) return rejectRequest(context, 404, unknown);
    const set = setOf(row);
    return context.json(setJson(resultOf(row, set, await allOf(sets.rows(set)))));
  });

  // Its head, then all rows that are new or have changed, again and again.
  app.get('/sets/:id/stream', async (context) => {
    const id = context.req.param('id');
    if (!(await store.getSet(id))) return rejectRequest(context, 404, unknown);
    return streamEvents(context, ending, async ({ tell, next }) => {
      const lines = new Map<number, string>();
      let head = '';
      for (let isFirst = true; ; isFirst = false) {
        const row = await store.getSet(id);
        if (!row) return tell('gone', {});
        const set = setOf(row);
        const layout = layoutOf(set.plan);
        if (isFirst) await tell('set', headOf(resultOf(row, set, []), layout));
        const all: RowResult[] = [];
        let changed: RowResult[] = [];
        const tellRows = async (): Promise<void> => {
          if (changed.length > 0)
            await tell(
              'rows',
              changed.map((each) => rowItem(each, layout)),
            );
          changed = [];
        };
        for await (const result of sets.rows(set)) {
          all.push(result);
          const mark = `${result.state} ${result.view?.lastSeq}`;
          if (lines.get(result.index) === mark) continue;
          lines.set(result.index, mark);
          changed.push(result);
          // Lets the server do other work between two parts of a long set.
          if (changed.length >= rowsAtOnce) {
            await tellRows();
            if (!(await next(0))) return;
          }
        }
        await tellRows();
        const now = headOf(resultOf(row, set, all), layout);
        if (JSON.stringify(now) !== head) await tell('set', now);
        head = JSON.stringify(now);
        if (!(await next(row.owner ? lookEveryMs : lookAtRestEveryMs))) return;
      }
    });
  });

  return app;
}

async function allOf<T>(found: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const each of found) all.push(each);
  return all;
}

const alone = 'This store is one machine’s: it has no other hosts. `polya worker --help` says which has.';

export function hostRoutes({ polya }: Routes): Hono {
  const { store } = polya.world;
  const app = new Hono();

  app.get('/hosts', async (context) => {
    const fleet = await store.fleet?.();
    if (!fleet) return rejectRequest(context, 404, alone);
    const titled = async (id: string) => ({ id, title: text((await store.get(id))?.summary, 'title') || id });
    const hosts = (await fleet.workers()).map(async (worker): Promise<HostItem> => {
      const { boot: _boot, pid: _pid, runs, ...item } = worker;
      return { ...item, runs: await Promise.all(runs.map(titled)) };
    });
    return context.json({ hosts: await Promise.all(hosts) });
  });

  return app;
}
