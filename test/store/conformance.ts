/** What every store has to do, as `core/store.ts` promises it. Each store runs this suite with one line of its own. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AppendBatch, EventRow, NewRun, NewSet, Owner, Ownership, Store } from '../../src/core/store.ts';

export type StoreBench = {
  /** A store over the same data, as another process would open it. */
  open(): Promise<Store>;
  /** A process that lives, and that is not this one where that matters. */
  readonly living: Owner;
  readonly dead: Owner;
  close(): Promise<void>;
};

export const row = (seq: number, body = '{}'): EventRow => ({
  seq,
  atMs: 1000 + seq,
  branch: '',
  ordinal: null,
  attempt: 0,
  kind: 'note',
  body,
});

export const batch = (seqs: readonly number[], more: Partial<AppendBatch> = {}): AppendBatch => ({
  events: seqs.map((seq) => row(seq, `{"n":${seq}}`)),
  blobs: [],
  durable: false,
  ...more,
});

const blob = (hash: string, text = hash): { hash: string; text: string } => ({ hash, text });

export function describeStore(name: string, makeBench: () => Promise<StoreBench>): void {
  describe(`the store ${name}`, () => {
    let bench: StoreBench;
    let store: Store;

    beforeEach(async () => {
      bench = await makeBench();
      store = await bench.open();
    });
    afterEach(async () => {
      await store.close();
      await bench.close();
    });

    const newRun = (id: string, more: Partial<NewRun> = {}): NewRun => ({
      id,
      createdAtMs: 500,
      parent: null,
      summary: { title: id },
      owner: bench.living,
      ...more,
    });
    const make = (id: string, first = batch([1])): Promise<Ownership> => store.create(newRun(id), first);
    const fork = (id: string, run: string, seq: number, first = batch([seq + 1])): Promise<Ownership> =>
      store.create(newRun(id, { parent: { run, seq } }), first);
    const seqsOf = async (id: string): Promise<number[]> =>
      (await store.events(id)).map((event) => event.seq);
    const letGo = async (...owned: Ownership[]): Promise<void> => {
      for (const each of owned) await store.release(each);
    };

    describe('runs and events', () => {
      test('are there as they were written', async () => {
        const owned = await make('a');
        const event = { ...row(2, '{"text":"ä\\u0000😀"}'), branch: 'a/b', ordinal: 3, attempt: 1 };
        await store.append(owned, { ...batch([]), events: [event] });
        expect((await store.events('a'))[1]).toEqual(event);
        expect(await store.get('a')).toEqual({
          id: 'a',
          createdAtMs: 500,
          parent: null,
          summary: { title: 'a' },
          lastSeq: 2,
          lastAtMs: 1002,
          owner: bench.living,
          host: bench.living.host,
          ended: false,
          heartbeatAtMs: expect.any(Number),
        });
      });

      test('are read from any number on', async () => {
        const owned = await make('a', batch([1, 2, 3]));
        await store.append(owned, batch([4]));
        expect((await store.events('a', 2)).map(({ seq }) => seq)).toEqual([3, 4]);
        expect(await store.events('a', 4)).toEqual([]);
      });

      test('are listed newest first, as many as are wanted', async () => {
        for (const id of ['a', 'b', 'c']) await make(id);
        expect((await store.list()).map(({ id }) => id)).toEqual(['c', 'b', 'a']);
        expect((await store.list({ limit: 2 })).map(({ id }) => id)).toEqual(['c', 'b']);
      });

      test('that have not ended are listed by themselves', async () => {
        for (const id of ['a', 'b', 'c']) {
          const owned = await make(id);
          if (id !== 'b') await store.append(owned, batch([2], { ended: true }));
        }
        expect((await store.list({ open: true })).map(({ id }) => id)).toEqual(['b']);
      });

      test('say what they are and whether they have ended', async () => {
        const owned = await make('a');
        await store.append(owned, batch([2], { summary: { outcome: 'solved' }, ended: true }));
        expect(await store.get('a')).toMatchObject({ summary: { outcome: 'solved' }, ended: true });
        await store.append(owned, batch([3], { ended: false }));
        expect(await store.get('a')).toMatchObject({ summary: { outcome: 'solved' }, ended: false });
      });

      test('have ids of their own', async () => {
        await make('a');
        await expect(make('a')).rejects.toThrow('There is a run a already');
        expect(await seqsOf('a')).toEqual([1]);
      });

      test('that do not exist are no runs', async () => {
        expect(await store.get('x')).toBeNull();
        for (const call of [
          () => store.events('x'),
          () => store.acquire('x', bench.living),
          () => store.delete('x'),
          () => store.mail('x', 0),
          () => store.tail('x'),
          () => store.post('x', { kind: 'tell', text: '', atMs: 0 }),
          () => fork('y', 'x', 1),
        ]) {
          await expect(call()).rejects.toThrow('There is no run x');
        }
        expect(await store.get('y')).toBeNull();
      });
    });

    describe('an append', () => {
      test.each([
        ['leaves a gap', [3]],
        ['repeats a number', [1]],
        ['has a gap in it', [2, 4]],
      ])('that %s is refused as a whole', async (_what, seqs) => {
        const owned = await make('a');
        const more = { blobs: [blob('h')], summary: { spoilt: true }, ended: true };
        await expect(store.append(owned, batch(seqs, more))).rejects.toThrow('cannot follow');
        expect(await seqsOf('a')).toEqual([1]);
        expect(await store.blobs(['h'])).toEqual(new Map());
        expect(await store.get('a')).toMatchObject({ summary: { title: 'a' }, ended: false });
        await store.append(owned, batch([2]));
        expect(await seqsOf('a')).toEqual([1, 2]);
      });

      test('is seen by another process at once, durable or not', async () => {
        const owned = await make('a');
        const other = await bench.open();
        await store.append(owned, batch([2], { durable: true }));
        await store.append(owned, batch([3]));
        expect((await other.events('a')).map(({ seq }) => seq)).toEqual([1, 2, 3]);
        await other.close();
      });

      test('that is refused undoes nothing of what other runs append in the same turn', async () => {
        const [a, b, c] = [await make('a'), await make('b'), await make('c')];
        const appended = [
          store.append(a, batch([2], { durable: true })),
          store.append(b, batch([3])),
          store.append(c, batch([2])),
        ];
        const statuses = (await Promise.allSettled(appended)).map(({ status }) => status);
        expect(statuses).toEqual(['fulfilled', 'rejected', 'fulfilled']);
        await Promise.all([store.append(a, batch([3])), store.append(b, batch([2]))]);
        expect(await Promise.all(['a', 'b', 'c'].map(seqsOf))).toEqual([
          [1, 2, 3],
          [1, 2],
          [1, 2],
        ]);
      });
    });

    describe('ownership', () => {
      test('is refused while the owner lives, with its pid', async () => {
        await make('a');
        await expect(store.acquire('a', bench.dead)).rejects.toThrow(`process ${bench.living.pid}`);
        await expect(store.delete('a')).rejects.toThrow(`process ${bench.living.pid}`);
        expect((await store.get('a'))?.owner).toEqual(bench.living);
      });

      test('goes over when the owner has let go', async () => {
        await letGo(await make('a'));
        expect((await store.get('a'))?.owner).toBeNull();
        const next = await store.acquire('a', bench.living);
        await store.append(next, batch([2]));
        expect(await seqsOf('a')).toEqual([1, 2]);
      });

      test('goes over when the owner is dead, and what that one still tries is refused', async () => {
        const first = await store.create(newRun('a', { owner: bench.dead }), batch([1]));
        expect((await store.get('a'))?.owner).toBeNull();
        const other = await bench.open();
        const second = await other.acquire('a', bench.living);
        expect(second.epoch).toBeGreaterThan(first.epoch);
        await expect(store.append(first, batch([2]))).rejects.toThrow('belongs to another process');
        await expect(store.heartbeat(first)).rejects.toThrow('belongs to another process');
        await store.release(first);
        expect((await store.get('a'))?.owner).toEqual(bench.living);
        await other.append(second, batch([2]));
        await other.heartbeat(second);
        await other.close();
      });

      test('of an earlier life does not end the later one of the same process', async () => {
        const first = await store.create(newRun('a', { owner: bench.dead }), batch([1]));
        const second = await store.acquire('a', bench.living);
        await store.release(first);
        await store.append(second, batch([2]));
        await expect(store.append(first, batch([3]))).rejects.toThrow('belongs to another process');
      });

      test('that was let go appends nothing more', async () => {
        const owned = await make('a');
        await letGo(owned);
        await expect(store.append(owned, batch([2]))).rejects.toThrow('belongs to another process');
      });
    });

    describe('blobs', () => {
      test('are kept once, long and short, whatever they hold', async () => {
        const texts = {
          short: 'ä',
          long: 'lorem ipsum '.repeat(500),
          odd: `\u0000${'x\u0000'.repeat(2000)}😀`,
        };
        const blobs = Object.entries(texts).map(([hash, text]) => blob(hash, text));
        const owned = await make('a', batch([1], { blobs }));
        await store.append(owned, batch([2], { blobs: [blob('short', 'ä'), ...blobs] }));
        expect(await store.blobs(['short', 'long', 'odd', 'none'])).toEqual(new Map(Object.entries(texts)));
      });

      test('that are large are handed out in several goes, and all of them in the end', async () => {
        const names = ['a', 'b', 'c', 'd'];
        await make('a', batch([1], { blobs: names.map((name) => blob(name, name.repeat(3_000_000))) }));
        const found = new Map<string, string>();
        while (found.size < names.length) {
          const more = await store.blobs([...names, 'none'].filter((name) => !found.has(name)));
          expect(more.size).toBeGreaterThan(0);
          for (const [name, text] of more) found.set(name, text);
        }
        expect([...found].map(([name, text]) => [name, text.length]).toSorted()).toEqual(
          names.map((name) => [name, 3_000_000]),
        );
      });

      test('go with the last run that refers to them', async () => {
        const a = await make('a', batch([1], { blobs: [blob('mine'), blob('ours')] }));
        expect((await store.blobNames('a')).toSorted()).toEqual(['mine', 'ours']);
        const b = await make('b', batch([1], { blobs: [blob('ours')] }));
        await letGo(a, b);
        await store.delete('a');
        expect([...(await store.blobs(['mine', 'ours'])).keys()]).toEqual(['ours']);
        await store.delete('b');
        expect((await store.blobs(['mine', 'ours'])).size).toBe(0);
      });
    });

    describe('a fork', () => {
      test('begins with what it shares and goes on by itself', async () => {
        const a = await make('a', batch([1, 2, 3]));
        const b = await fork('b', 'a', 2);
        await store.append(a, batch([4]));
        await store.append(b, { ...batch([]), events: [row(4, '"of b"')] });
        expect((await store.events('b')).map(({ seq, body }) => [seq, body])).toEqual([
          [1, '{"n":1}'],
          [2, '{"n":2}'],
          [3, '{"n":3}'],
          [4, '"of b"'],
        ]);
        expect((await store.events('b', 2)).map(({ seq }) => seq)).toEqual([3, 4]);
        expect(await seqsOf('a')).toEqual([1, 2, 3, 4]);
        expect(await store.get('b')).toMatchObject({ parent: { run: 'a', seq: 2 }, lastSeq: 4 });
      });

      test('cannot share what is not there', async () => {
        await make('a', batch([1, 2]));
        await expect(fork('b', 'a', 3)).rejects.toThrow('has no event 3');
        expect(await store.get('b')).toBeNull();
      });

      test('of a fork may share less than that one', async () => {
        await make('a', batch([1, 2, 3, 4]));
        await fork('b', 'a', 3, batch([4, 5]));
        await fork('c', 'b', 2);
        await fork('d', 'b', 5);
        expect(await seqsOf('c')).toEqual([1, 2, 3]);
        expect(await seqsOf('d')).toEqual([1, 2, 3, 4, 5, 6]);
      });

      test('keeps what it shares until the last of its kind is deleted', async () => {
        const owned = [
          await make('a', batch([1, 2], { blobs: [blob('shared')] })),
          await fork('b', 'a', 2, batch([3], { blobs: [blob('own')] })),
          await fork('c', 'b', 3),
          await fork('d', 'a', 1),
        ];
        await letGo(...owned);
        await store.delete('a');
        expect(await store.get('a')).toBeNull();
        expect((await store.list()).map(({ id }) => id)).toEqual(['d', 'c', 'b']);
        await store.delete('b');
        expect(await seqsOf('c')).toEqual([1, 2, 3, 4]);
        await store.delete('c');
        expect([...(await store.blobs(['shared', 'own'])).keys()]).toEqual(['shared']);
        expect(await seqsOf('d')).toEqual([1, 2]);
        await store.delete('d');
        expect((await store.blobs(['shared', 'own'])).size).toBe(0);
        await make('a');
      });

      test('does not bring a deleted parent back', async () => {
        await letGo(await make('a'), await fork('b', 'a', 1));
        await store.delete('a');
        for (const call of [
          () => store.events('a'),
          () => store.acquire('a', bench.living),
          () => store.delete('a'),
          () => fork('c', 'a', 1),
        ]) {
          await expect(call()).rejects.toThrow('There is no run a');
        }
        const b = await store.acquire('b', bench.living);
        await store.append(b, batch([3]));
        expect(await seqsOf('b')).toEqual([1, 2, 3]);
      });
    });

    describe('mail', () => {
      test('comes in order, to its run, from anybody', async () => {
        await make('a');
        await make('b');
        const other = await bench.open();
        await store.post('a', { kind: 'tell', text: 'one', atMs: 1 });
        await other.post('b', { kind: 'tell', text: 'not for a', atMs: 2 });
        await other.post('a', { kind: 'stop', text: '', atMs: 3 });
        const mail = await store.mail('a', 0);
        expect(mail.map(({ kind, text, atMs }) => [kind, text, atMs])).toEqual([
          ['tell', 'one', 1],
          ['stop', '', 3],
        ]);
        expect(await store.mail('a', mail[0]?.id ?? 0)).toEqual(mail.slice(1));
        await other.close();
      });

      test('has higher ids than those that a journal of another store has read', async () => {
        const owned = await make('a', batch([1], { mailAfter: 50 }));
        expect(await store.mail('a', 0)).toEqual([]);
        await store.append(owned, batch([2], { mailAfter: 40 }));
        await store.post('a', { kind: 'tell', text: 'one', atMs: 1 });
        const [first] = await store.mail('a', 50);
        expect(first).toMatchObject({ text: 'one' });
        await store.append(owned, batch([], { mailAfter: 70 }));
        await store.post('a', { kind: 'tell', text: 'two', atMs: 1 });
        expect((await store.mail('a', 70)).map(({ text }) => text)).toEqual(['two']);
      });

      test('goes with its run, and its ids are not given again', async () => {
        await letGo(await make('a'));
        await store.post('a', { kind: 'tell', text: 'one', atMs: 1 });
        const [first] = await store.mail('a', 0);
        await store.delete('a');
        await make('a');
        expect(await store.mail('a', 0)).toEqual([]);
        await store.post('a', { kind: 'tell', text: 'two', atMs: 1 });
        expect((await store.mail('a', first?.id ?? 0)).map(({ text }) => text)).toEqual(['two']);
      });
    });

    describe('a whisper', () => {
      test('is overheard by others until something else is said', async () => {
        const owned = await make('a');
        const other = await bench.open();
        expect(await other.tail('a')).toBeNull();
        await store.publish(owned, 'one');
        await store.publish(owned, 'two ä😀');
        expect(await other.tail('a')).toBe('two ä😀');
        await store.publish(owned, '');
        expect(await other.tail('a')).toBeNull();
        await other.close();
      });

      test('is no event, and no news of its run', async () => {
        const owned = await make('a');
        const before = await store.get('a');
        await store.publish(owned, 'one');
        expect(await store.get('a')).toEqual(before);
        expect(await seqsOf('a')).toEqual([1]);
      });

      test('is gone with its owner, and with its run', async () => {
        const first = await make('a');
        await store.publish(first, 'one');
        await letGo(first);
        expect(await store.tail('a')).toBeNull();
        const second = await store.acquire('a', bench.living);
        expect(await store.tail('a')).toBeNull();
        await expect(store.publish(first, 'late')).rejects.toThrow('belongs to another process');
        await store.publish(second, 'two');
        await letGo(second);
        await store.delete('a');
        await make('a');
        expect(await store.tail('a')).toBeNull();
      });

      test('of the dead is not heard', async () => {
        const owned = await store.create(newRun('a', { owner: bench.dead }), batch([1]));
        await store.publish(owned, 'one');
        expect(await store.tail('a')).toBeNull();
      });
    });

    describe('a run-set', () => {
      const newSet = (id: string, owner = bench.living): NewSet => ({
        id,
        createdAtMs: 500,
        plan: { name: id },
        owner,
      });

      test('is kept as it was made, newest first', async () => {
        await store.createSet(newSet('a'));
        await store.createSet(newSet('b', bench.dead));
        expect(await store.getSet('a')).toEqual({ ...newSet('a'), ending: null });
        expect(await store.getSet('b'), 'the dead own nothing').toMatchObject({ owner: null });
        expect((await store.listSets()).map(({ id }) => id)).toEqual(['b', 'a']);
        expect(await store.listSets({ limit: 1 })).toHaveLength(1);
        expect(await store.getSet('none')).toBeNull();
        await expect(store.createSet(newSet('a'))).rejects.toThrow('There is a run-set a already');
      });

      test('has one owner, who alone may say how it ended', async () => {
        const first = await store.createSet(newSet('a', bench.dead));
        const second = await store.acquireSet('a', bench.living, { name: 'changed' });
        await expect(store.acquireSet('a', bench.living, {})).rejects.toThrow(/Process \d+.* is at work/);
        await expect(store.heartbeatSet(first)).rejects.toThrow('belongs to another process');
        await expect(store.releaseSet(first, null)).rejects.toThrow('belongs to another process');
        await store.heartbeatSet(second);
        await store.releaseSet(second, { reason: 'done' });
        const other = await bench.open();
        expect(await other.getSet('a')).toMatchObject({
          plan: { name: 'changed' },
          ending: { reason: 'done' },
          owner: null,
        });
        await other.close();
      });

      test('that is gone on with has not ended', async () => {
        const first = await store.createSet(newSet('a'));
        await store.releaseSet(first, { reason: 'budget' });
        await store.acquireSet('a', bench.living, { name: 'a' });
        expect(await store.getSet('a')).toMatchObject({ ending: null });
        await expect(store.acquireSet('none', bench.living, {})).rejects.toThrow('There is no run-set none');
      });
    });
  });
}
