/** Which back-end runs the programs: the one that the user named, else the first that works and isolates programs. */
import { existsSync } from 'node:fs';
import { UnavailableError, UserError } from '../core/errors.ts';
import type { ExecLimits, Sandbox } from '../core/sandbox.ts';
import type { Backend } from './backend.ts';
import { openBubblewrap } from './bubblewrap.ts';
import { openDocker } from './docker/backend.ts';
import { openNone } from './none/backend.ts';
import { createSandbox } from './sandbox.ts';
import { OutOfSpaceError } from './staging.ts';

type Environment = Readonly<Record<string, string | undefined>>;

type Candidate = {
  readonly name: string;
  /** False where it is taken only by name. */
  readonly isTried: boolean;
  /** Throws `UnavailableError` where it does not work here. */
  readonly open: (env: Environment | undefined) => Promise<Backend>;
};

/** The best first. */
const candidates: readonly Candidate[] = [
  { name: 'bubblewrap', isTried: true, open: () => openBubblewrap() },
  { name: 'docker', isTried: true, open: (env) => openDocker(env ? { env } : {}) },
  { name: 'none', isTried: false, open: () => openNone() },
];

export const backendNames: readonly string[] = candidates.map(({ name }) => name);

export type ChooseOptions = {
  /** What the user named, by `--backend` or `POLYA_SANDBOX`; without it, the first that works. */
  readonly backend?: string;
  /** Where an engine is looked for: `DOCKER_HOST` and the like. Default: that of this process. */
  readonly env?: Environment;
  readonly limits?: Partial<ExecLimits>;
  readonly compileLimits?: Partial<ExecLimits>;
};

/** Nothing is tried before it is needed. A name that there is not is an error at once. */
export function chooseSandbox(options: ChooseOptions = {}): Sandbox {
  const { backend: requested, env, ...limits } = options;
  const candidate = requested === undefined ? null : candidateOf(requested);
  return createSandbox({ ...limits, openBackend: () => candidate?.open(env) ?? firstWorkingBackend(env) });
}

/** What each back-end says of this machine, for `polya doctor`. */
export type ProbeResult =
  | {
      readonly name: string;
      readonly works: true;
      readonly version: string;
      /** The host's folder for everything that its cells share, and for compiled programs. */
      readonly folder: string;
    }
  | { readonly name: string; readonly works: false; readonly error: UnavailableError };

export async function probeBackends(env?: Environment): Promise<readonly ProbeResult[]> {
  const probeResults: ProbeResult[] = [];
  for (const { name, open } of candidates) {
    const attempt = await orFailure(open(env));
    if (attempt instanceof UnavailableError) probeResults.push({ name, works: false, error: attempt });
    else {
      await attempt.close?.();
      probeResults.push({ name, works: true, version: attempt.version, folder: attempt.folder });
    }
  }
  return probeResults;
}

async function firstWorkingBackend(env: Environment | undefined): Promise<Backend> {
  const failures: { name: string; error: UnavailableError }[] = [];
  for (const { name, open } of candidates.filter(({ isTried }) => isTried)) {
    const attempt = await orFailure(open(env));
    if (!(attempt instanceof UnavailableError)) return attempt;
    failures.push({ name, error: attempt });
  }
  throw noBackendError(failures);
}

async function orFailure(start: Promise<Backend>): Promise<Backend | UnavailableError> {
  return start.catch((error) => {
    if (error instanceof UnavailableError) return error;
    throw error;
  });
}

/** What has to be added to a container that Polya itself runs in; found by trying, with Docker's defaults around it. */
const inContainerHint =
  'Polya runs in a container here. Start that with `--security-opt seccomp=unconfined --security-opt systempaths=unconfined` (and `--security-opt apparmor=unconfined` on Ubuntu), so that bubblewrap may make namespaces; or hand in an engine’s socket (`-v /var/run/docker.sock:/var/run/docker.sock`) and run `polya setup --docker`. Until then no code is run.';

/** One failure speaks for itself; of several, each says why. The way out is that of the best. */
function noBackendError(failures: readonly { name: string; error: UnavailableError }[]): UnavailableError {
  const [first, ...siblings] = failures;
  if (first === undefined)
    return new UnavailableError({ code: 'no-sandbox', what: 'There is no sandbox to run code in.' });
  if (siblings.length === 0) return first.error;
  const { what, fix } = first.error.explanation;
  const why = failures
    .map(({ name, error }) => `${name}: ${error.explanation.why ?? error.message}`)
    .join(' ');
  // Each engine leaves a mark in what it starts.
  const isInContainer = existsSync('/.dockerenv') || existsSync('/run/.containerenv');
  const helps = isInContainer && !(first.error instanceof OutOfSpaceError) ? inContainerHint : fix;
  return new UnavailableError({ code: 'no-sandbox', what, why, fix: helps });
}

function candidateOf(requested: string): Candidate {
  const found = candidates.find(({ name }) => name === requested);
  if (found !== undefined) return found;
  throw new UserError({
    code: 'no-such-backend',
    what: `There is no back-end ${JSON.stringify(requested)} for the sandbox.`,
    fix: `Choose one of ${backendNames.join(', ')}, or leave it out to have the best that works here.`,
  });
}
