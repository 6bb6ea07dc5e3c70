/**
 * A command, or a shell, in a container of somebody's own: their folder is mounted, their user works there, and what they
 * type and see goes through. No sandbox: it is for their own work, and has no network unless it is asked for.
 */
import type { Duplex, Readable, Writable } from 'node:stream';
import type Dockerode from 'dockerode';
import { z } from 'zod';
import { UnavailableError } from '../../core/errors.ts';
import { attach, removeContainer, untilClosed } from './container.ts';
import type { Engine } from './engine.ts';
import { engineFault, refusalOf } from './faults.ts';

/** On containers alone: no image has it to hand down. */
export const containerLabel = 'polya.folder.container';

export type Size = { readonly rows: number; readonly columns: number };

/** Where somebody sits at both ends: keys go through as they are typed. */
export type Terminal = {
  readonly size: () => Size;
  /** Calls back when its window changes, until what it returns is called. */
  readonly onResize: (listener: () => void) => () => void;
  readonly setRaw: (isRaw: boolean) => void;
};

export type Streams = {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly terminal: Terminal | null;
};

export type ShellPlan = {
  readonly image: string;
  readonly folder: string;
  /** Where the folder lies in the container. */
  readonly mountPath: string;
  /** Empty: what the image starts by itself. */
  readonly command: readonly string[];
  /** `none`, `bridge`, `host`, or one by name. */
  readonly network: string;
  /** Of the user; null where the system has none. */
  readonly uid: number | null;
  readonly gid: number | null;
  readonly environment: Readonly<Record<string, string>>;
};

/** Resolves to the command's exit status. What `signal` ends is removed; nothing stays behind. */
export async function runInContainer(
  engine: Engine,
  plan: ShellPlan,
  streams: Streams,
  signal: AbortSignal,
): Promise<number> {
  const container = await create(engine, plan, streams.terminal !== null);
  const end = () => void container.kill().catch(() => {});
  try {
    signal.throwIfAborted();
    signal.addEventListener('abort', end);
    const socket = await attach(engine, container);
    const finished = connect(engine, socket, streams);
    await container.start().catch((error) => {
      throw notStarted(plan, error);
    });
    const restore = streams.terminal === null ? () => {} : atTerminal(container, streams.terminal);
    try {
      const { StatusCode: status } = await container.wait();
      await finished;
      return status;
    } finally {
      restore();
      disconnect(socket, streams);
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof UnavailableError ? error : engineFault('running a container', error);
  } finally {
    signal.removeEventListener('abort', end);
    await removeContainer(container);
  }
}

async function create(engine: Engine, plan: ShellPlan, isTerminal: boolean): Promise<Dockerode.Container> {
  const { image, folder, mountPath, command, network, environment } = plan;
  try {
    return await engine.docker.createContainer({
      Image: image,
      ...(command.length > 0 ? { Cmd: [...command] } : {}),
      ...(await userOf(engine, plan)),
      WorkingDir: mountPath,
      Env: Object.entries(environment).map(([name, value]) => `${name}=${value}`),
      Labels: { [containerLabel]: folder },
      Tty: isTerminal,
      OpenStdin: true,
      StdinOnce: true,
      AttachStdin: true,
      AttachStdout: true,
      AttachStderr: true,
      HostConfig: {
        NetworkMode: network,
        Mounts: [{ Type: 'bind', Source: folder, Target: mountPath }],
        // Where SELinux holds, the folder keeps the label that its user gave it.
        SecurityOpt: ['no-new-privileges', 'label=disable'],
        ...(engine.kind === 'podman' ? { UsernsMode: 'keep-id' } : {}),
      },
    });
  } catch (error) {
    throw notStarted(plan, error);
  }
}

const infoSchema = z.object({ SecurityOptions: z.array(z.string()).nullish() });

/** In an engine without root, the user of the engine is root inside: any other number would be a stranger there. */
async function userOf({ docker }: Engine, { uid, gid }: ShellPlan): Promise<{ User?: string }> {
  if (uid === null || gid === null) return {};
  const { SecurityOptions: options } = infoSchema.parse(await docker.info());
  const isRootless = (options ?? []).some((option) => option.includes('rootless'));
  return isRootless ? {} : { User: `${uid}:${gid}` };
}

/** Resolves when all that the container said has been passed on. */
function connect(
  { docker }: Engine,
  socket: Duplex,
  { stdin, stdout, stderr, terminal }: Streams,
): Promise<void> {
  if (terminal !== null) socket.on('data', (bytes: Uint8Array) => void stdout.write(bytes));
  else docker.modem.demuxStream(socket, stdout, stderr);
  stdin.pipe(socket);
  return untilClosed(socket);
}

/** Standard input is let go of: else it would keep this process waiting for a key that nobody needs. */
function disconnect(socket: Duplex, { stdin }: Streams): void {
  stdin.unpipe(socket);
  stdin.pause();
  if ('unref' in stdin && typeof stdin.unref === 'function') stdin.unref();
  socket.destroy();
}

function atTerminal(container: Dockerode.Container, { size, onResize, setRaw }: Terminal): () => void {
  const resize = () => {
    const { rows, columns } = size();
    // One that has just ended has no size.
    void container.resize({ h: rows, w: columns }).catch(() => {});
  };
  resize();
  const release = onResize(resize);
  setRaw(true);
  return () => {
    release();
    setRaw(false);
  };
}

function notStarted({ command, network, image }: ShellPlan, error: unknown): UnavailableError {
  // Engines put the words of each of their parts before those that matter.
  const whole = refusalOf(error)?.said ?? '';
  const said = /exec: .*$/s.exec(whole)?.[0].replace(/: unknown\.?$/, '') ?? whole;
  if (/bind source path does not exist/i.test(said)) {
    return new UnavailableError({
      what: 'The container engine does not see the workspace.',
      why: `${said.replace(/\.$/, '')}.`,
      fix: 'It runs on another machine, or shares no such folder: use one here, or let it share the folder.',
    });
  }
  if (/executable file not found|no such file or directory|no command specified/i.test(said)) {
    return new UnavailableError({
      what: `${command[0] ?? 'A shell'} cannot be started in ${image}.`,
      why: `${said.replace(/\.$/, '')}.`,
      fix: 'Name a command that the image has, behind `--`; `polya ahc docker build` brings in what the Dockerfile adds.',
    });
  }
  if (/network/i.test(said)) {
    return new UnavailableError({
      what: `The engine has no network ${network}.`,
      why: `${said.replace(/\.$/, '')}.`,
      fix: 'Leave --network out, or name one of `docker network ls`.',
    });
  }
  return engineFault('starting a container', error);
}
