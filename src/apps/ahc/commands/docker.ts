/** `polya ahc docker build|run|cleanup`: the workspace in a container of its user's own. Programs are judged elsewhere. */
import { PassThrough } from 'node:stream';
import { finished } from 'node:stream/promises';
import { type Command, Option } from 'commander';
import type { CommandFile, Shell } from '../../../cli/contract.ts';
import { interruptibly } from '../../../cli/exec/interruption.ts';
import { exitCodes, UserError } from '../../../core/errors.ts';
import type { Leftover } from '../../../sandbox/docker/workspace-clean.ts';
import type { Streams as ContainerStreams } from '../../../sandbox/docker/workspace-shell.ts';
import { count, harmlessJson, oneLine } from '../../../text/format.ts';
import { table } from '../../../text/table.ts';
import { warn } from '../desk.ts';
import { loadAhcDocker } from '../load/docker.ts';
import { questionOf, tellWarnings, type WorkspaceOptions, workspaceOptions } from '../workspace.ts';

type BuildOptions = WorkspaceOptions & {
  readonly cache: boolean;
  readonly pull: boolean;
  readonly network?: string;
};

export const ahcDockerBuild: CommandFile = {
  define(command: Command) {
    command
      .option('--no-cache', 'do every step anew')
      .option('--pull', 'ask for a newer base image, though one is there', false)
      .option('--network <name>', 'the network of the build: host, where the engine has none of its own');
    workspaceOptions(command).addHelpText('after', help);
  },
  async run(shell, command) {
    const { cache, pull, network, json } = command.opts<BuildOptions>();
    const desk = await open(shell, command);
    return interruptibly(shell, async (signal) => {
      const wishes = {
        pull,
        noCache: !cache,
        ...(network === undefined ? {} : { network }),
        onProgress: (line: string) => shell.err.write(`  ${oneLine(line)}\n`),
      };
      const built = await desk.build(wishes, signal);
      for (const warning of built.warnings) warn(shell, warning);
      if (json) tellJson(shell, { ...built, workspace: desk.workspace.folder.path });
      else shell.out.write(`Built: ${built.image}, on ${built.engine}.\n`);
      return exitCodes.ok;
    });
  },
};

type RunOptions = WorkspaceOptions & { readonly network?: string | true };

export const ahcDockerRun: CommandFile = {
  define(command: Command) {
    command
      .argument('[command...]', 'what to run, behind -- (default: the shell that the image starts)')
      .addOption(
        new Option('--network [name]', 'with a network: bridge, or one by its name (default: none)').default(
          undefined,
        ),
      );
    workspaceOptions(command).addHelpText('after', runHelp + help);
  },
  async run(shell, command) {
    const { network, json } = command.opts<RunOptions>();
    if (json && command.args.length === 0) throw shellAsJson();
    const desk = await open(shell, command);
    return interruptibly(shell, async (signal) => {
      const { image, isOutdated } = await desk.ready();
      if (isOutdated)
        warn(
          shell,
          'The Dockerfile, or docker.image, has changed since: `polya ahc docker build` builds anew.',
        );
      const wishes = {
        command: command.args,
        network: network === undefined ? 'none' : network === true ? 'bridge' : network,
        ...(shell.env.TERM ? { term: shell.env.TERM } : {}),
      };
      if (!json) return desk.run(image, wishes, shell.streams(), signal);
      const { streams, said } = keeping(shell.streams());
      const exitCode = await desk.run(image, wishes, streams, signal);
      tellJson(shell, { image, command: command.args, network: wishes.network, exitCode, ...(await said()) });
      return exitCode;
    });
  },
};

type CleanupOptions = WorkspaceOptions & { readonly dryRun: boolean; readonly force: boolean };

export const ahcDockerCleanup: CommandFile = {
  define(command: Command) {
    command
      .option('--dry-run', 'show what would go, and remove nothing', false)
      .option('--force', 'also end containers that are running', false);
    workspaceOptions(command).addHelpText('after', help);
  },
  async run(shell, command) {
    const { dryRun, force, json } = command.opts<CleanupOptions>();
    const desk = await open(shell, command);
    const done: Done[] = [];
    for (const leftover of await desk.leftovers(force)) {
      const { kind, name, state, keptBecause } = leftover;
      const why = keptBecause ?? (dryRun ? null : await leftover.remove());
      done.push({ kind, name, state, removed: why === null && !dryRun, keptBecause: why });
    }
    const told = { workspace: desk.workspace.folder.path, dryRun };
    if (json) tellJson(shell, { ...told, leftovers: done });
    else shell.out.write(cleanedText(shell, done, told));
    return exitCodes.ok;
  },
};

const help = `
The image is built from the workspace's Dockerfile, on docker.image, and named after the folder; the workspace lies at
docker.mount_path in it. Any engine that answers will do: Docker, or podman (DOCKER_HOST names another).

Examples: polya ahc docker build
          polya ahc docker run
          polya ahc docker run -- g++ -O2 -std=c++20 -o main main.cpp
          polya ahc docker cleanup --dry-run`;

const runHelp = `
You are yourself in it, so what is made there is yours, and its exit status is that of the command. It has no network
unless you ask for one, and is gone afterwards; the workspace stays.
`;

async function open(shell: Shell, command: Command) {
  const { openDockerDesk } = await loadAhcDocker();
  const desk = openDockerDesk(questionOf(shell, command));
  tellWarnings(shell, desk.workspace.config.warnings);
  return desk;
}

function shellAsJson(): UserError {
  return new UserError({
    code: 'shell-as-json',
    what: 'A shell that somebody types in cannot be told as JSON.',
    fix: 'Name a command: `polya ahc docker run --json -- ls`.',
  });
}

/** What is said is kept instead of shown. */
function keeping({ stdin }: ContainerStreams) {
  const gather = () => {
    const chunks: Uint8Array[] = [];
    const stream = new PassThrough().on('data', (chunk: Uint8Array) => chunks.push(chunk));
    const text = async () => {
      await finished(stream.end());
      return Buffer.concat(chunks).toString('utf8');
    };
    return { stream, text };
  };
  const [out, err] = [gather(), gather()];
  return {
    streams: { stdin, stdout: out.stream, stderr: err.stream, terminal: null },
    said: async () => ({ stdout: await out.text(), stderr: await err.text() }),
  };
}

type Done = Pick<Leftover, 'kind' | 'name' | 'state' | 'keptBecause'> & { readonly removed: boolean };

function cleanedText(
  shell: Shell,
  done: readonly Done[],
  { workspace, dryRun }: { readonly workspace: string; readonly dryRun: boolean },
): string {
  if (done.length === 0) return `There is nothing on the engine that belongs to ${workspace}.\n`;
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

function tellJson(shell: Shell, value: unknown): void {
  shell.out.write(`${harmlessJson(value, 2)}\n`);
}
