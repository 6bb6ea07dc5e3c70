/**
 * `polya ahc docker build|run|cleanup`: the workspace in a container of its user's own, by the user's own `docker` or `podman`.
 * Programs are judged elsewhere.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Command } from 'commander';
import type { CommandFile, Shell, Streams } from '../../../cli/contract.ts';
import { interruptibly } from '../../../cli/drive.ts';
import { exitCodes, UnavailableError, UserError } from '../../../core/errors.ts';
import type { Workspace } from '../../../families/ahc/workspace.ts';
import type { Environment } from '../../../io/home.ts';
import { openWorkspace } from '../../../open/families/ahc/workspace.ts';
import { digest } from '../../../sandbox/staged-file.ts';
import { count, oneLine } from '../../../text/format.ts';
import { table } from '../../../text/table.ts';
import {
  questionOf,
  tellJson,
  tellWarnings,
  type WorkspaceOptions,
  withHelp,
  workspaceOption,
  workspaceOptions,
} from '../workspace.ts';

export const ahcDockerBuild: CommandFile = {
  define(command: Command) {
    command.argument('[options...]', 'options of `docker build`, behind --: `-- --no-cache`');
    withHelp(workspaceOptions(command), 'docker');
  },
  async run(shell, command) {
    const { folder, config, image } = open(shell, command);
    ignoreSecrets(folder);
    const { value, source } = config.raw('docker.image');
    const base = source === 'built in' ? [] : ['--build-arg', `IMAGE=${String(value)}`];
    return interruptibly(shell, async (signal) => {
      const engine = await findEngine(shell.env);
      const options = ['--tag', image, '--label', `${imageLabel}=${folder}`, ...base, ...command.args];
      const onLine = (line: string) => shell.err.write(`  ${oneLine(line)}\n`);
      const { code, output } = await execute(engine, ['build', ...options, folder], { signal, onLine });
      if (code !== 0) throw buildFailed(folder, output);
      if (command.opts<WorkspaceOptions>().json)
        tellJson(shell, { engine: engine.version, image, workspace: folder });
      else shell.out.write(`Built: ${image}, on ${engine.version}.\n`);
      return exitCodes.ok;
    });
  },
};

function buildFailed(folder: string, output: readonly string[]): UserError {
  return new UserError({
    code: 'image-build-failed',
    what: `${folder}/Dockerfile could not be built.`,
    why: output.slice(-4).join(' ').trim(),
    fix: `Correct it, or take another image with g++: \`polya ahc config docker.image NAME\`. Where it is missing, \`polya ahc init ${basename(folder)}\` makes it again.`,
  });
}

export const ahcDockerRun: CommandFile = {
  define(command: Command) {
    command
      .argument('[command...]', 'what to run, behind -- (default: the shell that the image starts)')
      .option('--network <name>', 'with a network: bridge, or one by its name', 'none');
    withHelp(workspaceOption(command), 'docker run', 'docker');
  },
  async run(shell, command) {
    const { network } = command.opts<{ readonly network: string }>();
    const { folder, config, image } = open(shell, command);
    const mountPath = String(config.get('docker.mount_path'));
    return interruptibly(shell, async (signal) => {
      const engine = await findEngine(shell.env);
      if ((await execute(engine, ['image', 'inspect', image])).code !== 0) throw notBuilt(folder);
      const streams = shell.streams();
      return attach(engine, streams, signal, [
        ...['--network', network, '--workdir', mountPath],
        ...['--mount', `type=bind,"source=${folder}","target=${mountPath}"`],
        ...['--label', `${containerLabel}=${folder}`],
        // Where SELinux holds, the folder keeps the label that its user gave it.
        ...['--security-opt', 'no-new-privileges', '--security-opt', 'label=disable'],
        // The user has no home in there, and many a program wants to write into one.
        ...['--env', 'HOME=/tmp', ...(streams.isTerminal ? ['--env', 'TERM'] : [])],
        ...(await identity(engine)),
        ...[image, ...command.args],
      ]);
    });
  },
};

function notBuilt(folder: string): UnavailableError {
  return new UnavailableError({
    code: 'image-not-built',
    what: `${basename(folder)} has no image yet.`,
    fix: 'Build it with `polya ahc docker build`.',
  });
}

/** Without root, the user of Docker is root inside, and other ids are unknown; podman keeps ids as they are. */
async function identity(engine: Engine): Promise<readonly string[]> {
  const [uid, gid] = [process.getuid?.(), process.getgid?.()];
  if (uid === undefined || gid === undefined) return [];
  if (engine.program === 'podman') return ['--userns', 'keep-id'];
  const security = await query(engine, ['info', '--format', '{{.SecurityOptions}}']);
  return security.join('').includes('rootless') ? [] : ['--user', `${uid}:${gid}`];
}

/** Resolves to the exit code of the command. What `signal` ends is removed. */
async function attach(
  engine: Engine,
  { stdin, stdout, stderr, isTerminal }: Streams,
  signal: AbortSignal,
  args: readonly string[],
): Promise<number> {
  const name = `polya-${randomUUID()}`;
  const options = ['run', '--rm', '--name', name, '--interactive', ...(isTerminal ? ['--tty'] : [])];
  signal.throwIfAborted();
  const child = spawn(engine.program, [...options, ...args], {
    env: engine.env,
    stdio: isTerminal ? 'inherit' : 'pipe',
  });
  if (child.stdin) {
    // The command may end before it has read everything.
    child.stdin.on('error', () => undefined);
    stdin.pipe(child.stdin);
  }
  child.stdout?.pipe(stdout, { end: false });
  child.stderr?.pipe(stderr, { end: false });
  const kill = () => void execute(engine, ['kill', name]);
  signal.addEventListener('abort', kill);
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => resolve(code ?? exitCodes.unavailable));
    });
  } finally {
    signal.removeEventListener('abort', kill);
    stdin.unpipe();
    stdin.pause();
    // Else it would keep this process waiting for a key.
    if ('unref' in stdin && typeof stdin.unref === 'function') stdin.unref();
  }
}

type CleanupOptions = WorkspaceOptions & { readonly dryRun: boolean; readonly force: boolean };

export const ahcDockerCleanup: CommandFile = {
  define(command: Command) {
    command
      .option('--dry-run', 'show what would go, and remove nothing', false)
      .option('--force', 'also end containers that are running', false);
    withHelp(workspaceOptions(command), 'docker');
  },
  async run(shell, command) {
    const { dryRun, force, json } = command.opts<CleanupOptions>();
    const { folder, image } = open(shell, command);
    const engine = await findEngine(shell.env);
    const containers = await query(engine, [
      ...['ps', '--all', '--filter', `label=${containerLabel}=${folder}`, '--format', '{{.Names}}'],
    ]);
    // Images made from ours inherit its label: one is removed only by the name that we gave it, or without a name.
    const images = ['images', '--quiet', '--filter', `label=${imageLabel}=${folder}`];
    const own = await query(engine, [...images, '--filter', `reference=${image}`]);
    const unnamed = await query(engine, [...images, '--filter', 'dangling=true']);
    const leftovers = [];
    // Containers first, because an image in use cannot be removed.
    const found = [
      ...containers.map((name) => ({
        kind: 'container',
        name,
        removal: ['rm', ...(force ? ['--force'] : [])],
      })),
      ...own.map(() => ({ kind: 'image', name: image, removal: ['rmi'] })),
      ...unnamed.map((name) => ({ kind: 'older image', name, removal: ['rmi'] })),
    ];
    for (const { kind, name, removal } of found) {
      const result = dryRun ? null : await execute(engine, [...removal, name]);
      const isRemoved = result !== null && (result.code === 0 || /no such/i.test(result.output.join(' ')));
      const error = result === null || isRemoved ? null : oneLine(result.output.join(' ').trim());
      leftovers.push({ kind, name, removed: isRemoved, error });
    }
    if (json) tellJson(shell, { workspace: folder, dryRun, leftovers });
    else if (leftovers.length === 0)
      shell.out.write(`There is nothing on the engine that belongs to ${folder}.\n`);
    else {
      const rows = leftovers.map(({ kind, name, removed, error }) => [
        ...[kind, name],
        removed ? 'removed' : error === null ? 'would be removed' : `stays: ${error}`,
      ]);
      const removals = leftovers.filter(({ removed }) => removed).length;
      const end = dryRun ? 'Nothing was removed: --dry-run.' : `${count(removals, 'removal')}.`;
      shell.out.write(`${table(shell.out, ['what', 'name', ''], rows)}${end}\n`);
    }
    return exitCodes.ok;
  },
};

const imageLabel = 'polya.folder';
/** On containers alone: images do not pass it on. */
const containerLabel = 'polya.folder.container';

/** `folder`: absolute, and without links: what the labels say. Nothing of an engine is tried yet. */
function open(shell: Shell, command: Command): Pick<Workspace, 'config'> & { folder: string; image: string } {
  const workspace = openWorkspace(questionOf(shell, command));
  const { config } = workspace;
  tellWarnings(shell, config.warnings);
  const folder = realpathSync(workspace.folder.path);
  return { config, folder, image: imageName(folder) };
}

/** `ahc-ahc030:1f0c2b6d`, by the folder without links. */
function imageName(folder: string): string {
  const name = basename(folder)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  return `ahc-${name || 'workspace'}:${digest([folder]).slice(0, 8)}`;
}

/** Keys, journals, and what is large and of no use in an image. */
const secretEntries = ['.git', '.env', '.ahc', '.polya', 'ahc_config.yaml', 'out'];

/** Writes a `.dockerignore`. Throws `UserError` where the user's own would let secrets through. */
function ignoreSecrets(folder: string): void {
  const file = join(folder, '.dockerignore');
  if (!existsSync(file)) return writeFileSync(file, `${secretEntries.join('\n')}\n`);
  const text = readFileSync(file, 'utf8');
  const lines = new Set(text.split('\n').map((line) => line.trim().replace(/^\/|\/$/g, '')));
  const missing = secretEntries.filter((entry) => !lines.has(entry));
  if (missing.length === 0) return;
  throw new UserError({
    code: 'dockerignore-incomplete',
    what: `${file} would let the engine see ${missing.join(', ')}.`,
    why: 'Keys and journals belong into no image.',
    fix: `Add these lines to it: ${missing.join(', ')}.`,
  });
}

type Engine = {
  readonly program: 'docker' | 'podman';
  readonly version: string;
  readonly env: Environment;
};

/** The first that answers. Throws `UnavailableError`. */
async function findEngine(env: Environment): Promise<Engine> {
  const errors: string[] = [];
  for (const [program, version] of [
    ['docker', '{{.Server.Version}}'],
    ['podman', '{{.Client.Version}}'],
  ] as const) {
    const { code, output } = await execute({ program, env }, ['version', '--format', version]);
    if (code === 0) return { program, version: `${program} ${output[0]?.trim()}`, env };
    errors.push(code === null ? `${program} cannot be started` : `${program}: ${output.join(' ').trim()}`);
  }
  throw new UnavailableError({
    code: 'no-engine',
    what: 'No container engine answers.',
    why: errors.join('; '),
    fix: 'Start Docker, install podman, or name a socket: DOCKER_HOST=unix:///path/to/docker.sock.',
  });
}

type Execution = { readonly signal?: AbortSignal; readonly onLine?: (line: string) => void };

/** The lines that it printed, on both streams. Of a program that cannot be started, the code is null. */
async function execute(
  { program, env }: Pick<Engine, 'program' | 'env'>,
  args: readonly string[],
  { signal, onLine = () => undefined }: Execution = {},
) {
  const child = spawn(program, args, { env, signal, stdio: ['ignore', 'pipe', 'pipe'] });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (line) => {
      output.push(line);
      onLine(line);
    });
  const code = await new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null));
    child.once('close', resolve);
  });
  signal?.throwIfAborted();
  return { code, output };
}

/** Throws `UnavailableError` with the engine's words. Resolves to the lines that it printed. */
async function query(engine: Engine, args: readonly string[]): Promise<readonly string[]> {
  const { code, output } = await execute(engine, args);
  if (code === 0) return output.filter((line) => line !== '');
  const what = `\`${engine.program} ${args[0]}\` failed.`;
  throw new UnavailableError({ code: 'engine-failed', what, why: output.join(' ').trim() });
}
