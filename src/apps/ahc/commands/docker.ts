/** `polya ahc docker build|run|cleanup`: the workspace in a container of its user's own. Programs are judged elsewhere. */
import { basename } from 'node:path';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Command } from 'commander';
import type { CommandFile, Shell } from '../../../cli/contract.ts';
import { interruptibly } from '../../../cli/drive.ts';
import { exitCodes, UnavailableError } from '../../../core/errors.ts';
import type { Workspace } from '../../../families/ahc/workspace.ts';
import { openWorkspace } from '../../../open/families/ahc/workspace.ts';
import { findEngine, thisMachine } from '../../../sandbox/docker/engine.ts';
import { imageState } from '../../../sandbox/docker/images.ts';
import {
  buildWorkspaceImage,
  type Leftover,
  leftoversOf,
  workspaceImage,
} from '../../../sandbox/docker/workspace-image.ts';
import { type Streams as ContainerStreams, runInContainer } from '../../../sandbox/docker/workspace-shell.ts';
import { count, oneLine } from '../../../text/format.ts';
import { table } from '../../../text/table.ts';
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
    const { cache, pull, network, json } = command.opts<
      WorkspaceOptions & { readonly cache: boolean; readonly pull: boolean; readonly network?: string }
    >();
    const workspace = open(shell, command);
    return interruptibly(shell, async (signal) => {
      const onProgress = (line: string) => shell.err.write(`  ${oneLine(line)}\n`);
      const image = await imageOf(workspace);
      const engine = await engineOf(shell);
      const plan = { pull, noCache: !cache, network, onProgress };
      const id = await buildWorkspaceImage(engine, image, plan, signal);
      const warnings = image.ignoresBase ? [ignoresBase(workspace)] : [];
      for (const warning of warnings) warn(shell, warning);
      const built = { engine: engine.version, image: image.name, id, warnings };
      if (json) tellJson(shell, { ...built, workspace: workspace.folder.path });
      else shell.out.write(`Built: ${image.name}, on ${engine.version}.\n`);
      return exitCodes.ok;
    });
  },
};

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
    const { network, json } = command.opts<WorkspaceOptions & { readonly network?: string | true }>();
    if (json && command.args.length === 0) {
      const fix = 'Name a command: `polya ahc docker run --json -- ls`.';
      throw conflict('A shell that a person types in cannot be told as JSON.', fix);
    }
    const workspace = open(shell, command);
    return interruptibly(shell, async (signal) => {
      const image = await imageOf(workspace);
      const engine = await engineOf(shell);
      const { kind } = await imageState(engine, image);
      if (kind === 'missing') {
        throw new UnavailableError({
          code: 'image-not-built',
          what: `${basename(image.folder)} has no image yet.`,
          fix: 'Build it with `polya ahc docker build`.',
        });
      }
      if (kind === 'foreign') warn(shell, changedSince);
      const plan = {
        image: image.name,
        command: command.args,
        network: network === undefined ? 'none' : network === true ? 'bridge' : network,
        mountPath: String(workspace.config.get('docker.mount_path')),
        folder: image.folder,
        uid: process.getuid?.() ?? null,
        gid: process.getgid?.() ?? null,
      };
      const run = (streams: ContainerStreams) => {
        const { TERM } = shell.env;
        // The user has no home in there, and many a program wants to write into one.
        const environment = { HOME: '/tmp', ...(streams.terminal && TERM ? { TERM } : {}) };
        return runInContainer(engine, { ...plan, environment }, streams, signal);
      };
      if (!json) return run(shell.streams());
      const { streams, said } = keeping(shell.streams());
      const exitCode = await run(streams);
      const { command: asked, network: used } = plan;
      tellJson(shell, { image: plan.image, command: asked, network: used, exitCode, ...(await said()) });
      return exitCode;
    });
  },
};

export const ahcDockerCleanup: CommandFile = {
  define(command: Command) {
    command
      .option('--dry-run', 'show what would go, and remove nothing', false)
      .option('--force', 'also end containers that are running', false);
    withHelp(workspaceOptions(command), 'docker');
  },
  async run(shell, command) {
    const { dryRun, force, json } = command.opts<
      WorkspaceOptions & { readonly dryRun: boolean; readonly force: boolean }
    >();
    const { path } = open(shell, command).folder;
    const done: Done[] = [];
    for (const leftover of await leftoversOf(await engineOf(shell), path, { isForced: force })) {
      const { kind, name, state, keptBecause } = leftover;
      const why = keptBecause ?? (dryRun ? null : await leftover.remove());
      done.push({ kind, name, state, removed: why === null && !dryRun, keptBecause: why });
    }
    if (json) tellJson(shell, { workspace: path, dryRun, leftovers: done });
    else if (done.length === 0) shell.out.write(`There is nothing on the engine that belongs to ${path}.\n`);
    else shell.out.write(cleanedText(shell, done, dryRun));
    return exitCodes.ok;
  },
};

/** Nothing of an engine is tried yet. */
function open(shell: Shell, command: Command): Workspace {
  const workspace = openWorkspace(questionOf(shell, command));
  tellWarnings(shell, workspace.config.warnings);
  return workspace;
}

const engineOf = ({ env }: Shell) => findEngine(thisMachine(env));
const imageOf = (workspace: Workspace) => workspaceImage(workspace.folder.path, baseOf(workspace));

/** Streams whose output is kept instead of shown. */
function keeping({ stdin }: ContainerStreams) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const [out, err] = [buffer(stdout), buffer(stderr)];
  const said = async () => {
    stdout.end();
    stderr.end();
    return { stdout: (await out).toString('utf8'), stderr: (await err).toString('utf8') };
  };
  return { streams: { stdin, stdout, stderr, terminal: null }, said };
}

type Done = Pick<Leftover, 'kind' | 'name' | 'state' | 'keptBecause'> & { readonly removed: boolean };

function cleanedText(shell: Shell, done: readonly Done[], dryRun: boolean): string {
  const rows = done.map(({ kind, name, state, removed, keptBecause }) => [
    kind,
    name,
    state,
    removed ? 'removed' : keptBecause === null ? 'would be removed' : `stays: ${keptBecause}`,
  ]);
  const left = done.filter(({ removed }) => !removed).length;
  const end = dryRun ? 'Nothing was removed: --dry-run.' : `${count(done.length - left, 'removal')}.`;
  return `${table(shell.out, ['what', 'name', 'state', ''], rows)}${end}\n`;
}

/** What the user has chosen; else the Dockerfile's own base counts. */
function baseOf({ config }: Workspace): string | null {
  const { source } = config.raw('docker.image');
  return source === 'built in' ? null : String(config.get('docker.image'));
}

function ignoresBase({ config }: Workspace): string {
  return `docker.image is ${String(config.get('docker.image'))}, and the Dockerfile names another base itself: write \`ARG IMAGE\` and \`FROM \${IMAGE}\` into it, and docker.image holds.`;
}
