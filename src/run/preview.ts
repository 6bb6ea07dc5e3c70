/** A run's first model request: its agent runs on a journal in memory, without network, sandbox or calls. */
import { JournalError, UnavailableError } from '../core/errors.ts';
import type { Event, Header, RunEnd } from '../core/event.ts';
import { changeStrings } from '../core/json.ts';
import type { Model, ModelCall, ModelRequest } from '../core/model.ts';
import type { InboxMessage, Ownership, Store } from '../core/store.ts';
import { afterActiveTime } from './activity.ts';
import type { RunHandle } from './live.ts';
import { beginRun, type PreparedRun } from './start.ts';
import type { Runtime } from './world.ts';

export type FirstRequest =
  | {
      readonly role: string;
      /** The request, with the settings as the model takes them. */
      readonly request: ModelRequest;
      readonly notices: readonly string[];
      readonly end: null;
    }
  /** The agent came to an end, or needed the world, before it asked a model. */
  | { readonly role: null; readonly request: null; readonly end: RunEnd };

/** `scratch` is a store in memory; it is left open. */
export async function previewRun(
  runtime: Runtime,
  scratch: Store,
  { header, models }: PreparedRun,
): Promise<FirstRequest> {
  const { first, hear } = captureFirstRequest(runtime);
  const listeners = new Map([...models].map(([role, model]) => [role, listener(model, hear)] as const));
  const existing = { ...runtime, store: scratch, io: withoutEffects(runtime.io) };
  const asked = Promise.withResolvers<void>();
  const onEvent = ({ kind }: Event): void => (kind === 'ask' ? asked.resolve() : undefined);
  const handle = await beginRun(existing, { header, models: listeners }, { onEvent });
  // In a preview, nobody answers a question to a person.
  void asked.promise.then(() => handle.stop());
  return firstOf(handle, first);
}

/** The same of a run that would go on, or be forked. Of branches that ask at once, the request of `branch` is shown. */
export async function previewLife(
  world: Runtime,
  begin: (runtime: Runtime) => Promise<RunHandle>,
  branch?: string,
): Promise<{ readonly header: Header; readonly first: FirstRequest }> {
  const { first, hear } = captureFirstRequest(world, branch);
  const handle = await begin({
    ...world,
    store: discardingStore(world.store),
    io: withoutEffects(world.io),
    model: async (spec, place) => listener(await world.model(spec, place), hear),
  });
  return { header: handle.header, first: await firstOf(handle, first) };
}

type RequestListener = (
  model: Model,
  request: ModelRequest,
  context: Pick<ModelCall, 'role' | 'branch'>,
) => void;

/** An agent that has not asked by then is not waited for. */
const longestMs = 10_000;

/** With other settings the branch that is wanted may never ask: then the first request is shown. */
const patienceMs = 1_000;

function captureFirstRequest(
  { redact }: Runtime,
  requested?: string,
): { readonly first: Promise<FirstRequest>; readonly hear: RequestListener } {
  const { promise: first, resolve } = Promise.withResolvers<FirstRequest>();
  const onMessage: RequestListener = (model, request, { role, branch }) => {
    const modelRequest = redact ? changeStrings(request, redact) : request;
    const received = { role, ...adaptRequest(model, modelRequest), end: null };
    if (requested === undefined || branch === requested) resolve(received);
    else setTimeout(resolve, patienceMs, received);
  };
  return { first, hear: onMessage };
}

async function firstOf(handle: RunHandle, first: Promise<FirstRequest>): Promise<FirstRequest> {
  const ended = handle.done.then((end): FirstRequest => ({ role: null, request: null, end }));
  const callOff = afterActiveTime(longestMs, () => handle.stop());
  const found = await Promise.race([first, ended]);
  callOff();
  handle.stop();
  // How it ends then is of no interest.
  await ended.catch(() => undefined);
  return found;
}

function adaptRequest(model: Model, request: ModelRequest) {
  const { settings } = request;
  const claimed = settings && model.adapt?.(settings);
  return {
    request: claimed ? { ...request, settings: claimed.settings } : request,
    notices: claimed?.notices ?? [],
  };
}

/** Keeps the caller waiting until the run is cancelled. */
function listener(model: Model, onMessage: RequestListener): Model {
  return {
    ...model,
    generate: (request, context) =>
      new Promise((resolve) => {
        const { signal } = context;
        const error = { kind: 'aborted', message: 'Only the request was wanted.', retryable: false } as const;
        signal.addEventListener('abort', () => resolve({ ok: false, error, usage: null }), { once: true });
        onMessage(model, request, context);
      }),
  };
}

function withoutEffects(io: Runtime['io']): Runtime['io'] {
  const refuse = async (): Promise<never> => {
    throw new UnavailableError({ code: 'preview-effect', what: 'A preview touches nothing.' });
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
      close: async () => undefined,
    },
  };
}

/** After all that was ever posted. */
const firstPosted = 2 ** 40;
const forgotten = async (): Promise<void> => undefined;

function discardingStore(store: Store): Store {
  const created = new Set<string>();
  const posted: (InboxMessage & { readonly runId: string })[] = [];
  return {
    async create({ id, owner }): Promise<Ownership> {
      created.add(id);
      return { runId: id, epoch: 0, owner };
    },
    async acquire(runId, owner) {
      const held = (await store.get(runId))?.owner;
      if (held) throw ownedByPreview(runId, held.pid);
      return { runId, epoch: 0, owner };
    },
    release: forgotten,
    heartbeat: forgotten,
    append: forgotten,
    events: (runId, afterSeq, limit) => store.events(runId, afterSeq, limit),
    blobNames: async () => [],
    blobs: (hashes) => store.blobs(hashes),
    get: (runId) => store.get(runId),
    list: (filter) => store.list(filter),
    delete: forgotten,
    post: async (runId, message) => {
      posted.push({ runId, id: firstPosted + posted.length, ...message });
    },
    mail: async (runId, afterId) => [
      ...(created.has(runId) ? [] : await store.mail(runId, afterId)),
      ...posted.filter((message) => message.runId === runId && message.id > afterId),
    ],
    publish: forgotten,
    tail: (runId) => store.tail(runId),
    createSet: async ({ id }) => ({ setId: id, epoch: 0 }),
    acquireSet: async (setId) => ({ setId, epoch: 0 }),
    heartbeatSet: forgotten,
    releaseSet: forgotten,
    getSet: (setId) => store.getSet(setId),
    listSets: (filter) => store.listSets(filter),
    close: forgotten,
  };
}

function ownedByPreview(runId: string, pid: number): JournalError {
  return new JournalError({
    code: 'run-owned',
    what: `Run ${runId} is at work in process ${pid}.`,
    fix: 'What it asks next, `polya runs watch` shows.',
  });
}
