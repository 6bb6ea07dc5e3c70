/**
 * What is special about runs of contests: a search of constants tells its own result. Runs of sessions are refused by the
 * generic `resume` commands, which would not write the sessions' files; the error names the command that does both.
 */
import type { AppHooks, Shell } from '../../cli/contract.ts';
import { UserError } from '../../core/errors.ts';
import type { Header } from '../../core/event.ts';
import type { JsonObject } from '../../core/json.ts';
import { openWorkspace } from '../../open/families/ahc/workspace.ts';
import type { RunSet } from '../../studies/run-set/plan.ts';
import { type Manifest, sessionsIn } from './session/manifest.ts';
import { tellTuning } from './tuning/report.ts';

export const hooks: AppHooks = {
  tell: (shell, options) => async (result, polya, code) =>
    result.view.header?.agent.name === 'parameter-search'
      ? tellTuning(shell, polya, result, options, code)
      : null,
  refuseResume: refuseRunOfSession,
  refuseResumeOfSet: refuseSetOfSessions,
};

async function refuseRunOfSession(shell: Pick<Shell, 'env'>, runId: string, header: Header | null) {
  const found = await sessionWhere(shell, header?.problem ?? null, ({ runs }) => runs.includes(runId));
  if (!found) return;
  throw new UserError({
    code: 'run-of-session',
    what: `Run ${runId} is that of the session ${found.name}.`,
    why: 'Resumed by itself, it would leave the session’s files as they are.',
    fix: `\`polya ahc solve --session-id ${found.name} --workspace ${found.workspace}\` goes on with both.`,
  });
}

async function refuseSetOfSessions(shell: Pick<Shell, 'env'>, { id, plan }: RunSet) {
  for (const { family, problem: reference } of plan.rows) {
    if (!(await sessionWhere(shell, { family, reference }, ({ batch }) => batch?.set === id))) continue;
    throw new UserError({
      code: 'set-of-sessions',
      what: `The rows of the run-set ${id} are sessions of a batch.`,
      why: 'Resumed as a run-set, they would leave the sessions’ files as they are.',
      fix: `\`polya ahc batch --resume ${id}\` goes on with both.`,
    });
  }
}

/** Null where the problem is of another family, or its workspace is gone or has no such session. */
async function sessionWhere(
  { env }: Pick<Shell, 'env'>,
  problem: { readonly family: string; readonly reference: JsonObject } | null,
  isMeant: (manifest: Manifest) => boolean,
): Promise<{ readonly name: string; readonly workspace: string } | null> {
  const workspace = problem?.family === 'ahc' ? problem.reference.workspace : null;
  if (typeof workspace !== 'string') return null;
  try {
    const places = await sessionsIn(openWorkspace({ folder: workspace, env, workspace }));
    const found = places.find(({ manifest }) => isMeant(manifest));
    return found ? { name: found.manifest.name, workspace } : null;
  } catch (error) {
    if (error instanceof UserError) return null;
    throw error;
  }
}
