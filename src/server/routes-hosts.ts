/** The workers of a store that several hosts share, as `polya fleet status` tells them. */
import { Hono } from 'hono';
import type { HostItem } from '../notes/page-items.ts';
import { text } from '../text/json.ts';
import { refused } from './guard.ts';
import type { Routes } from './routes.ts';

const alone = 'This store is one machine’s: it has no other hosts. `polya worker --help` says which has.';

export function hostRoutes({ polya }: Routes): Hono {
  const { store } = polya.world;
  const app = new Hono();

  app.get('/hosts', async (context) => {
    const fleet = await store.fleet?.();
    if (!fleet) return refused(context, 404, alone);
    const titled = async (id: string) => ({ id, title: text((await store.get(id))?.summary, 'title') || id });
    const hosts = (await fleet.workers()).map(async (worker): Promise<HostItem> => {
      const { boot: _boot, pid: _pid, runs, ...item } = worker;
      return { ...item, runs: await Promise.all(runs.map(titled)) };
    });
    return context.json({ hosts: await Promise.all(hosts) });
  });

  return app;
}
