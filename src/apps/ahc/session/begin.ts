/** Lets a session live that was checked and has its folder: in a process of its own, or here, with a live view. */

import type { Shell } from '../../../cli/contract.ts';
import { drive } from '../../../cli/drive.ts';
import { exitCodes } from '../../../core/errors.ts';
import type { WorkspaceQuestion } from '../../../open/families/ahc/workspace.ts';
import type { Journals } from '../../../open/options.ts';
import { readJournal } from '../../../run/load.ts';
import { ahcCall, harmlessJson } from '../../../text/format.ts';
import { freeBecause } from '../../../text/labels.ts';
import type { AhcSession } from '../load/session.ts';
import { attend } from '../talk/attend.ts';
import { detach } from './detach.ts';
import type { SessionJob } from './live.ts';
import type { SessionPlace } from './manifest.ts';
import type { SolveOptions } from './options.ts';
import type { SessionPlan, SolveChoices } from './plan.ts';

export type Solving = {
  readonly shell: Shell;
  readonly ahc: AhcSession;
  readonly options: SolveOptions;
  readonly question: WorkspaceQuestion;
  readonly choices: SolveChoices;
  readonly plan: SessionPlan;
};

export type Start = {
  readonly polya: Journals;
  readonly place: SessionPlace;
  readonly job: SessionJob;
  readonly change: ReturnType<AhcSession['changeOf']>;
  readonly estimate: string;
};

/** Resolves to the exit code. */
export function letLive(solving: Solving, start: Start): Promise<number> {
  return solving.options.foreground ? attached(solving, start) : detached(solving, start);
}

function attached(
  { shell, ahc, options, plan }: Solving,
  { polya, place, job, change }: Start,
): Promise<number> {
  const env = plan.opening.env ?? {};
  return drive(shell, polya, {
    isJson: false,
    ...(options.notify === undefined ? {} : { notify: options.notify }),
    start: (observer) =>
      ahc.attachSession({
        world: polya.world,
        place,
        workspace: plan.workspace.folder,
        job,
        change,
        env,
        log: ahc.appLogOf(plan.workspace.config, env),
        observer,
      }),
  });
}

async function detached(
  { shell, ahc, options, plan }: Solving,
  { polya, place, job, change, estimate }: Start,
): Promise<number> {
  const { name, id, home } = place.manifest;
  const folder = place.folder.path;
  const { env = {} } = plan.opening;
  const { ownEnv = shell.env } = shell;
  const { pid, run } = await detach({
    order: {
      workspace: plan.workspace.folder.path,
      session: name,
      job,
      change,
      backend: plan.opening.backend ?? null,
      notify: options.notify ?? null,
      unshared: Object.keys(env).filter((variable) => env[variable] !== ownEnv[variable]),
    },
    env: { ...env, POLYA_HOME: home },
    logFile: ahc.workerLog(place),
  });
  const label = await labelOf(polya, run);
  if (options.json) {
    const told = { session: name, id, run, pid, folder, label, estimate };
    shell.out.write(`${harmlessJson(told, 2)}\n`);
  } else shell.out.write(begunText(shell, { name, pid, folder, label }));
  if (!options.interactive) return exitCodes.ok;
  // Its manifest names the run only now.
  const now = ahc.sessionNamed(await ahc.sessionsIn(plan.workspace), name);
  return attend({ shell, ahc, place: now, folder: plan.workspace.folder });
}

/** Whose replies were written ahead is said wherever a person sees a result. */
async function labelOf({ world }: Journals, run: string): Promise<string | null> {
  const { events } = await readJournal(world.store, run);
  const header = events.findLast(({ kind }) => kind === 'run-start' || kind === 'run-fork');
  return header?.kind === 'run-start' || header?.kind === 'run-fork' ? freeBecause(header.body.models) : null;
}

type Begun = {
  readonly name: string;
  readonly pid: number;
  readonly folder: string;
  readonly label: string | null;
};

function begunText(shell: Shell, { name, pid, folder, label }: Begun): string {
  const { paint } = shell.out;
  const call = ahcCall(shell);
  const lines: readonly (readonly [string, string])[] = [
    ...(label === null ? [] : [['models', label] as const]),
    ['files', folder],
    ['talk', `${call} tell ${name} "…"`],
    ['watch', `${call} status ${name} --watch`],
    ['stop', `${call} stop ${name}`],
    ['go on', `${call} solve --session-id ${name}`],
  ];
  const heading = `Session ${paint('strong', name)} runs in the background, in process ${pid}.`;
  return `${heading}\n${lines.map(([what, how]) => `  ${paint('faint', what.padEnd(8))}${how}\n`).join('')}`;
}
