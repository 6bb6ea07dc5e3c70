/**
 * What is special about runs of contests: a search of constants prints its own result, a session has a folder that is kept up
 * to date while its run is at work, and the page has panels.
 */
import { join } from 'node:path';
import type { AppHooks, Shell } from '../../cli/contract.ts';
import { UserError } from '../../core/errors.ts';
import type { Event, Header } from '../../core/event.ts';
import { openFolder } from '../../io/folder.ts';
import { openWorkspace, type WorkspaceQuestion } from '../../open/families/ahc/workspace.ts';
import type { Journals } from '../../open/options.ts';
import type { RunSet } from '../../studies/run-set/plan.ts';
import { sessionOfRow } from './batch/plan.ts';
import { readOutcomes, resultOf, resultText } from './batch/result.ts';
import { openedOf, panelsOf } from './panels.ts';
import { recordBestScores } from './session/best-known.ts';
import { contextIn } from './session/context.ts';
import { foldSession } from './session/fold.ts';
import { SessionFolder } from './session/folder.ts';
import { type AppLog, appLogOf, maskOf } from './session/log.ts';
import { type SessionPlace, sessionsIn } from './session/sessions.ts';
import { tellTuning } from './tuning/report.ts';

export const hooks: AppHooks = {
  tell: (shell, options) => async (result, polya, code) =>
    result.view.header?.agent.name === 'parameter-search'
      ? tellTuning(shell, polya, result, options, code)
      : null,
  panels: async (events, problem) => panelsOf(events, problem, await chainOf(events, problem)),
  opened: openedOf,
  files: sessionFolder,
  tellsSet: ({ rows }) => (rows.every((row) => sessionOfRow(row) !== null) ? tellBatch : null),
  namedResumedBy: async (shell, name) =>
    (await placeNamed(shell, name)) ? ['ahc', 'solve', '--session-id', name] : null,
  // A session is a chain of forks.
  namedRuns: async (shell, name) => (await placeNamed(shell, name))?.runs ?? null,
};

function workspaceOf(problem: Pick<Header['problem'], 'family' | 'reference'> | null): string | null {
  const workspace = problem?.family === 'ahc' ? problem.reference.workspace : null;
  return typeof workspace === 'string' ? workspace : null;
}

async function tellBatch({ out }: Shell, { world }: Journals, { id, plan, ...set }: RunSet): Promise<void> {
  const batchOutcomes = await readOutcomes(world.store, { id, plan, ...set });
  out.write(resultText(out, resultOf(batchOutcomes, { set: id, name: plan.name })));
}

/**
 * The session that the run is a part of; null where it is none. Its folder knows later forks. A copy may be looked at where its
 * workspace is not.
 */
async function chainOf(events: readonly Event[], problem: Header['problem']) {
  const { run, runs } = foldSession(events);
  const session = run.header && contextIn(run.header);
  const folder = workspaceOf(problem);
  if (!session || folder === null) return null;
  const workspace = workspaceAt({ folder, env: {}, workspace: folder });
  const positions = workspace ? await sessionsIn(workspace) : [];
  const known = positions.find((place) => runs.some((id) => place.runs.includes(id)));
  return { name: session.name, runs: known?.runs ?? runs };
}

async function placeNamed(shell: Shell, named: string): Promise<SessionPlace | undefined> {
  const workspace = workspaceAt({ folder: shell.folder, env: shell.env });
  const places = workspace ? await sessionsIn(workspace) : [];
  return places.find(({ name, id }) => name === named || id === named);
}

/** Null where the run is no session. */
async function sessionFolder(
  { env }: Pick<Shell, 'env'>,
  { world, place }: Pick<Journals, 'world' | 'place'>,
  header: Header,
  onNotice: (notice: string) => void,
): Promise<SessionFolder | null> {
  const session = contextIn(header);
  const folder = workspaceOf(header.problem);
  if (!session || folder === null) return null;
  const workspace = openWorkspace({ folder, env, workspace: folder });
  const log = appLogOf(workspace.config, env);
  const note: AppLog = (level, text) => log(level, `${session.name}: ${text}`);
  return new SessionFolder({
    store: world.store,
    storeName: place.name,
    runId: header.runId,
    folder: openFolder(join(folder, session.name)),
    workspace: workspace.folder,
    mask: maskOf(env),
    onTrouble: (message) => {
      note('ERROR', message);
      onNotice(`The session's files fall behind its journal: ${message}`);
    },
    onStatus: async (status, state) => {
      const { end } = state.run;
      if (status === 'running') return note('INFO', `run ${header.runId} begins`);
      if (world.owner.host !== undefined) await recordBestScores(workspace, state, session.direction);
      const why = end?.error ? `: ${end.error.message}` : '';
      const text = end ? `${status}: ${end.outcome}${why}` : `its run could not go on: ${status}`;
      note(end === null ? 'CRITICAL' : status === 'failed' ? 'ERROR' : 'INFO', text);
    },
  });
}

function workspaceAt(question: WorkspaceQuestion) {
  try {
    return openWorkspace({ ...question, isLooking: true });
  } catch (error) {
    if (error instanceof UserError) return null;
    throw error;
  }
}
