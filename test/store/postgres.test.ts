/** The store on Postgres: the suite of all stores, and what it has for itself. */
import { hostname } from 'node:os';
import type { Store } from '../../src/core/store.ts';
import { thisProcess } from '../../src/store/owner.ts';
import { openPostgresStore } from '../../src/store/postgres/store.ts';
import { newStoreUrl } from '../support/postgres.ts';
import { describeStore } from './conformance.ts';

/** No lease runs out while a test is at work, however slow the machine is. */
const leaseMs = 600_000;
const open = (url: string): Promise<Store> => openPostgresStore({ url, leaseMs });
const deadOwner = { ...thisProcess(), startedAt: thisProcess().startedAt.replace(/\d+$/, '1') };

describeStore('postgres', async () => {
  const url = await newStoreUrl();
  return {
    open: () => open(url),
    living: { ...thisProcess(), host: hostname() },
    dead: deadOwner,
    close: async () => undefined,
  };
});
