/**
 * A server whose page may act: what it begins are real processes of Polya, which are ended with the tests. What it only
 * asks is asked of the same commands in this process.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import type { Event } from '../../src/core/event.ts';
import type { Store } from '../../src/core/store.ts';
import { openJournals } from '../../src/open/journals.ts';
import { readJournal } from '../../src/run/load.ts';
import { type Commands, commandsIn } from '../../src/server/commands.ts';
import { servePage } from '../../src/server/server.ts';
import { root } from '../cli/process.ts';
import { atExit, type Place, polya } from '../cli/shell.ts';
import { pageAt, pageFiles } from './browser.ts';

export type Told = { readonly status: number; readonly body: { readonly [name: string]: unknown } };

type Options = {
  readonly isReadOnly?: boolean;
  /** Whether a process is started also for what is asked and not begun, as by a real page. */
  readonly asksProcesses?: boolean;
  /** It ends with the test; this is for those that several tests share. */
  readonly whenOver?: (close: () => Promise<void>) => void;
};

export async function acting(
  place: Place,
  { isReadOnly = false, asksProcesses = false, whenOver = onTestFinished }: Options = {},
) {
  const journals = openJournals({ folder: place.folder, env: place.env, create: true });
  const words: (readonly string[])[] = [];
  const commands = commandsIn({ calledAs: './polya', folder: place.folder, env: place.env });
  const watched: Commands = {
    ...commands,
    ...(asksProcesses ? {} : { call: (called) => polya(place, called) }),
    launch: (called) => {
      const launched = commands.launch(called);
      words.push(called);
      let hasEnded = false;
      const over = (): void => {
        hasEnded = true;
      };
      launched.ended.then(over, over);
      atExit(() => !hasEnded && process.kill(launched.pid, 'SIGKILL'));
      return launched;
    },
  };
  const server = await servePage({ polya: journals, page: pageFiles, isReadOnly, commands: watched });
  whenOver(async () => {
    await server.close();
    await journals.close();
  });
  const headers = {
    authorization: `Bearer ${server.token}`,
    'content-type': 'application/json',
  };
  const told = async (response: Response): Promise<Told> => ({
    status: response.status,
    body: (await response.json()) as Told['body'],
  });
  const { store } = journals.world;
  return {
    server,
    journals,
    store,
    /** What was launched. */
    words,
    get: async (path: string) => told(await fetch(`${server.url}api/v1/${path}`, { headers })),
    post: async (path: string, body: unknown) =>
      told(
        await fetch(`${server.url}api/v1/${path}`, { method: 'POST', headers, body: JSON.stringify(body) }),
      ),
    events: async (id: string): Promise<readonly Event[]> => (await readJournal(store, id)).events,
  };
}

type Acting = Awaited<ReturnType<typeof acting>>;

/** `wrong`: a script that is refused, a request elsewhere, an error. */
export async function looking(
  { server }: Acting,
  { hash = '', ...options }: Omit<Parameters<typeof pageAt>[1], 'allowed'> & { readonly hash?: string } = {},
) {
  const seen = await pageAt(server.createLink(), { ...options, allowed: server.url });
  if (hash !== '') await seen.page.goto(server.url + hash);
  return seen;
}

/** What a page holds once all that nobody holds has been collected: bytes of its heap, nodes shown or kept. */
export async function usedBy(page: Page) {
  const inspector = await page.context().newCDPSession(page);
  return async () => {
    await inspector.send('HeapProfiler.collectGarbage');
    const { usedSize: bytes } = await inspector.send('Runtime.getHeapUsage');
    return { bytes, nodes: (await inspector.send('Memory.getDOMCounters')).nodes };
  };
}

/** An ensemble over a question: several branches, looks for notes, no program. */
export async function ensembleRun(
  place: Place,
  question = 'A rope of 12 metres is cut in two.',
): Promise<string> {
  const problem = ['--problem', JSON.stringify({ question, answer: '10/3' })];
  const model = question.includes('A rope of 12 metres') ? 'scripted/qa-rope' : ofAnyQuestion(place);
  const words = ['run', '--family', 'qa', ...problem, '--agent', 'ensemble', '--model', model];
  const { out, err } = await polya(place, [...words, '--seed', 'demo', '--json']);
  const { id } = JSON.parse(out);
  if (typeof id !== 'string') throw new Error(out + err);
  return id;
}

/** The replies of that script, which are refused for another question. */
function ofAnyQuestion({ folder }: Place): string {
  const bundled = readFileSync(join(root, 'examples', 'scripts', 'qa-rope.yaml'), 'utf8');
  const script = join(folder, 'any-question.yaml');
  writeFileSync(script, bundled.replace(/^onlyFor:.*\n/m, ''));
  return `scripted:${script}`;
}

/** As another process would, while somebody looks. */
export async function writing(
  { store, owner }: { store: Store; owner: Parameters<Store['acquire']>[1] },
  id: string,
) {
  const ownership = await store.acquire(id, owner);
  let seq = (await store.get(id))?.lastSeq ?? 0;
  return {
    note: async (count: number, words: (index: number) => string): Promise<void> => {
      const events = Array.from({ length: count }, (_, index) => ({
        ...{
          seq: seq + index + 1,
          atMs: 1_800_000_000_000 + seq + index,
          branch: '',
          ordinal: null,
          attempt: 0,
        },
        kind: 'note' as const,
        body: JSON.stringify({ kind: 'step', data: { words: words(index) } }),
      }));
      seq += count;
      await store.append(ownership, { events, blobs: [], durable: false, ended: false });
    },
    release: () => store.release(ownership),
  };
}
