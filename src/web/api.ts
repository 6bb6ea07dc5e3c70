/** What the page asks its server. */
import { signal } from '@preact/signals';
import type { Event } from '../core/event.ts';
import type { EventItem, HiddenPlace, RunItem } from '../notes/page-items.ts';
import { typed } from './controls.tsx';

export type Store = {
  readonly home: string;
  readonly version: string;
  readonly isReadOnly: boolean;
  /** Several hosts share it. */
  readonly isShared: boolean;
  readonly calledAs: string;
  readonly nowMs: number;
};

/** Whose page it is; null until the server has told. */
export const store = signal<Store | null>(null);

/** The part of `GET /runs/ID` that the page shows. */
export type Run = {
  readonly id: string;
  readonly item: RunItem;
  readonly answer: string | null;
  readonly explanation: string;
  readonly models: readonly { readonly model: string; readonly label: string | null }[];
  readonly totals: { readonly programs: number };
  readonly stages: readonly Stage[];
  /** Null where the problem has none. */
  readonly gold: string | null;
  readonly lives: number;
  readonly possiblyBilled: number;
  readonly damage: { readonly seq: number; readonly reason: string } | null;
  readonly events: number;
};

export type Stage = Pick<RunItem, 'aliveMs' | 'tokens' | 'costUsd' | 'knownCostUsd'> & {
  readonly stage: string;
  readonly solved: boolean;
  readonly modelCalls: number;
};

export type Speech = {
  readonly branch: string;
  readonly role: string;
  readonly characters: number;
  readonly tail: readonly { readonly type: string; readonly text: string }[];
};

/** Relative: the page lies below a path of its own. */
const base = 'api/v1';

/**
 * `lost`: the server does not answer; what is shown may be old. `ended`: it said that it ends. `refused`: another one
 * answers, which does not know this page. `copy`: there is none, and all is in the file.
 */
export const connection = signal<'waiting' | 'live' | 'lost' | 'ended' | 'refused' | 'copy'>('waiting');

/** In words of ours: each browser has other ones for a server that is gone. */
function reached(path: string, init?: RequestInit): Promise<Response> {
  return fetch(base + path, init).catch(() => {
    throw new TypeError(typed('The server does not answer: `polya view` starts it again.'));
  });
}

const notHeld = 'This file does not hold it: `polya view` shows it where the run is.';

export async function get<T>(path: string): Promise<T> {
  if (copy) {
    if (Object.hasOwn(copy.answers, path)) return copy.answers[path] as T;
    throw new Error(notHeld);
  }
  const response = await reached(path);
  const body = await response.json();
  if (!response.ok) throw new Error(typed(String(body.error)));
  return body;
}

/** Null where it was done, else why not. */
export function postAction(run: string, what: 'stop' | 'tell' | 'answer', text = ''): Promise<string | null> {
  return done(`/runs/${run}/${what}`, { text });
}

/** Null where it was done, else why not. */
export async function done(path: string, body: unknown): Promise<string | null> {
  try {
    await postJson(path, body);
    return null;
  } catch (error) {
    if (error instanceof TypeError) return 'The server does not answer. Nothing was sent.';
    return error instanceof Error ? error.message : String(error);
  }
}

/** One event whole, and what of it no model was shown: nothing where that cannot be told. */
export type FoundEvent = { readonly event: Event; readonly hidden: readonly HiddenPlace[] };

export async function fetchEvent(run: string, seq: number): Promise<FoundEvent> {
  const path = `/runs/${run}/events/${seq}`;
  const [event, { places }] = await Promise.all([
    get<Event>(path),
    get<{ readonly places: readonly HiddenPlace[] }>(`${path}/hidden`).catch(() => ({ places: [] })),
  ]);
  return { event, hidden: places };
}

type RunListeners = {
  /** Events in order, except those that are sent before all others. */
  readonly events: (items: readonly EventItem[]) => void;
  readonly run: (run: Run) => void;
  readonly saying: (speechs: readonly Speech[]) => void;
  /** Why there is nothing to tell, or no more. */
  readonly problem: (words: string) => void;
};

type EventWindow = { readonly run: Run; readonly events: readonly EventItem[] };

/**
 * Of a long journal, what is near an event (0: the end) comes first, then all before it at once. A browser that lost its connection
 * goes on after the last event that it was told.
 */
export function watchRun(
  id: string,
  { events, run, saying, problem }: RunListeners,
  nearby: number,
): () => void {
  let waiting: EventItem[] = [];
  let firstShown = 0;
  const report = (): void => {
    firstShown = 0;
    events(waiting);
    waiting = [];
  };
  const take = (items: readonly EventItem[]): void => {
    waiting = [...waiting, ...items];
    if ((items.at(-1)?.seq ?? 0) >= firstShown - 1) report();
  };
  const listeners = {
    near: (eventWindow: EventWindow) => {
      firstShown = eventWindow.events[0]?.seq ?? 0;
      run(eventWindow.run);
      events(eventWindow.events);
    },
    event: (item: EventItem) => take([item]),
    events: take,
    run: (told: Run) => {
      if (waiting.length > 0) report();
      run(told);
    },
    saying,
    gone: ({ error = 'There is no such run here.' }) => problem(error),
    trouble: ({ error }: { error: string }) => problem(typed(error)),
  };
  return listen(`/runs/${id}/stream`, listeners, `?near=${nearby}`);
}

/** What a file that was given away holds in the place of a server: answers by path, and what streams tell. */
type Copy = {
  /** The screen that it opens with. */
  readonly start: string;
  readonly answers: Readonly<Record<string, unknown>>;
  readonly streams: Readonly<Record<string, readonly (readonly [event: string, data: unknown])[]>>;
};

const copied = document.getElementById('copy')?.textContent;
const copy: Copy | null = copied ? JSON.parse(copied) : null;

export const copyStart = copy?.start ?? '';

/** A copy of a set need not hold the journals of its runs. */
export function canOpen(run: string): boolean {
  return !copy || Object.hasOwn(copy.streams, `/runs/${run}/stream`);
}

/** After this long without a word the stream is opened anew: the machine may have slept. The server speaks each 10 s. */
const longestSilenceMs = 30_000;

/** `first`: what the server is asked besides, until it has told something with a number. */
export function listen(
  path: string,
  listeners: Readonly<Record<string, (data: never) => void>>,
  first = '',
): () => void {
  if (copy) return replay(copy.streams[path] ?? [['gone', { error: notHeld }]], listeners);
  let heardMs = Date.now();
  let last = '';
  let source = open();
  const refusedBy = async (): Promise<void> => {
    const answer = await fetch(base + path).catch(() => null);
    await answer?.body?.cancel();
    if (answer?.status === 404) (listeners.gone as ((told: object) => void) | undefined)?.({});
    else connection.value = 'refused';
  };
  function open(): EventSource {
    const created = new EventSource(base + path + (last === '' ? first : `?after=${last}`));
    const heard = (message: MessageEvent): void => {
      heardMs = Date.now();
      last = message.lastEventId || last;
    };
    created.onopen = () => {
      heardMs = Date.now();
      connection.value = 'live';
    };
    created.onerror = () => {
      // It is closed for good where the server is another one by now, that does not know this page, or knows no such thing.
      if (created.readyState === EventSource.CLOSED) void refusedBy();
      else if (connection.value !== 'ended') connection.value = 'lost';
    };
    for (const name of ['beat', 'end', 'trouble']) created.addEventListener(name, heard);
    created.addEventListener('end', () => {
      connection.value = 'ended';
    });
    for (const [name, listener] of Object.entries(listeners)) {
      created.addEventListener(name, (message) => {
        heard(message);
        listener(JSON.parse(message.data) as never);
      });
    }
    return created;
  }
  const wake = (): void => {
    if (document.hidden || Date.now() - heardMs < longestSilenceMs) return;
    source.close();
    heardMs = Date.now();
    source = open();
  };
  const timer = setInterval(wake, 5_000);
  document.addEventListener('visibilitychange', wake);
  addEventListener('online', wake);
  return () => {
    source.close();
    clearInterval(timer);
    document.removeEventListener('visibilitychange', wake);
    removeEventListener('online', wake);
  };
}

function replay(
  lines: readonly (readonly [string, unknown])[],
  listeners: Readonly<Record<string, (data: never) => void>>,
): () => void {
  connection.value = 'copy';
  queueMicrotask(() => {
    for (const [name, data] of lines) listeners[name]?.(data as never);
  });
  return () => undefined;
}

/** Throws an error that says what is wrong, why, and what to do. */
export async function postJson<T>(path: string, body: unknown): Promise<T> {
  const response = await reached(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const told = await response.json();
  if (!response.ok) throw new Error(typed(String(told.error)));
  return told;
}

export type Compared = { readonly run: string; readonly branch: string };

/** A run in an address and in requests: `RUN`, or `RUN~BRANCH`. */
export function comparedName({ run, branch }: Compared): string {
  return branch === '' ? run : `${run}~${encodeURIComponent(branch)}`;
}

export function comparedIn(name: string): Compared {
  const [run = '', branch = ''] = name.split('~');
  return { run, branch };
}
