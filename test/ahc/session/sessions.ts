/** Sessions on the toy contest as `solve` begins them, in processes of their own, for tests that stop and kill them. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inHeader } from '../../../src/apps/ahc/session/context.ts';
import { seeSession, withStoreOf } from '../../../src/apps/ahc/session/look.ts';
import { planSession, resumption, type SolveChoices } from '../../../src/apps/ahc/session/plan.ts';
import { newSession, sessionNamed, sessionsIn } from '../../../src/apps/ahc/session/sessions.ts';
import { runInBackground } from '../../../src/cli/background.ts';
import { openWorkspace } from '../../../src/open/families/ahc/workspace.ts';
import type { RunJob } from '../../../src/run/job.ts';
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

export type Begun = { readonly folder: string; readonly pid: number; readonly name: string };

const entry = join(import.meta.dirname, 'worker-child.ts');

export async function begin(
  { workspace, env }: Bench,
  name: string,
  flags: Record<string, number>,
  choices: Partial<SolveChoices> = {},
): Promise<Begun> {
  const plan = planSession({ folder: workspace, env, flags }, { ...usual, ...choices });
  const { context } = await newSession(plan, name);
  const spec = { id: `${name}-1`, ...plan.spec, context: inHeader(context) };
  return started(workspace, { ...env, ...plan.opening.env } as Place['env'], name, { how: 'start', spec });
}

/** As `solve --session-id` does. Throws what that throws. */
export async function goOn(
  { workspace, env }: Bench,
  { name }: Pick<Begun, 'name'>,
  flags: Record<string, number>,
  choices: Partial<SolveChoices> = {},
): Promise<Begun & { readonly how: string; readonly changes: readonly string[] }> {
  const none = { models: {}, modelSettings: {}, baseUrls: {}, prompts: {}, limits: {}, agentSettings: {} };
  const given = { ...none, ...choices };
  const plan = planSession({ folder: workspace, env, flags }, given);
  const place = sessionNamed(await sessionsIn(plan.workspace), name);
  const seen = await withStoreOf(place, env, (store) => seeSession(store, place));
  const newRunId = `${name}-${place.runs.length + 1}`;
  const { job, changes } = resumption({
    seen,
    plan,
    choices: given,
    named: Object.keys(flags),
    newRunId,
  });
  const begun = await started(workspace, env, name, job);
  return { ...begun, how: job.how, changes };
}

export async function started(
  workspace: string,
  env: Place['env'],
  name: string,
  job: RunJob,
): Promise<Begun> {
  const folder = join(workspace, name);
  const order = { folder: workspace, job, backend: 'none', logFile: join(folder, 'logs/worker.log') };
  const { pid } = await runInBackground(order, env, entry);
  endsWithTests(pid);
  return { folder, pid, name };
}

/** The session of that name as its journal has it now. */
export async function seen({ workspace, env }: Bench, name: string) {
  const place = sessionNamed(await sessionsIn(openWorkspace({ folder: workspace, env })), name);
  return withStoreOf(place, env, (store) => seeSession(store, place));
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
