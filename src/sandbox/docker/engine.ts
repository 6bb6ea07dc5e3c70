/** Finds a container engine that answers, Docker or podman, and what it can do. dockerode is loaded only here. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import type Dockerode from 'dockerode';
import { z } from 'zod';
import { UnavailableError } from '../../core/errors.ts';
import { isAtLeast } from '../executables.ts';
import { describeConnectionError } from './faults.ts';

export type Engine = {
  readonly docker: Dockerode;
  readonly kind: 'docker' | 'podman';
  /** `Docker 20.10.24 (/var/run/docker.sock)`. */
  readonly version: string;
  readonly endpoint: Endpoint;
  /** As Node names it: `x64`. */
  readonly arch: string;
  /** What the kernel of the engine limits for it. */
  readonly limits: { readonly memory: boolean; readonly swap: boolean; readonly pids: boolean };
  readonly cgroupVersion: string;
};

/** What we ask for is there since API 1.41, of Docker 20.10; engines of today no longer speak older ones. */
const oldestApi = '1.41';
/** To tell what it can do, an engine asks other programs: on a busy machine that takes it seconds. */
const answerMs = 30_000;
const arches: Readonly<Record<string, string>> = { amd64: 'x64', x86_64: 'x64', aarch64: 'arm64' };

const versionSchema = z.object({
  Version: z.string(),
  ApiVersion: z.string(),
  Arch: z.string(),
  Components: z.array(z.object({ Name: z.string() })).default([]),
});
const infoSchema = z.object({
  OSType: z.string(),
  MemoryLimit: z.boolean().default(false),
  SwapLimit: z.boolean().default(false),
  PidsLimit: z.boolean().default(false),
  CgroupVersion: z.string().default('1'),
});

export function localEnvironment(env: HostEnvironment['env'] = process.env): HostEnvironment {
  return { env, home: env.HOME || homedir(), uid: process.getuid?.() ?? 0 };
}

/** Throws `UnavailableError`, with what was tried. */
export async function findEngine(hostEnvironment: HostEnvironment): Promise<Engine> {
  const candidates = endpoints(hostEnvironment);
  const issues: string[] = [];
  for (const endpoint of candidates) {
    try {
      return await connect(endpoint);
    } catch (error) {
      if (error instanceof UnavailableError) throw error;
      const issue = describeConnectionError(error);
      if (issue !== null) issues.push(`${endpoint.address}: ${issue}`);
    }
  }
  const places = candidates.map(({ address }) => address).join(', ');
  throw new UnavailableError({
    code: 'no-engine',
    what: 'No container engine answers.',
    why: issues.length > 0 ? `${issues.join('; ')}.` : `There is no socket at ${places}.`,
    fix: 'Start Docker or `podman system service`, or name its socket: DOCKER_HOST=unix:///path/to/docker.sock.',
  });
}

async function connect(endpoint: Endpoint): Promise<Engine> {
  // Loaded here because it costs 150 ms, and most machines never look for an engine.
  const { default: Docker } = await import('dockerode');
  // A host given as an empty string keeps dockerode from taking `DOCKER_HOST` for a socket that we name.
  const options = endpoint.kind === 'socket' ? { socketPath: endpoint.address, host: '' } : {};
  const version = versionSchema.parse(await withTimeout(new Docker(options).version()));
  const docker = new Docker({ ...options, version: `v${supported(version.ApiVersion, endpoint)}` });
  const info = infoSchema.parse(await withTimeout(docker.info()));
  if (info.OSType !== 'linux')
    throw new UnavailableError({
      code: 'not-linux',
      what: `The container engine at ${endpoint.address} runs containers of ${info.OSType}.`,
      why: 'Programs are run in containers of Linux.',
      fix: 'Switch it to Linux containers.',
    });
  const isPodman = version.Components.some(({ Name }) => /podman/i.test(Name));
  return {
    docker,
    kind: isPodman ? 'podman' : 'docker',
    version: `${isPodman ? 'podman' : 'Docker'} ${version.Version} (${endpoint.address})`,
    endpoint,
    arch: arches[version.Arch] ?? version.Arch,
    limits: { memory: info.MemoryLimit, swap: info.SwapLimit, pids: info.PidsLimit },
    cgroupVersion: `cgroup v${info.CgroupVersion}`,
  };
}

/** One that accepts a connection and then says nothing is as good as none. */
async function withTimeout(answer: Promise<unknown>): Promise<unknown> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abandon = () => reject(new Error(`it did not answer within ${answerMs / 1000} s`));
  // An answer may wait behind this timer, where we were busy for as long: it is read first.
  const timer = setTimeout(() => setImmediate(abandon), answerMs);
  try {
    return await Promise.race([answer, promise]);
  } finally {
    clearTimeout(timer);
  }
}

function supported(apiVersion: string, endpoint: Endpoint): string {
  if (isAtLeast(apiVersion, oldestApi)) return apiVersion;
  throw new UnavailableError({
    code: 'engine-too-old',
    what: `The container engine at ${endpoint.address} is too old.`,
    why: `It speaks version ${apiVersion} of its interface; ${oldestApi} (Docker 20.10, podman 4) or newer is needed.`,
    fix: 'Update it.',
  });
}

/** `remote`: another machine, or this one by network. */
export type Endpoint = { readonly kind: 'socket' | 'remote'; readonly address: string };

export type HostEnvironment = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly uid: number;
};

const dockerSocket = '/var/run/docker.sock';

/** Where an engine may listen, in the order in which it is looked for. `DOCKER_HOST` decides alone where it is set. */
export function endpoints({ env, home, uid }: HostEnvironment): readonly Endpoint[] {
  const named = env.DOCKER_HOST?.trim();
  const [, socket] = /^unix:\/\/(.*)$/.exec(named ?? '') ?? [];
  if (socket !== undefined) return [{ kind: 'socket', address: socket || dockerSocket }];
  if (named) return [{ kind: 'remote', address: named }];
  const runtime = env.XDG_RUNTIME_DIR?.trim() || `/run/user/${uid}`;
  const sockets = [
    dockerSocket,
    // Docker without root, and Docker Desktop.
    join(runtime, 'docker.sock'),
    join(home, '.docker', 'run', 'docker.sock'),
    join(home, '.docker', 'desktop', 'docker.sock'),
    join(runtime, 'podman', 'podman.sock'),
    '/run/podman/podman.sock',
  ];
  return [...new Set(sockets)].map((address) => ({ kind: 'socket', address }));
}
