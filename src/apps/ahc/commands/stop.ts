/** `polya ahc stop`: ends a session at any moment, and waits until everything that is to be kept is kept. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import type { CommandFile, Shell } from '../../../cli/contract.ts';
import { positive } from '../../../cli/options.ts';
import { exitCodes, UnavailableError, UserError } from '../../../core/errors.ts';
import type { Store } from '../../../core/store.ts';
import { ahcCall, count, harmlessJson } from '../../../text/format.ts';
import { scoreNow } from '../session/course.ts';
import { lookForSession } from '../session/find.ts';
import { isFiled, runOf, type SeenSession, seeSession, withStoreOf } from '../session/look.ts';
import type { SessionPlace } from '../session/manifest.ts';
import { plainNumber } from '../session/names.ts';
import { machineUsage } from '../session/usage.ts';
import { type WorkspaceOptions, workspaceOptions } from '../workspace.ts';

type StopOptions = WorkspaceOptions & { readonly patience: number };

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
    const options = command.opts<StopOptions>();
    const [name] = command.processedArgs as [string?];
    const { found } = await lookForSession(shell, command, name);
    if (!found) {
      shell.out.write(options.json ? 'null\n' : 'No session runs here; there is nothing to stop.\n');
      return exitCodes.ok;
    }
    return withStoreOf(found.place, shell.env, (store) => stop(shell, store, found.place, options));
  },
};

async function stop(
  shell: Shell,
  store: Store,
  place: SessionPlace,
  { patience, json }: StopOptions,
): Promise<number> {
  const { name } = place.manifest;
  const row = await runOf(store, place.manifest);
  if (!row?.owner) throw notRunning(await seeSession(store, place));
  const { pid } = row.owner;
  await store.post(row.id, { kind: 'stop', text: '', atMs: Date.now() });
  shell.err.write(`Asked process ${pid} to stop the session ${name} …\n`);
  for (let waitedMs = 0; await isAtWork(store, place, pid); waitedMs += lookEveryMs) {
    if (waitedMs > patience * 1000) throw notStopped(name, { pid, patience });
    await sleep(lookEveryMs);
  }
  const stopped = stoppedValue(await seeSession(store, place));
  shell.out.write(json ? `${harmlessJson(stopped, 2)}\n` : stoppedText(shell, stopped));
  return exitCodes.ok;
}

/** After the run has ended, its process completes the files. A process in a terminal may live on after that. */
async function isAtWork(store: Store, place: SessionPlace, pid: number): Promise<boolean> {
  const row = await runOf(store, place.manifest);
  if (row?.owner) return true;
  return machineUsage(pid, place.folder.path).processes !== null && !(await isFiled(place));
}

function stoppedValue({ place, status, state }: SeenSession) {
  return {
    session: place.manifest.name,
    id: place.manifest.id,
    status,
    candidates: state.candidates.length,
    best: state.bestId,
    best_score: scoreNow(state, place.manifest, state.bestId),
    folder: place.folder.path,
  };
}

function stoppedText(shell: Shell, stopped: ReturnType<typeof stoppedValue>): string {
  const { session, status, candidates, best, best_score: score, folder } = stopped;
  const kept = best
    ? `best_solution.cpp is ${best}${score === null ? '' : `, score ${plainNumber(score)}`}`
    : 'no program was found yet';
  return [
    status === 'stopped'
      ? `The session ${session} is stopped.`
      : `The session ${session} has ended by itself: ${status}.`,
    `Kept: ${count(candidates, 'candidate')} in ${folder}; ${kept}.`,
    `Go on with it: ${ahcCall(shell)} solve --session-id ${session}`,
    '',
  ].join('\n');
}

function notRunning({ place, status }: SeenSession): UserError {
  const { name } = place.manifest;
  return new UserError({
    code: 'run-not-running',
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
