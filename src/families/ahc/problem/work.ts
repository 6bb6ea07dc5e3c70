/** What one evaluation works with: the workspace as it is now, its tools, and a place in the queue. */
import type { EffectContext } from '../../../core/problem.ts';
import type { ProgramFiles } from '../../../core/sandbox.ts';
import { toolsGone } from '../evaluation.ts';
import type { Turns } from '../judge/turns.ts';
import type { Workspace } from '../workspace.ts';
import type { AhcDesk } from './desk.ts';
import type { Facts } from './facts.ts';

export type Measuring = {
  readonly desk: AhcDesk;
  readonly facts: Facts;
  /** The workspace's folder. */
  readonly path: string;
};

export type Context = Pick<EffectContext, 'io' | 'signal'>;

export type Work = Measuring &
  Context & {
    readonly workspace: Workspace;
    /** Null where the contest has no tools. */
    readonly crate: ProgramFiles | null;
    /** `evaluation.jobs`, else one a core. */
    readonly jobs: number;
    readonly turns: Turns;
  };

export async function beginWork(measuring: Measuring, { io, signal }: Context): Promise<Work> {
  const { desk, facts, path } = measuring;
  const workspace = desk.openWorkspace(path);
  const { tools } = facts.contest;
  const crate = tools && (await desk.crateOf(workspace, tools.sha256));
  if (tools && !crate) throw toolsGone(workspace.folder.path, workspace.id);
  const configured = workspace.config.get('evaluation.jobs');
  const jobs = typeof configured === 'number' ? configured : desk.cores;
  return { ...measuring, io, signal, workspace, crate, jobs, turns: desk.queue.enter(jobs) };
}
