/** Shows a run's model words to other processes through the store. Words may get lost here: the journal has them later. */
import { z } from 'zod';
import { type Event, positionName } from '../core/event.ts';
import type { Ownership, Store } from '../core/store.ts';
import type { Delta } from './world.ts';

export type Speech = z.infer<typeof speechShape>;

const speechShape = z.object({
  /** `main#5`: the position of the call. */
  call: z.string(),
  branch: z.string(),
  role: z.string(),
  /** How much it has said so far, thoughts included. */
  characters: z.number(),
  tail: z.array(z.object({ type: z.enum(['text', 'reasoning']), text: z.string() })),
});

const tellEveryMs = 250;
/** More than any model says between two looks of a watcher. */
const tailCharacters = 4_000;
/** Of many calls at once, only the latest speakers are shown. */
const mostSpeakers = 8;

export class LiveStream {
  readonly #store: Store;
  readonly #ownership: Ownership;
  /** By call; the one that spoke last is at the end. */
  readonly #speeches = new Map<string, Speech>();
  #timer: NodeJS.Timeout | null = null;

  constructor(store: Store, ownership: Ownership) {
    this.#store = store;
    this.#ownership = ownership;
  }

  push(delta: Delta): void {
    const call = positionName(delta);
    const { branch, role } = delta;
    const before = this.#speeches.get(call) ?? { call, branch, role, characters: 0, tail: [] };
    const { type, text } = delta;
    this.#speeches.delete(call);
    this.#speeches.set(call, {
      ...before,
      characters: before.characters + text.length,
      tail: truncateTail(joined(before.tail, { type, text })),
    });
    this.#scheduleUpdate();
  }

  settled(event: Event): void {
    if (event.kind === 'model-response' && this.#speeches.delete(positionName(event))) this.#scheduleUpdate();
  }

  close(): void {
    if (this.#timer) clearTimeout(this.#timer);
  }

  #scheduleUpdate(): void {
    if (this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      const speeches = [...this.#speeches.values()].slice(-mostSpeakers);
      const text = speeches.length > 0 ? JSON.stringify(speeches) : '';
      // Whether it can be told is of no matter to the run.
      this.#store.publish(this.#ownership, text).catch(() => undefined);
    }, tellEveryMs);
    this.#timer.unref();
  }
}

/** The words that a run of another process receives at the moment. */
export async function tail(store: Store, runId: string): Promise<readonly Speech[]> {
  const text = await store.tail(runId);
  if (text === null) return [];
  const parsed = z.array(speechShape).safeParse(JSON.parse(text));
  // A newer Polya may write another form.
  return parsed.success ? parsed.data : [];
}

function joined(tail: Speech['tail'], part: Speech['tail'][number]): Speech['tail'] {
  const last = tail.at(-1);
  if (last?.type !== part.type) return [...tail, part];
  return [...tail.slice(0, -1), { ...last, text: last.text + part.text }];
}

function truncateTail(tail: Speech['tail']): Speech['tail'] {
  let excess = tail.reduce((sum, { text }) => sum + text.length, 0) - tailCharacters;
  if (excess <= 0) return tail;
  return tail.flatMap(({ type, text }) => {
    const rest = text.slice(excess);
    excess = Math.max(0, excess - text.length);
    return rest === '' ? [] : [{ type, text: rest }];
  });
}
