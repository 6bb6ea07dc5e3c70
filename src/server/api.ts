/** The routes below `/api/v1`: JSON, lines of JSON, and streams of events that go on where a reader left off. */
import { Hono } from 'hono';
import { foldRun } from '../core/fold.ts';
import type { RunRow } from '../core/store.ts';
import { eventItem } from '../notes/page-items.ts';
import { answerRun } from '../open/answering.ts';
import { stateOf } from '../open/run-json.ts';
import { codeVersion } from '../open/version.ts';
import { changeLimits } from '../run/changed-limits.ts';
import { tail } from '../run/live-stream.ts';
import { text } from '../text/json.ts';
import { actionRoutes } from './acts.ts';
import { numberIn, rejectRequest } from './guard.ts';
import { createHiddenFinder, findHiddenPaths } from './hidden-places.ts';
import { Reader, wholeRun } from './reader.ts';
import type { ApiOptions, OfRun } from './routes.ts';
import { compareRoutes } from './routes-compare.ts';
import { costRoutes } from './routes-cost.ts';
import { questionRoutes } from './routes-questions.ts';
import { hostRoutes, setRoutes } from './routes-sets.ts';
import { RunIndex } from './run-index.ts';
import { queryIn, searchEvents } from './search.ts';
import { streamEvents } from './stream.ts';

const lookEveryMs = 100;
const mostEvents = 5_000;
/** More events than this are sent together. */
const mostSingle = 200;
/** With more events than this, the requested ones are sent first. */
const manyEvents = 2_000;

export function api(options: ApiOptions): Hono<OfRun> {
  const { polya, isReadOnly, closing, commands, apps } = options;
  const { store, io } = polya.world;
  const reader = new Reader(store);
  const index = new RunIndex(store, reader, () => io.clock.now());
  const app = new Hono<OfRun>();

  app.get('/store', (context) =>
    context.json({
      home: polya.home,
      version: codeVersion(),
      isReadOnly,
      nowMs: io.clock.now(),
      isShared: polya.place.file === null,
      calledAs: commands?.calledAs ?? 'polya',
    }),
  );

  app.get('/runs', async (context) => {
    await index.refresh();
    return context.json(await index.list(queryIn((name) => context.req.queries(name) ?? [])));
  });

  // Says that the list has changed, and what stands in the page's bar.
  app.get('/runs/stream', (context) =>
    streamEvents(context, options, async (watcher) => {
      let count = -1;
      do {
        await index.refresh();
        if (index.version !== count) {
          count = index.version;
          await watcher.tell('changed', { version: count, counts: index.counts });
        }
        await index.read();
      } while (await watcher.next(index.version === count ? 5 * lookEveryMs : 0));
    }),
  );

  app.use(async (context, next) => {
    if (isReadOnly && context.req.method === 'POST')
      return rejectRequest(context, 403, 'This page only shows: it was started with --read-only.');
    await next();
  });

  app.use('/runs/:id/*', async (context, next) => {
    const row = await store.get(context.req.param('id'));
    if (!row) return rejectRequest(context, 404, 'There is no such run here.');
    context.set('row', row);
    await next();
  });

  app.get('/runs/:id', async (context) => context.json(await completeRun(reader, context.get('row'))));

  app.get('/runs/:id/events', async (context) => {
    const after = numberIn(context.req.query('after'), 0, Number.MAX_SAFE_INTEGER);
    const limit = numberIn(context.req.query('limit'), 1_000, mostEvents);
    const { events, view } = await reader.journal(context.req.param('id'));
    const visible = events.filter(({ seq }) => seq > after).slice(0, limit);
    const lines = visible.map((event) => JSON.stringify(eventItem(event, view.header)));
    return context.body(lines.map((line) => `${line}\n`).join(''), 200, {
      'content-type': 'application/jsonl; charset=utf-8',
    });
  });

  app.get('/runs/:id/events/:seq', async (context) => {
    const found = await reader.event(context.req.param('id'), Number(context.req.param('seq')));
    return found
      ? context.json(found)
      : rejectRequest(context, 404, 'This run has no such event that can be read.');
  });

  app.get('/runs/:id/events/:seq/hidden', async (context) => {
    const { id, seq } = context.req.param();
    const event = await reader.event(id, Number(seq));
    // Most have no place for it; of the others, all that models were shown is looked through.
    const isRequested = event !== undefined && findHiddenPaths(event.kind).length > 0;
    return context.json({
      places: isRequested ? createHiddenFinder((await reader.journal(id)).events)(event) : [],
    });
  });

  // How it was begun, but for the problem: what a fork may change.
  app.get('/runs/:id/header', async (context) => {
    const { header } = (await reader.journal(context.req.param('id'))).view;
    if (!header) return rejectRequest(context, 404, 'Its journal does not say how it was begun.');
    const { agent, models, limits, prompts } = header;
    return context.json({ agent, models, limits, prompts });
  });

  app.get('/runs/:id/search', async (context) => {
    const after = numberIn(context.req.query('after'), 0, Number.MAX_SAFE_INTEGER);
    const limit = numberIn(context.req.query('limit'), 1_000, mostEvents);
    const words = (context.req.query('words') ?? '').split(/\s+/).filter(Boolean);
    const { events } = await reader.journal(context.req.param('id'));
    return context.json(await searchEvents(events, words, { after, limit }));
  });

  app.get('/runs/:id/panels', async (context) => {
    const { events } = await reader.journal(context.req.param('id'));
    const seq = Number(context.req.query('event') ?? 0);
    return context.json({ panels: (await apps?.panels(events, seq > 0 ? { seq } : {})) ?? [] });
  });

  app.get('/runs/:id/documents/:name', async (context) => {
    const { id, name } = context.req.param();
    const found = await apps?.document((await reader.journal(id)).events, name);
    if (!found) return rejectRequest(context, 404, 'There is no such document of this run.');
    // To be saved and never shown: it is of this origin, and models wrote in it.
    return context.body(found, 200, {
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment',
    });
  });

  // Lines after the one that the reader has; then its totals, and what is being said just now.
  app.get('/runs/:id/stream', (context) => {
    const runRow = context.get('row');
    const { id } = runRow;
    const from = context.req.header('last-event-id') ?? context.req.query('after');
    let last = numberIn(from, 0, Number.MAX_SAFE_INTEGER);
    const nearby = context.req.query('near');
    return streamEvents(context, options, async (watcher) => {
      let saying = '';
      let state = '';
      const head = await reader.head(runRow);
      const header = head ? foldRun([head]).header : null;
      if (head && last === 0 && nearby !== undefined && runRow.lastSeq > manyEvents) {
        const runPrefix = await reader.readPrefix(runRow, head, numberIn(nearby, 0, runRow.lastSeq));
        await watcher.tell('near', runPrefix);
        await watcher.tell('run', await reader.summarize(runRow, runPrefix));
      }
      do {
        const row = await store.get(id);
        if (!row) return watcher.tell('gone', {});
        const before = last;
        for await (const fresh of reader.eventsAfter(id, last)) {
          // One by one, a hundred thousand take a browser a quarter of a minute.
          const atOnce = fresh.length > mostSingle ? 1_000 : 1;
          for (let from = 0; from < fresh.length; from += atOnce) {
            const items = fresh.slice(from, from + atOnce).map((event) => eventItem(event, header));
            last = items.at(-1)?.seq ?? last;
            await watcher.tell(atOnce === 1 ? 'event' : 'events', atOnce === 1 ? items[0] : items, last);
            if (watcher.isOver) return;
          }
        }
        if (last > before || state !== stateOf(row)) {
          state = stateOf(row);
          await watcher.tell('run', await completeRun(reader, row));
        }
        const said = row.owner ? await tail(store, id) : [];
        if (JSON.stringify(said) !== saying) await watcher.tell('saying', said);
        saying = JSON.stringify(said);
      } while (await watcher.next(lookEveryMs));
    });
  });

  app.post('/runs/:id/:act{stop|tell|answer}', async (context) => {
    const { id, act } = context.req.param();
    const row = context.get('row');
    const body: unknown = await context.req.json().catch(() => null);
    const words = text(body as never, 'text').trim();
    const rejection = rejectAction(row, act as RunAction, words);
    if (rejection) return rejectRequest(context, 409, rejection);
    if (act === 'answer') {
      const { view, events } = await reader.journal(id);
      await answerRun(polya.world, { row, view, events }, { answer: words });
    } else {
      const kind = act === 'stop' ? 'stop' : 'tell';
      await store.post(id, { kind, text: act === 'stop' ? '' : words, atMs: io.clock.now() });
    }
    return context.json({ done: act });
  });

  // The same as `polya runs limit`.
  app.post('/runs/:id/limits', async (context) => {
    const id = context.req.param('id');
    await changeLimits(polya.world, id, await context.req.json().catch(() => ({})));
    return context.json({ done: 'limits' });
  });

  app.route('/', setRoutes({ ...options, reader }));
  app.route('/', compareRoutes({ store, reader }));
  if (commands) app.route('/', actionRoutes({ polya, commands, closing }));
  app.route('/', questionRoutes({ ...options, reader }));
  app.route('/', costRoutes({ ...options, reader }));
  app.route('/', hostRoutes({ ...options, reader }));

  return app;
}

type RunAction = 'stop' | 'tell' | 'answer';

async function completeRun(reader: Reader, row: RunRow) {
  return wholeRun(row, await reader.journal(row.id), await reader.item(row));
}

/** Why it cannot be done now, as the commands say it. */
function rejectAction(row: RunRow, runAction: RunAction, words: string): string | null {
  if (runAction === 'stop') return row.owner ? null : 'The run is not running.';
  if (words === '') return 'There is nothing to tell: the text is empty.';
  if (row.ended)
    return 'The run has ended: it reads nothing more. A fork with a hint goes on from one of its events.';
  return null;
}
