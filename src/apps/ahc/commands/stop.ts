/** `polya ahc stop`: ends a session at any moment, and waits until everything that is to be kept is kept. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import type { CommandFile, Shell } from '../../../cli/contract.ts';
import { positive } from '../../../cli/options.ts';
import { exitCodes, UnavailableError, UserError } from '../../../core/errors.ts';
import type { Store } from '../../../core/store.ts';
import { ahcCall, count, harmlessJson } from '../../../text/format.ts';
import { type AhcSession, loadAhcSession } from '../load/session.ts';
import { findSession, sessionsHere } from '../session/find.ts';
import type { SeenSession } from '../session/look.ts';
import type { SessionPlace } from '../session/manifest.ts';
import { questionOf, type WorkspaceOptions, workspaceOptions } from '../workspace.ts';

type Options = WorkspaceOptions & { readonly patience: number };

const lookEveryMs = 100;

export const ahcStop: CommandFile = {
  define(command: Command) {
    workspaceOptions(
      command
        .argument('[session]', 'its name or id (default: the only one that runs)')
        .option('--patience <seconds>', 'how long to wait for its end', positive, 60),
    );
  },
  async run(shell, command) {
    const options = command.opts<Options>();
    const [name] = command.processedArgs as [string?];
    const ahc = await loadAhcSession();
    const sessions = await sessionsHere(shell, ahc, ahc.openWorkspace(questionOf(shell, command)));
    const found = await findSession(shell, { ahc, sessions, name });
    if (!found) {
      shell.out.write(options.json ? 'null\n' : 'No session runs here; there is nothing to stop.\n');
      return exitCodes.ok;
    }
    return ahc.withStoreOf(found.place, shell.env, (store) =>
      stop({ shell, ahc, place: found.place, store }, options),
    );
  },
};

type Stopping = {
  readonly shell: Shell;
  readonly ahc: AhcSession;
  readonly place: SessionPlace;
  readonly store: Store;
};

async function stop({ shell, ahc, place, store }: Stopping, { patience, json }: Options): Promise<number> {
  const { name } = place.manifest;
  const row = await ahc.runOf(store, place.manifest);
  if (!row?.owner) throw notRunning(await ahc.seeSession(store, place));
  const { pid } = row.owner;
  await store.post(row.id, { kind: 'stop', text: '', atMs: Date.now() });
  shell.err.write(`Asked process ${pid} to stop the session ${name} …\n`);
  for (let waitedMs = 0; await isAtWork(ahc, store, { place, pid }); waitedMs += lookEveryMs) {
    if (waitedMs > patience * 1000) throw notStopped(name, { pid, patience });
    await sleep(lookEveryMs);
  }
  const seen = await ahc.seeSession(store, place);
  if (json) shell.out.write(`${harmlessJson(jsonOf(ahc, seen), 2)}\n`);
  else shell.out.write(stoppedText(shell, ahc, seen));
  return exitCodes.ok;
}

/** Its process brings the files up to date after the run has ended; one that lives in a terminal may live on. */
async function isAtWork(
  ahc: AhcSession,
  store: Store,
  { place, pid }: { readonly place: SessionPlace; readonly pid: number },
): Promise<boolean> {
  const row = await ahc.runOf(store, place.manifest);
  if (row?.owner) return true;
  return ahc.machineUsage(pid, place.folder.path).processes !== null && !(await ahc.isFiled(place));
}

function jsonOf(ahc: AhcSession, { place, status, state }: SeenSession) {
  return {
    session: place.manifest.name,
    id: place.manifest.id,
    status,
    candidates: state.candidates.length,
    best: state.bestId,
    best_score: ahc.scoreNow(state, place.manifest, state.bestId),
    folder: place.folder.path,
  };
}

function stoppedText(shell: Shell, ahc: AhcSession, seen: SeenSession): string {
  const { place, status, state } = seen;
  const { name } = place.manifest;
  const { best_score: score } = jsonOf(ahc, seen);
  const kept = state.bestId
    ? `best_solution.cpp is ${state.bestId}${score === null ? '' : `, score ${ahc.plainNumber(score)}`}`
    : 'no program was found yet';
  return [
    status === 'stopped'
      ? `The session ${name} is stopped.`
      : `The session ${name} has ended by itself: ${status}.`,
    `Kept: ${count(state.candidates.length, 'candidate')} in ${place.folder.path}; ${kept}.`,
    `Go on with it: ${ahcCall(shell)} solve --session-id ${name}`,
    '',
  ].join('\n');
}

function notRunning({ place, status }: SeenSession): UserError {
  const { name } = place.manifest;
  return new UserError({
    code: 'not-running',
    what: `The session ${name} does not run: it is ${status}.`,
    fix: `\`polya ahc solve --session-id ${name}\` goes on with it.`,
  });
}

function notStopped(name: string, { pid, patience }: { pid: number; patience: number }): UnavailableError {
  return new UnavailableError({
    code: 'not-stopped',
    what: `The session ${name} has not stopped within ${patience} seconds.`,
    why: `Process ${pid} has been asked to, but does not answer.`,
    fix: `Wait, or end it with \`kill ${pid}\`; nothing that was paid for is lost, and the session can go on afterwards.`,
  });
}
