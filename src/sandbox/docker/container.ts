/** One container from start to end. Its name holds its user, so no two share one: Linux counts processes by user. */
import { Duplex, PassThrough, type Readable } from 'node:stream';
import type Dockerode from 'dockerode';
import { z } from 'zod';
import { UnavailableError } from '../../core/errors.ts';
import type { Removed } from '../../core/sandbox.ts';
import type { SitePlan } from './container-options.ts';
import { containerOptions, isAbandoned, ownerLabel } from './container-options.ts';
import type { Engine } from './engine.ts';
import { engineError, isNameInUse, isNotFound } from './faults.ts';

export type Container = {
  /** Its end reaches process 1 as the end of stdin. */
  readonly stdin: Duplex;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly streamsEnded: Promise<void>;
  /** What the engine knows of the end, when it has come. */
  ending(): Promise<Ending>;
  /** Ends what is still going on. Resolves when nothing is left. */
  remove(): Promise<void>;
};

export type Ending = {
  readonly exitCode: number | null;
  /** The kernel ended process 1, or one of its children, for memory. Podman never says so. */
  readonly wasOutOfMemory: boolean;
};

/** Numbers that neither Debian nor systemd nor slots.ts gives to other users. The image's /etc/passwd names them. */
export const containerUids = { first: 61_100, count: 80 } as const;

export async function startContainer(engine: Engine, plan: SitePlan): Promise<Container> {
  const container = await create(engine, plan);
  try {
    const socket = await attach(engine, container);
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    engine.docker.modem.demuxStream(socket, stdout, stderr);
    const streamsEnded = untilClosed(socket).then(() => {
      stdout.end();
      stderr.end();
    });
    await container.start();
    return {
      stdin: socket,
      stdout,
      stderr,
      streamsEnded,
      ending: () => endingOf(container),
      remove: () => removeContainer(container).finally(() => socket.destroy()),
    };
  } catch (error) {
    await removeContainer(container).catch(() => {});
    throw error instanceof UnavailableError ? error : engineError('starting a container', error);
  }
}

/** One that is gone already is what was wanted. */
export async function removeContainer(container: Dockerode.Container): Promise<void> {
  try {
    await container.remove({ force: true, v: true });
  } catch (error) {
    const isUnderWay = error instanceof Error && /already in progress/.test(error.message);
    if (!isNotFound(error) && !isUnderWay) throw engineError('removing a container', error);
  }
}

async function create(engine: Engine, plan: SitePlan): Promise<Dockerode.Container> {
  const { first, count } = containerUids;
  for (let attempt = 0; attempt < count; attempt++) {
    const uid = first + ((process.pid + attempt) % count);
    try {
      return await engine.docker.createContainer(containerOptions({ ...plan, uid, name: `polya-${uid}` }));
    } catch (error) {
      if (!isNameInUse(error)) throw engineError('making a container', error);
    }
  }
  throw new UnavailableError({
    code: 'no-free-user',
    what: `All ${count} users for containers are in use.`,
    fix: 'Run fewer programs at once, or remove what is left with `polya doctor --clean`.',
  });
}

/** Without a body, which dockerode's own `attach` sends, and which podman takes for the first input. */
function attach({ docker }: Engine, { id }: Dockerode.Container): Promise<Duplex> {
  const { promise, resolve, reject } = Promise.withResolvers<Duplex>();
  const request = new AbortController();
  docker.modem.dial(
    {
      // Of a path with a query and no options, dockerode takes the last character away.
      path: `/containers/${id}/attach?stream=1&stdin=1&stdout=1&stderr=1&`,
      method: 'POST',
      file: Buffer.alloc(0),
      isStream: true,
      hijack: true,
      openStdin: true,
      abortSignal: request.signal,
      statusCodes: { 101: true, 200: true, 404: 'no such container', 500: 'server error' },
    },
    (error: Error | null, socket: unknown) => {
      if (socket instanceof Duplex) return resolve(socket);
      reject(error ?? new Error('the engine did not hand over a connection'));
      // Nothing else ends it, and it would keep this process alive.
      request.abort();
    },
  );
  return promise;
}

/** An engine that dies breaks the connection; what that means is for who reads the streams. */
function untilClosed(socket: Duplex): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  for (const event of ['end', 'close', 'error']) socket.once(event, () => resolve());
  socket.on('error', () => {});
  return promise;
}

async function endingOf(container: Dockerode.Container): Promise<Ending> {
  try {
    await container.wait();
    const { State: state } = await container.inspect();
    return { exitCode: state.ExitCode, wasOutOfMemory: state.OOMKilled };
  } catch (error) {
    if (isNotFound(error)) return { exitCode: null, wasOutOfMemory: false };
    throw engineError('watching a container', error);
  }
}

const containerSchema = z.object({
  Id: z.string(),
  Names: z.array(z.string()).min(1),
  State: z.string(),
  Created: z.number(),
  Labels: z.record(z.string(), z.string()).nullable(),
});

export type AbandonedContainer = Removed & { remove(): Promise<boolean> };

export async function findAbandoned({ docker, version }: Engine): Promise<readonly AbandonedContainer[]> {
  const filters = { label: [ownerLabel] };
  const request = docker.listContainers({ all: true, filters });
  const entries = await request.catch((error: unknown) => {
    throw engineError('listing containers', error);
  });
  return z
    .array(containerSchema)
    .parse(entries)
    .filter(({ State: state, Created: seconds, Labels: labels }) =>
      isAbandoned({ labels: labels ?? {}, state, createdMs: seconds * 1000 }, Date.now()),
    )
    .map(({ Id: id, Names: names }) => ({
      kind: 'container',
      name: `${names[0]?.replace(/^\//, '')} of ${version}`,
      remove: () => removeContainer(docker.getContainer(id)).then(() => true),
    }));
}

export async function removeAbandoned(engine: Engine): Promise<readonly Removed[]> {
  const removed: Removed[] = [];
  for (const { kind, name, remove } of await findAbandoned(engine)) {
    await remove();
    removed.push({ kind, name });
  }
  return removed;
}
