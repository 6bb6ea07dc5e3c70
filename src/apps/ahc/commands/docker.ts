/** `polya ahc docker build|run|cleanup`: the workspace in a container of its user's own. Programs are judged elsewhere. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { basename } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import type { CommandFile, Shell, Streams } from '../../../cli/contract.ts';
import { interruptibly } from '../../../cli/drive.ts';
import { exitCodes, UnavailableError } from '../../../core/errors.ts';
import type { Workspace } from '../../../families/ahc/workspace.ts';
import { openWorkspace } from '../../../open/families/ahc/workspace.ts';
import { count, oneLine } from '../../../text/format.ts';
import { table } from '../../../text/table.ts';
import {
  type BuildOptions,
  buildImage,
  containerLabel,
  type Engine,
  execute,
  findEngine,
  findImage,
  imageLabel,
  imageName,
  query,
  workspaceImage,
} from '../container-engine.ts';
import {
  conflict,
  questionOf,
  tellJson,
  tellWarnings,
  type WorkspaceOptions,
  warn,
  withHelp,
  workspaceOptions,
} from '../workspace.ts';

export const ahcDockerBuild: CommandFile = {
  define(command: Command) {
    command
      .option('--no-cache', 'do every step anew')
      .option('--pull', 'ask for a newer base image, though one is there', false)
      .option('--network <name>', 'the network of the build: host, where the engine has none of its own');
    withHelp(workspaceOptions(command), 'docker');
  },
  async run(shell, command) {
    const { json, ...options } = command.opts<WorkspaceOptions & BuildOptions>();
    const image = workspaceImage(open(shell, command));
    return interruptibly(shell, async (signal) => {
      const engine = await findEngine(shell.env);
      const onLine = (line: string) => shell.err.write(`  ${oneLine(line)}\n`);
      await buildImage(engine, image, options, { signal, onLine });
      const id = (await findImage(engine, image))?.id ?? null;
      const warnings = image.ignoredBase === null ? [] : [baseIgnored(image.ignoredBase)];
      for (const warning of warnings) warn(shell, warning);
      const built = { engine: engine.version, image: image.name, id, warnings };
      if (json) tellJson(shell, { ...built, workspace: image.folder });
      else shell.out.write(`Built: ${image.name}, on ${engine.version}.\n`);
      return exitCodes.ok;
    });
  },
};

function baseIgnored(base: string): string {
  return `docker.image is ${base}, and the Dockerfile names another base itself: write \`ARG IMAGE\` and \`FROM \${IMAGE}\` into it, and docker.image holds.`;
}

const changedSince =
  'The Dockerfile, or docker.image, has changed since: `polya ahc docker build` builds anew.';

export const ahcDockerRun: CommandFile = {
  define(command: Command) {
    command
      .argument('[command...]', 'what to run, behind -- (default: the shell that the image starts)')
      .option('--network [name]', 'with a network: bridge, or one by its name (default: none)');
    withHelp(workspaceOptions(command), 'docker run', 'docker');
  },
  async run(shell, command) {
    const options = command.opts<WorkspaceOptions & { readonly network?: string | true }>();
    const { args } = command;
    if (options.json && args.length === 0) {
      const fix = 'Name a command: `polya ahc docker run --json -- ls`.';
      throw conflict('A shell that a person types in cannot be told as JSON.', fix);
    }
    const workspace = open(shell, command);
    const image = workspaceImage(workspace);
    return interruptibly(shell, async (signal) => {
      const engine = await findEngine(shell.env);
      const found = await findImage(engine, image);
      if (found === null) {
        throw new UnavailableError({
          code: 'image-not-built',
          what: `${basename(image.folder)} has no image yet.`,
          fix: 'Build it with `polya ahc docker build`.',
        });
      }
      if (!found.isCurrent) warn(shell, changedSince);
      const network = options.network === true ? 'bridge' : (options.network ?? 'none');
      const mountPath = String(workspace.config.get('docker.mount_path'));
      const run = async (streams: Streams) =>
        attach(engine, streams, signal, [
          ...['--network', network, '--workdir', mountPath],
          ...['--mount', `type=bind,"source=${image.folder}","target=${mountPath}"`],
          ...['--label', `${containerLabel}=${image.folder}`],
          // Where SELinux holds, the folder keeps the label that its user gave it.
          ...['--security-opt', 'no-new-privileges', '--security-opt', 'label=disable'],
          // The user has no home in there, and many a program wants to write into one.
          ...['--env', 'HOME=/tmp', ...(streams.isTerminal ? ['--env', 'TERM'] : [])],
          ...(await identity(engine)),
          ...[image.name, ...args],
        ]);
      if (!options.json) return run(shell.streams());
      const [stdout, stderr] = [new PassThrough(), new PassThrough()];
      const texts = Promise.all([text(stdout), text(stderr)]);
      const exitCode = await run({ ...shell.streams(), stdout, stderr, isTerminal: false });
      stdout.end();
      stderr.end();
      const [out, err] = await texts;
      tellJson(shell, { image: image.name, command: args, network, exitCode, stdout: out, stderr: err });
      return exitCode;
    });
  },
};

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
    const folder = realpathSync(open(shell, command).folder.path);
    const engine = await findEngine(shell.env);
    const leftovers = [];
    for (const each of [
      ...(await containersOf(engine, folder, force)),
      ...(await imagesOf(engine, folder)),
    ]) {
      const { removal, ...leftover } = each;
      const keptBecause = leftover.keptBecause ?? (dryRun ? null : await removed(engine, removal));
      leftovers.push({ ...leftover, removed: keptBecause === null && !dryRun, keptBecause });
    }
    if (json) tellJson(shell, { workspace: folder, dryRun, leftovers });
    else if (leftovers.length > 0) shell.out.write(cleanedText(shell, leftovers, dryRun));
    else shell.out.write(`There is nothing on the engine that belongs to ${folder}.\n`);
    return exitCodes.ok;
  },
};

type Leftover = {
  readonly kind: 'container' | 'image';
  readonly name: string;
  /** `running`, `exited` …; of an image its size. */
  readonly state: string;
  /** Null: it can be removed. */
  readonly keptBecause: string | null;
  readonly removal: readonly string[];
};

/** First, because an image in use cannot be removed. */
async function containersOf(engine: Engine, folder: string, force: boolean): Promise<readonly Leftover[]> {
  const filter = ['--all', '--filter', `label=${containerLabel}=${folder}`];
  const lines = await query(engine, ['ps', ...filter, '--format', '{{.Names}}\t{{.State}}']);
  return lines.map((line) => {
    const [name = '', state = ''] = line.split('\t');
    // One that is paused holds what its user means to go on with.
    const isWorking = !force && /running|paused|restarting/.test(state);
    const keptBecause = isWorking ? `it is ${state}; --force ends it` : null;
    return { kind: 'container', name, state, keptBecause, removal: ['rm', '--force', name] };
  });
}

/** Images made from ours inherit its label: one is removed only by the name that we gave it, or without a name. */
async function imagesOf(engine: Engine, folder: string): Promise<readonly Leftover[]> {
  const format = '{{.ID}}\t{{.Repository}}:{{.Tag}}\t{{.Size}}';
  const lines = await query(engine, [
    'images',
    '--filter',
    `label=${imageLabel}=${folder}`,
    '--format',
    format,
  ]);
  return lines.map((line) => {
    const [id = '', tag = '', state = ''] = line.split('\t');
    const isUnnamed = tag === '<none>:<none>';
    const own = imageName(folder);
    // Podman puts a registry's name before ours.
    const isLocal = isUnnamed || tag === own || tag.endsWith(`/${own}`);
    return {
      kind: 'image',
      name: isUnnamed ? `${id.replace('sha256:', '')} (an older build)` : tag,
      state,
      keptBecause: isLocal ? null : 'somebody made or named it',
      removal: ['rmi', isUnnamed ? id : tag],
    };
  });
}

/** Null where it was removed or is missing by now; else the engine's words. */
async function removed(engine: Engine, removal: readonly string[]): Promise<string | null> {
  const { code, stderr } = await execute(engine, removal);
  return code === 0 || /no such/i.test(stderr) ? null : oneLine(stderr.trim());
}

/** Nothing of an engine is tried yet. */
function open(shell: Shell, command: Command): Workspace {
  const workspace = openWorkspace(questionOf(shell, command));
  tellWarnings(shell, workspace.config.warnings);
  return workspace;
}

type Cleaned = Omit<Leftover, 'removal'> & { readonly removed: boolean };

function cleanedText(shell: Shell, cleaneds: readonly Cleaned[], dryRun: boolean): string {
  const rows = cleaneds.map(({ kind, name, state, removed, keptBecause }) => [
    kind,
    name,
    state,
    removed ? 'removed' : keptBecause === null ? 'would be removed' : `stays: ${keptBecause}`,
  ]);
  const removals = cleaneds.filter(({ removed }) => removed).length;
  const end = dryRun ? 'Nothing was removed: --dry-run.' : `${count(removals, 'removal')}.`;
  return `${table(shell.out, ['what', 'name', 'state', ''], rows)}${end}\n`;
}
