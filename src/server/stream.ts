/** Streams of events (SSE) that look again and again until their reader or the server goes. The server's end is told. */
import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import { ExplainedError } from '../core/errors.ts';

export type Watcher = {
  /** `id` is what a reader that comes back names as the last that it has. */
  tell(event: string, data: unknown, id?: number): Promise<void>;
  /** Waits before the next look; false when there is to be none. */
  next(ms: number): Promise<boolean>;
  readonly isOver: boolean;
};

/** Anything at least so often, so that a reader knows that it still listens. */
const beatEveryMs = 10_000;

export function streamEvents(
  context: Context,
  { closing, onTrouble }: { readonly closing: AbortSignal; readonly onTrouble?: OnServerError },
  watch: (watcher: Watcher) => Promise<void>,
): Response {
  const open = (stream: Parameters<Parameters<typeof streamSSE>[1]>[0]): Watcher => {
    let idleMs = 0;
    const report: Watcher['tell'] = async (event, data, id) => {
      idleMs = 0;
      await stream.writeSSE({
        event,
        data: JSON.stringify(data),
        ...(id === undefined ? {} : { id: String(id) }),
      });
    };
    return {
      tell: report,
      get isOver() {
        return stream.aborted || closing.aborted;
      },
      async next(ms) {
        await pause(ms, closing);
        idleMs += ms;
        if (idleMs >= beatEveryMs && !stream.aborted && !closing.aborted) await report('beat', {});
        return !stream.aborted && !closing.aborted;
      },
    };
  };
  return streamSSE(context, async (stream) => {
    const watcher = open(stream);
    await stream.writeSSE({ event: 'open', data: '{}', retry: 1_000 });
    try {
      await watch(watcher);
    } catch (error) {
      onTrouble?.(error);
      await watcher.tell('trouble', toErrorPayload(error));
    }
    if (closing.aborted) await watcher.tell('end', {});
  });
}

/** Is told what went wrong in the server: its user reads it in the terminal. */
export type OnServerError = (error: unknown) => void;

/** The part of an error that others may see: never its stack. */
export function toErrorPayload(error: unknown): { readonly error: string } {
  if (error instanceof ExplainedError) return { error: error.message };
  return { error: 'The server failed at this. The terminal of `polya view` says more.' };
}

function pause(ms: number, abort: AbortSignal): Promise<void> {
  if (abort.aborted) return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  const wake = (): void => resolve();
  abort.addEventListener('abort', wake, { once: true });
  return promise.finally(() => {
    clearTimeout(timer);
    abort.removeEventListener('abort', wake);
  });
}
