/**
 * Runs that are sessions': resumed by themselves, or as rows of their run-set, they would write none of the sessions' files.
 * So they are not, and the command that does both is named.
 */

import type { Shell } from '../../../cli/contract.ts';
import { UserError } from '../../../core/errors.ts';
import type { Header } from '../../../core/event.ts';
import type { JsonObject } from '../../../core/json.ts';
import type { RunSet } from '../../../studies/run-set/plan.ts';
import { loadAhcSession } from '../load/session.ts';
import type { SessionPlace } from './manifest.ts';

type Manifest = SessionPlace['manifest'];

export async function refuseRunOfSession(
  shell: Pick<Shell, 'env'>,
  runId: string,
  header: Header | null,
): Promise<void> {
  const found = await sessionWhere(shell, header?.problem ?? null, ({ runs }) => runs.includes(runId));
  if (!found) return;
  throw new UserError({
    code: 'run-session',
    what: `Run ${runId} is that of the session ${found.name}.`,
    why: 'Resumed by itself, it would leave the session’s files as they are.',
    fix: `\`polya ahc solve --session-id ${found.name} --workspace ${found.workspace}\` goes on with both.`,
  });
}

export async function refuseSetOfSessions(shell: Pick<Shell, 'env'>, { id, plan }: RunSet): Promise<void> {
  for (const { family, problem } of plan.rows) {
    const asked = { family, reference: problem };
    if (!(await sessionWhere(shell, asked, ({ batch }) => batch?.set === id))) continue;
    throw new UserError({
      code: 'rows-run-set-sessions-batch',
      what: `The rows of the run-set ${id} are sessions of a batch.`,
      why: 'Resumed as a run-set, they would leave the sessions’ files as they are.',
      fix: `\`polya ahc batch --resume ${id}\` goes on with both.`,
    });
  }
}

/** Null where it is no contest's, its workspace is gone, or has no such session. */
async function sessionWhere(
  { env }: Pick<Shell, 'env'>,
  problem: { readonly family: string; readonly reference: JsonObject } | null,
  isMeant: (manifest: Manifest) => boolean,
): Promise<{ readonly name: string; readonly workspace: string } | null> {
  const workspace = problem?.family === 'ahc' ? problem.reference.workspace : null;
  if (typeof workspace !== 'string') return null;
  const ahc = await loadAhcSession();
  try {
    const places = await ahc.sessionsIn(ahc.openWorkspace({ folder: workspace, env, workspace }));
    const found = places.find(({ manifest }) => isMeant(manifest));
    return found ? { name: found.manifest.name, workspace } : null;
  } catch (error) {
    if (error instanceof UserError) return null;
    throw error;
  }
}
