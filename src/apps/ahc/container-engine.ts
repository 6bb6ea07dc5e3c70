/** A container engine by its own program, `docker` or `podman`, and the image of a workspace on it. */
import { spawn } from 'node:child_process';
import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { UnavailableError, UserError } from '../../core/errors.ts';
import type { Workspace } from '../../families/ahc/workspace.ts';
import type { Environment } from '../../io/home.ts';
import { isMissing } from '../../io/plain-file.ts';
import { digest } from '../../sandbox/staged-file.ts';

export type Engine = {
  readonly program: 'docker' | 'podman';
  readonly version: string;
  readonly env: Environment;
};

/** The first that answers. Throws `UnavailableError`. */
export async function findEngine(env: Environment): Promise<Engine> {
  const errors: string[] = [];
  for (const [program, version] of [
    ['docker', '{{.Server.Version}}'],
    ['podman', '{{.Client.Version}}'],
  ] as const) {
    const { code, stdout, stderr } = await execute({ program, env }, ['version', '--format', version]);
    if (code === 0) return { program, version: `${program} ${stdout.trim()}`, env };
    errors.push(code === null ? `${program} cannot be started` : `${program}: ${stderr.trim()}`);
  }
  throw new UnavailableError({
    code: 'no-engine',
    what: 'No container engine answers.',
    why: errors.join('; '),
    fix: 'Start Docker, install podman, or name a socket: DOCKER_HOST=unix:///path/to/docker.sock.',
  });
}

type Execution = { readonly signal?: AbortSignal; readonly onLine?: (line: string) => void };

/** Of a program that cannot be started, the code is null. */
export async function execute(
  { program, env }: Pick<Engine, 'program' | 'env'>,
  args: readonly string[],
  { signal, onLine = () => undefined }: Execution = {},
) {
  const child = spawn(program, args, { env, signal, stdio: ['ignore', 'pipe', 'pipe'] });
  const lines = { stdout: [] as string[], stderr: [] as string[] };
  for (const name of ['stdout', 'stderr'] as const)
    createInterface({ input: child[name] }).on('line', (line) => {
      lines[name].push(line);
      onLine(line);
    });
  const code = await new Promise<number | null>((resolve) => {
    child.once('error', (error) => {
      lines.stderr.push(error.message);
      resolve(null);
    });
    child.once('close', resolve);
  });
  signal?.throwIfAborted();
  return { code, stdout: lines.stdout.join('\n'), stderr: lines.stderr.join('\n') };
}

/** Throws `UnavailableError` with the engine's words. Resolves to the lines that it printed. */
export async function query(engine: Engine, args: readonly string[]): Promise<readonly string[]> {
  const { code, stdout, stderr } = await execute(engine, args);
  if (code === 0) return stdout.split('\n').filter((line) => line !== '');
  const what = `\`${engine.program} ${args[0]}\` failed.`;
  throw new UnavailableError({ code: 'engine-failed', what, why: stderr.trim() });
}

const digestLabel = 'polya.digest';
export const imageLabel = 'polya.folder';
/** On containers alone: images do not pass it on. */
export const containerLabel = 'polya.folder.container';

export type WorkspaceImage = {
  readonly name: string;
  /** Of the Dockerfile and what it builds on. */
  readonly digest: string;
  /** Absolute, and without links: what the labels say. */
  readonly folder: string;
  /** Replaces the default of `ARG IMAGE`. */
  readonly base: string | null;
  /** The configured base, where the Dockerfile ignores it. */
  readonly ignoredBase: string | null;
};

/** Throws `UserError` where the workspace has no Dockerfile. */
export function workspaceImage({ folder, config }: Workspace): WorkspaceImage {
  const real = realpathSync(folder.path);
  const dockerfile = readText(join(real, 'Dockerfile'));
  if (dockerfile === null)
    throw new UserError({
      code: 'no-dockerfile',
      what: `${real} has no Dockerfile that can be read.`,
      fix: `\`polya ahc init ${basename(real)}\` makes it again, and changes nothing else.`,
    });
  const isConfigured = config.raw('docker.image').source !== 'built in';
  const requested = isConfigured ? String(config.get('docker.image')) : null;
  const base = /^\s*ARG\s+IMAGE\b/im.test(dockerfile) ? requested : null;
  return {
    name: imageName(real),
    digest: digest([dockerfile, base ?? '']),
    folder: real,
    base,
    ignoredBase: base === null && requested !== null && !dockerfile.includes(requested) ? requested : null,
  };
}

/** `ahc-ahc030:1f0c2b6d`, by the folder without links. */
export function imageName(folder: string): string {
  const name = basename(folder)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  return `ahc-${name || 'workspace'}:${digest([folder]).slice(0, 8)}`;
}

/** Null where there is none; `isCurrent`: built from the Dockerfile and the base of now. */
export async function findImage(engine: Engine, { name, digest: current }: WorkspaceImage) {
  const format = `{{.Id}} {{index .Config.Labels "${digestLabel}"}}`;
  const { code, stdout } = await execute(engine, ['image', 'inspect', '--format', format, name]);
  const [id = '', built] = stdout.trim().split(' ');
  return code === 0 ? { id, isCurrent: built === current } : null;
}

export type BuildOptions = {
  readonly cache: boolean;
  readonly pull: boolean;
  readonly network?: string;
};

/** Throws `UnavailableError` where the base cannot be pulled, `UserError` for what is wrong with the Dockerfile. */
export async function buildImage(
  engine: Engine,
  image: WorkspaceImage,
  { cache, pull, network }: BuildOptions,
  execution: Required<Execution>,
): Promise<void> {
  ignoreSecrets(image.folder);
  const { name, digest: current, folder, base } = image;
  const labels = [`${imageLabel}=${folder}`, `${digestLabel}=${current}`];
  const { code, stdout, stderr } = await execute(
    engine,
    [
      'build',
      '--tag',
      name,
      ...labels.flatMap((label) => ['--label', label]),
      ...(base === null ? [] : ['--build-arg', `IMAGE=${base}`]),
      ...(cache ? [] : ['--no-cache']),
      ...(pull ? ['--pull'] : []),
      ...(network === undefined ? [] : ['--network', network]),
      folder,
    ],
    execution,
  );
  if (code === 0) return;
  const why = `${stdout}\n${stderr}`.trim().split('\n').slice(-4).join(' ').trim();
  if (unpullable.test(why))
    throw new UnavailableError({
      code: 'not-pulled',
      what: 'The image that the Dockerfile builds on could not be pulled.',
      why,
      fix: 'Go online, correct its name, or take another image with g++: `polya ahc config docker.image NAME`.',
    });
  throw new UserError({
    code: 'image-build-failed',
    what: `${folder}/Dockerfile could not be built.`,
    why,
    fix: 'Put that right and build again: the engine keeps what was built so far.',
  });
}

const unpullable =
  /no such host|name resolution|dial (?:tcp|udp)|timeout|connection re|unreachable|x509|toomanyrequests|access denied|manifest unknown|repository .*not exist|failed to resolve|did not resolve|pinging container registry/i;

/** Keys, journals, and what is large and of no use in an image. */
const secretEntries = ['.git', '.env', '.ahc', '.polya', 'ahc_config.yaml', 'out'];

/** Writes a `.dockerignore`. Throws `UserError` where the user's own would let secrets through. */
function ignoreSecrets(folder: string): void {
  const file = join(folder, '.dockerignore');
  const text = readText(file);
  if (text === null) return writeFileSync(file, `${secretEntries.join('\n')}\n`);
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

function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}
