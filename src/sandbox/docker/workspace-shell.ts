/** A command or a shell for the user's own work, in a container with their folder mounted. It is no sandbox. */
import type { Duplex, Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type Dockerode from 'dockerode';
import { z } from 'zod';
import { UnavailableError } from '../../core/errors.ts';
import { attach, removeContainer, untilClosed } from './container.ts';
import type { Engine } from './engine.ts';
import { engineFault, refusalOf } from './faults.ts';

/** On containers alone: no image has it to hand down. */
export const containerLabel = 'polya.folder.container';

/** Where a person sits: keys go through as they are typed. */
export type Terminal = Window & { readonly setRaw: (isRaw: boolean) => void };

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
  /** The user's id; null if the system has none. */
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
  const container = await create(engine, plan, streams.terminal);
  const end = () => void container.kill().catch(() => {});
  const refuse = (error: unknown) => {
    throw notStarted(plan, error);
  };
  try {
    using atTheEnd = new DisposableStack();
    signal.throwIfAborted();
    signal.addEventListener('abort', end);
    // Podman checks the command here, and fails here if it does not exist.
    const socket = await attach(engine, container).catch(refuse);
    const finished = connect(engine, socket, streams);
    atTheEnd.defer(() => disconnect(socket, streams));
    await container.start().catch(refuse);
    // A cancellation from before the start takes effect now.
    if (signal.aborted) end();
    if (streams.terminal !== null) atTheEnd.defer(atTerminal(container, streams.terminal));
    const { StatusCode: status } = await container.wait();
    // All that it said has been passed on.
    await finished;
    return status;
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof UnavailableError ? error : engineFault('running a container', error);
  } finally {
    signal.removeEventListener('abort', end);
    await removeContainer(container);
  }
}

async function create(engine: Engine, plan: ShellPlan, terminal: Terminal | null) {
  const { image, folder, mountPath, command, network, environment } = plan;
  try {
    const { User, UsernsMode } = await identityOf(engine, plan);
    return await engine.docker.createContainer({
      Image: image,
      Cmd: command.length > 0 ? [...command] : undefined,
      User,
      WorkingDir: mountPath,
      Env: Object.entries(environment).map(([name, value]) => `${name}=${value}`),
      Labels: { [containerLabel]: folder },
      Tty: terminal !== null,
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
        // Engines of before API 1.42 heed it on Windows alone, and begin without a size.
        ConsoleSize: terminal === null ? undefined : [terminal.size().rows, terminal.size().columns],
        UsernsMode,
      },
    });
  } catch (error) {
    throw notStarted(plan, error);
  }
}

const infoSchema = z.object({ SecurityOptions: z.array(z.string()).nullish() });

type Identity = { readonly User?: string; readonly UsernsMode?: string };

/** Without root, an engine's user is root inside, and other ids are unknown; podman can keep ids as they are. */
async function identityOf({ docker, kind }: Engine, { uid, gid }: ShellPlan): Promise<Identity> {
  if (uid === null || gid === null) return {};
  const { SecurityOptions: options } = infoSchema.parse(await docker.info());
  const isRootless = (options ?? []).some((option) => option.includes('rootless'));
  if (isRootless && kind === 'docker') return {};
  return { User: `${uid}:${gid}`, UsernsMode: isRootless ? 'keep-id' : undefined };
}

/** Resolves when all that the container said has been passed on. */
function connect({ docker }: Engine, socket: Duplex, { stdin, stdout, stderr, terminal }: Streams) {
  if (terminal !== null) socket.on('data', (bytes: Uint8Array) => void stdout.write(bytes));
  else docker.modem.demuxStream(socket, stdout, stderr);
  stdin.pipe(socket);
  return untilClosed(socket);
}

/** Standard input is let go of: else it would keep this process waiting for a key. */
function disconnect(socket: Duplex, { stdin }: Streams): void {
  stdin.unpipe(socket);
  stdin.pause();
  if ('unref' in stdin && typeof stdin.unref === 'function') stdin.unref();
  socket.destroy();
}

function atTerminal(container: Dockerode.Container, terminal: Terminal): () => void {
  const release = followWindow(terminal, async ({ rows, columns }) => {
    await container.resize({ h: rows, w: columns });
  });
  terminal.setRaw(true);
  return () => {
    release();
    terminal.setRaw(false);
  };
}

function notStarted({ command, network, image }: ShellPlan, error: unknown): UnavailableError {
  // Engines put the words of each of their parts before those that matter.
  const whole = refusalOf(error)?.said ?? '';
  const said = /exec: .*$/s.exec(whole)?.[0].replace(/: (unknown|OCI runtime .*)\.?$/, '') ?? whole;
  const why = `${said.replace(/\.$/, '')}.`;
  const explained = (what: string, fix: string) =>
    new UnavailableError({ code: 'container-not-started', what, why, fix });
  if (/bind source path does not exist/i.test(said)) {
    return explained(
      'The container engine does not see the workspace.',
      'It runs on another machine, or shares no such folder: use one here, or let it share the folder.',
    );
  }
  if (/executable file not found|no such file or directory|no command specified/i.test(said)) {
    return explained(
      `${command[0] ?? 'A shell'} cannot be started in ${image}.`,
      'Name a command that the image has, behind `--`; `polya ahc docker build` brings in what the Dockerfile adds.',
    );
  }
  if (/network/i.test(said)) {
    return explained(
      `The engine has no network ${network}.`,
      'Leave --network out, or name one of `docker network ls`.',
    );
  }
  return engineFault('starting a container', error);
}

export type Size = { readonly rows: number; readonly columns: number };

export type Window = {
  readonly size: () => Size;
  /** Calls back when the window changes, until what it returns is called. */
  readonly onResize: (listener: () => void) => () => void;
};

const attempts = 30;
const againMs = 20;

/** `tell` throws where the size is not taken yet. Ends when what is returned is called. */
export function followWindow({ size, onResize }: Window, tell: (size: Size) => Promise<void>): () => void {
  let isOver = false;
  const tellSize = async () => {
    // A container that has only just begun may have no terminal yet; one that has just ended has none any more.
    for (let attempt = 1; attempt <= attempts && !isOver; attempt++) {
      try {
        return await tell(size());
      } catch {
        await sleep(attempt * againMs);
      }
    }
  };
  let telling = tellSize();
  const release = onResize(() => {
    telling = telling.then(tellSize);
  });
  return () => {
    isOver = true;
    release();
  };
}
