/** Sessions on the toy contest as `solve` begins them, in processes of their own, for tests that stop and kill them. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Attachment } from '../../../src/apps/ahc/session/live.ts';
import { seeSession, withStoreOf } from '../../../src/apps/ahc/session/look.ts';
import type { SessionPlace } from '../../../src/apps/ahc/session/manifest.ts';
import { newSession, sessionNamed, sessionsIn } from '../../../src/apps/ahc/session/manifest.ts';
import { planSession, resumption, type SolveChoices } from '../../../src/apps/ahc/session/plan.ts';
import { detach } from '../../../src/apps/ahc/session/process.ts';
import { newPlace, type Place, polya } from '../../cli/shell.ts';
import { endsWithTests } from '../../support/session-worker.ts';
import { until as eventually } from '../../support/until.ts';
import { practiceWorkspace } from '../practice-workspace.ts';

export type Bench = Place & { readonly workspace: string };

export function bench(config = ''): Bench {
  const { folder, env } = newPlace();
  const workspace = practiceWorkspace(folder, {
    inputs: 1,
    config: `evolution:\n  population_size: 4\n  score_plateau_generations: 0\n${config}`,
    contest: {
      direction: { value: 'maximise', because: null },
      scoring: { value: 'absolute', because: null },
    },
  });
  return { folder: workspace, workspace, env: { ...env, SESSION_TOY: workspace } };
}

/** Rewrites alone, which the script knows to answer; nothing is held out. */
const search = {
  operators: { change: 0, rewrite: 1, tune: 0 },
  heldOutCases: 0,
  linesPerIsland: 1,
};

export const usual: SolveChoices = {
  models: { default: 'scripted/toy' },
  modelSettings: {},
  baseUrls: {},
  prompts: {},
  limits: {},
  agentSettings: search,
  islands: 2,
};

export type Begun = { readonly place: SessionPlace; readonly pid: number; readonly name: string };

const entry = join(import.meta.dirname, 'worker-child.ts');

export async function begin(
  { workspace, env }: Bench,
  name: string,
  flags: Record<string, number>,
  choices: Partial<SolveChoices> = {},
): Promise<Begun> {
  const plan = planSession({ folder: workspace, env, flags }, { ...usual, ...choices });
  const run = `${name}-1`;
  const place = await newSession(plan, { name, run, home: join(workspace, '.polya') });
  const job = { how: 'start' as const, spec: { id: run, ...plan.spec } };
  return started(workspace, { ...env, ...plan.opening.env } as Place['env'], { place, job, change: {} });
}

/** As `solve --session-id` does. Throws what that throws. */
export async function goOn(
  { workspace, env }: Bench,
  { place: { manifest } }: Begun,
  flags: Record<string, number>,
  choices: Partial<SolveChoices> = {},
): Promise<Begun & { readonly how: string; readonly changes: readonly string[] }> {
  const none = { models: {}, modelSettings: {}, baseUrls: {}, prompts: {}, limits: {}, agentSettings: {} };
  const given = { ...none, ...choices };
  const plan = planSession({ folder: workspace, env, flags }, given);
  const place = sessionNamed(await sessionsIn(plan.workspace), manifest.name);
  const seen = await withStoreOf(place, env, (store) => seeSession(store, place));
  const newRunId = `${manifest.name}-${place.manifest.runs.length + 1}`;
  const { job, change, changes } = resumption({
    seen,
    plan,
    choices: given,
    named: Object.keys(flags),
    newRunId,
  });
  const begun = await started(workspace, env, { place, job, change });
  return { ...begun, how: job.how, changes };
}

export async function started(
  workspace: string,
  env: Place['env'],
  { place, job, change }: Pick<Attachment, 'place' | 'job' | 'change'>,
): Promise<Begun> {
  const { name } = place.manifest;
  const logFile = join(place.folder.path, 'logs/worker.log');
  const order = { workspace, session: name, job, change, backend: 'none', logFile };
  const { pid } = await detach(order, env, entry);
  endsWithTests(pid);
  return { place, pid, name };
}

export async function status({ folder, env }: Bench, name: string) {
  const { out } = await polya({ folder, env }, ['ahc', 'status', name, '--json']);
  return JSON.parse(out);
}

/** Until the session is so far; its last status. */
export async function until(
  here: Bench,
  name: string,
  isReached: (status: Awaited<ReturnType<typeof statusOf>>) => boolean,
) {
  return eventually(async () => {
    const now = await statusOf(here, name);
    return isReached(now) ? now : null;
  }, 100);
}

const statusOf = status;

/** Its process has written everything and is gone; the last status. */
export async function ended(here: Bench, { name, pid }: Begun) {
  return until(here, name, (now) => now.status !== 'running' && isGone(pid));
}

export function isGone(pid: number): boolean {
  try {
    return !existsSync(`/proc/${pid}/exe`) || /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    // It went between the two looks.
    return true;
  }
}

export function lines(file: string): readonly string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
}
