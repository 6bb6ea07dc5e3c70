/**
 * What is special about runs of contests: a search of constants tells its own result. Runs of sessions are refused by the
 * generic `resume` commands, which would not write the sessions' files; the error names the command that does both.
 */
import type { AppHooks, Shell } from '../../cli/contract.ts';
import { UserError } from '../../core/errors.ts';
import type { Event, Header } from '../../core/event.ts';
import type { JsonObject } from '../../core/json.ts';
import { readContest } from '../../families/ahc/workspace.ts';
import { systemClock } from '../../io/clock.ts';
import { machineTimes } from '../../open/families/ahc/parts.ts';
import { openWorkspace } from '../../open/families/ahc/workspace.ts';
import { hashText } from '../../run/hash.ts';
import type { RunSet } from '../../studies/run-set/plan.ts';
import { drawCandidate, toldDrawing, visualizerOf } from './drawing.ts';
import { sandboxFor } from './evaluation-context.ts';
import type { Pictures } from './panels/drawings.ts';
import { openedOf, panelsOf, programAt } from './panels.ts';
import { type Manifest, sessionsIn } from './session/manifest.ts';
import { tellTuning } from './tuning/report.ts';

export const hooks: AppHooks = {
  tell: (shell, options) => async (result, polya, code) =>
    result.view.header?.agent.name === 'parameter-search'
      ? tellTuning(shell, polya, result, options, code)
      : null,
  panels: async (events, problem) =>
    panelsOf(events, problem, await chainOf(events, problem), await picturesOf(problem)),
  opened: async (events, problem, seq) => openedOf(events, problem, seq, await picturesOf(problem)),
  drawing: drawn,
  resumedBy: runOfSession,
  setResumedBy: setOfSessions,
  namedResumedBy: async (shell, name) =>
    (await sessionNamed(shell, name)) ? ['ahc', 'solve', '--session-id', name] : null,
  // A session is a chain of forks.
  namedRuns: async (shell, name) => (await sessionNamed(shell, name))?.runs ?? null,
};

/** Null where it belongs to no workspace. */
async function picturesOf(problem: Header['problem']): Promise<Pictures | null> {
  const workspace = workspaceOf(problem);
  if (workspace === null) return null;
  try {
    visualizerOf(
      await readContest(openWorkspace({ folder: workspace, env: {}, workspace, isLooking: true })),
    );
    return { lacking: '' };
  } catch (error) {
    if (error instanceof UserError) return { lacking: error.message };
    throw error;
  }
}

async function drawn(
  { env }: Pick<Shell, 'env'>,
  { events, problem }: Journal,
  asked: { readonly seq: number; readonly case: string },
  signal: AbortSignal,
) {
  const folder = workspaceOf(problem);
  const source = folder && programAt(events, problem, asked.seq);
  if (!source) throw noCandidate(asked.seq);
  const workspace = openWorkspace({ folder, env, workspace: folder });
  const sandbox = sandboxFor(workspace.config, env);
  const context = { workspace, sandbox, clock: systemClock, hashText, machine: machineTimes };
  return toldDrawing(await drawCandidate(context, { source, name: asked.case }, signal));
}

type Journal = { readonly events: readonly Event[]; readonly problem: Header['problem'] };

function noCandidate(seq: number): UserError {
  return new UserError({
    code: 'no-such-candidate',
    what: `Event ${seq} settles no candidate with a program.`,
    fix: 'Choose one in the lineage, or in the cases.',
  });
}

function workspaceOf(problem: Pick<Header['problem'], 'family' | 'reference'> | null): string | null {
  const workspace = problem?.family === 'ahc' ? problem.reference.workspace : null;
  return typeof workspace === 'string' ? workspace : null;
}

/** The session that the run is a part of. A copy may be looked at where its workspace is not. */
async function chainOf(events: readonly Event[], problem: Header['problem']) {
  const head = events.findLast((event) => event.kind === 'run-start' || event.kind === 'run-fork');
  const isPart = ({ runs }: Manifest): boolean => runs.includes(head?.body.runId ?? '');
  return (await sessionWhere({ env: {} }, problem, isPart))?.manifest ?? null;
}

async function sessionNamed(shell: Shell, name: string): Promise<Manifest | undefined> {
  const workspace = openWorkspaceHere(shell);
  const places = workspace ? await sessionsIn(workspace) : [];
  return places.map(({ manifest }) => manifest).find((each) => each.name === name || each.id === name);
}

async function runOfSession(shell: Pick<Shell, 'env'>, runId: string, header: Header | null) {
  const found = await sessionWhere(shell, header?.problem ?? null, ({ runs }) => runs.includes(runId));
  if (!found) return null;
  const { name } = found.manifest;
  const words = ['ahc', 'solve', '--session-id', name, '--workspace', found.workspace];
  const refusal = new UserError({
    code: 'run-of-session',
    what: `Run ${runId} is that of the session ${name}.`,
    why: 'Resumed by itself, it would leave the session’s files as they are.',
    fix: `\`polya ${words.join(' ')}\` goes on with both.`,
  });
  return { words, refusal };
}

async function setOfSessions(shell: Pick<Shell, 'env'>, { id, plan }: RunSet) {
  for (const { family, problem: reference } of plan.rows) {
    if (!(await sessionWhere(shell, { family, reference }, ({ batch }) => batch?.set === id))) continue;
    const refusal = new UserError({
      code: 'set-of-sessions',
      what: `The rows of the run-set ${id} are sessions of a batch.`,
      why: 'Resumed as a run-set, they would leave the sessions’ files as they are.',
      fix: `\`polya ahc batch --resume ${id}\` goes on with both.`,
    });
    return { words: ['ahc', 'batch', '--resume', id], refusal };
  }
  return null;
}

function openWorkspaceHere({ folder, env }: Shell) {
  try {
    return openWorkspace({ folder, env, isLooking: true });
  } catch (error) {
    if (error instanceof UserError) return null;
    throw error;
  }
}

/** Null where the problem is of another family, or its workspace is gone or has no such session. */
async function sessionWhere(
  { env }: Pick<Shell, 'env'>,
  problem: { readonly family: string; readonly reference: JsonObject } | null,
  isMeant: (manifest: Manifest) => boolean,
): Promise<{ readonly manifest: Manifest; readonly workspace: string } | null> {
  const workspace = workspaceOf(problem);
  if (workspace === null) return null;
  try {
    const places = await sessionsIn(openWorkspace({ folder: workspace, env, workspace, isLooking: true }));
    const found = places.find(({ manifest }) => isMeant(manifest));
    return found ? { manifest: found.manifest, workspace } : null;
  } catch (error) {
    if (error instanceof UserError) return null;
    throw error;
  }
}
