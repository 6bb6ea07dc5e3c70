/** Which back-end runs the programs: the one that the user named, else the first that works and isolates programs. */
import { existsSync } from 'node:fs';
import { UnavailableError, UserError } from '../core/errors.ts';
import type { ExecLimits, Sandbox } from '../core/sandbox.ts';
import type { Backend } from './backend.ts';
import { openBubblewrap } from './bubblewrap.ts';
import { openDocker } from './docker/backend.ts';
import { openNone } from './none/backend.ts';
import { createSandbox } from './sandbox.ts';
import { NoRoomError } from './staging.ts';

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
export function chosenSandbox(options: ChooseOptions = {}): Sandbox {
  const { backend: wanted, env, ...limits } = options;
  const chosen = wanted === undefined ? null : candidateOf(wanted);
  return createSandbox({ ...limits, openBackend: () => chosen?.open(env) ?? firstThatWorks(env) });
}

/** What each back-end says of this machine, for `polya doctor`. */
export type Probed =
  | {
      readonly name: string;
      readonly works: true;
      readonly version: string;
      /** The host's folder for everything that its cells share, and for compiled programs. */
      readonly folder: string;
    }
  | { readonly name: string; readonly works: false; readonly error: UnavailableError };

export async function probeBackends(env?: Environment): Promise<readonly Probed[]> {
  const probed: Probed[] = [];
  for (const { name, open } of candidates) {
    const tried = await orFailure(open(env));
    if (tried instanceof UnavailableError) probed.push({ name, works: false, error: tried });
    else {
      await tried.close?.();
      probed.push({ name, works: true, version: tried.version, folder: tried.folder });
    }
  }
  return probed;
}

async function firstThatWorks(env: Environment | undefined): Promise<Backend> {
  const failures: { name: string; error: UnavailableError }[] = [];
  for (const { name, open } of candidates.filter(({ isTried }) => isTried)) {
    const tried = await orFailure(open(env));
    if (!(tried instanceof UnavailableError)) return tried;
    failures.push({ name, error: tried });
  }
  throw nothingWorks(failures);
}

async function orFailure(opening: Promise<Backend>): Promise<Backend | UnavailableError> {
  return opening.catch((error) => {
    if (error instanceof UnavailableError) return error;
    throw error;
  });
}

/** What has to be added to a container that Polya itself runs in; found by trying, with Docker's defaults around it. */
const inContainerHint =
  'Polya runs in a container here. Start that with `--security-opt seccomp=unconfined --security-opt systempaths=unconfined` (and `--security-opt apparmor=unconfined` on Ubuntu), so that bubblewrap may make namespaces; or hand in an engine’s socket (`-v /var/run/docker.sock:/var/run/docker.sock`) and run `polya setup --docker`. Until then no code is run.';

/** One failure speaks for itself; of several, each says why. The way out is that of the best. */
function nothingWorks(failures: readonly { name: string; error: UnavailableError }[]): UnavailableError {
  const [first, ...others] = failures;
  if (first === undefined)
    return new UnavailableError({ code: 'no-sandbox', what: 'There is no sandbox to run code in.' });
  if (others.length === 0) return first.error;
  const { what, fix } = first.error.explanation;
  const why = failures
    .map(({ name, error }) => `${name}: ${error.explanation.why ?? error.message}`)
    .join(' ');
  // Each engine leaves a mark in what it starts.
  const isInContainer = existsSync('/.dockerenv') || existsSync('/run/.containerenv');
  const helps = isInContainer && !(first.error instanceof NoRoomError) ? inContainerHint : fix;
  return new UnavailableError({ code: 'no-sandbox', what, why, fix: helps });
}

function candidateOf(wanted: string): Candidate {
  const found = candidates.find(({ name }) => name === wanted);
  if (found !== undefined) return found;
  throw new UserError({
    code: 'no-such-backend',
    what: `There is no back-end ${JSON.stringify(wanted)} for the sandbox.`,
    fix: `Choose one of ${backendNames.join(', ')}, or leave it out to have the best that works here.`,
  });
}
