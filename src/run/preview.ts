/**
 * What a run would ask a model first: its agent runs over a journal in memory, with a model that only listens, and
 * neither network nor sandbox. Nothing is called and nothing is kept. It does not guess what would come after.
 */
import { UnavailableError } from '../core/errors.ts';
import type { RunEnd } from '../core/event.ts';
import type { Model, ModelRequest } from '../core/model.ts';
import type { Store } from '../core/store.ts';
import { beginRun, type PreparedRun } from './start.ts';
import type { World } from './world.ts';

export type FirstRequest =
  | {
      readonly role: string;
      /** With the settings as the model takes them. */
      readonly request: ModelRequest;
      /** What was changed of the settings for that. */
      readonly notices: readonly string[];
      readonly end: null;
    }
  /** The agent came to an end, or needed the world, before it asked a model. */
  | { readonly role: null; readonly request: null; readonly end: RunEnd };

/** `scratch` is a store in memory; it is left open. */
export async function previewRun(
  world: World,
  scratch: Store,
  { header, models }: PreparedRun,
): Promise<FirstRequest> {
  let heard: (first: FirstRequest) => void = () => undefined;
  const first = new Promise<FirstRequest>((resolve) => {
    heard = resolve;
  });
  const listeners = [...models].map(
    ([role, model]) =>
      [
        role,
        listener(model, (at, request) => heard({ role: at, ...adapted(model, request), end: null })),
      ] as const,
  );
  const handle = await beginRun(
    { ...world, store: scratch, io: withoutWorld(world.io) },
    { header, models: new Map(listeners) },
  );
  const ended = handle.done.then((end): FirstRequest => ({ role: null, request: null, end }));
  const found = await Promise.race([first, ended]);
  handle.stop();
  await ended;
  return found;
}

function adapted(model: Model, request: ModelRequest) {
  const { settings, notices } = (request.settings && model.adapt?.(request.settings)) ?? {
    settings: request.settings,
    notices: [],
  };
  return { request: settings ? { ...request, settings } : request, notices };
}

/** Keeps the caller waiting until the run is broken off. */
function listener(model: Model, onRequest: (role: string, request: ModelRequest) => void): Model {
  return {
    ...model,
    generate: (request, { role, signal }) =>
      new Promise((resolve) => {
        const error = { kind: 'aborted', message: 'Only the request was wanted.', retryable: false } as const;
        signal.addEventListener('abort', () => resolve({ ok: false, error, usage: null }), { once: true });
        onRequest(role, request);
      }),
  };
}

function withoutWorld(io: World['io']): World['io'] {
  const refuse = async (): Promise<never> => {
    throw new UnavailableError({ what: 'A preview touches nothing.' });
  };
  return {
    ...io,
    http: { request: refuse },
    files: { read: refuse, write: refuse, append: refuse },
    sandbox: {
      info: () => io.sandbox.info(),
      check: refuse,
      build: refuse,
      exec: refuse,
      batch: refuse,
      clean: refuse,
    },
  };
}
