/** `polya ahc stop`: ends a session at any moment, and waits until everything that is to be kept is kept. */

import type { Command } from 'commander';
import type { CommandFile, Shell } from '../../../cli/contract.ts';
import { positive } from '../../../cli/options.ts';
import { exitCodes, UnavailableError } from '../../../core/errors.ts';
import type { Store } from '../../../core/store.ts';
import { ahcCall, count } from '../../../text/format.ts';
import { scoreNow } from '../session/course.ts';
import {
  askToStop,
  askUntil,
  isFiled,
  lookForSession,
  notRunning,
  runOf,
  seeSession,
  withStoreOf,
} from '../session/look.ts';
import type { SessionPlace } from '../session/manifest.ts';
import { keptText } from '../session/status.ts';
import { machineUsage } from '../session/usage.ts';
import { tellJson, type WorkspaceOptions, workspaceOptions } from '../workspace.ts';

type StopOptions = WorkspaceOptions & { readonly patience: number };

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
    if (found)
      return withStoreOf(found.place, shell.env, (store) => stop(shell, store, found.place, options));
    shell.out.write(options.json ? 'null\n' : 'No session runs here; there is nothing to stop.\n');
    return exitCodes.ok;
  },
};

async function stop(
  shell: Shell,
  store: Store,
  place: SessionPlace,
  { patience, json }: StopOptions,
): Promise<number> {
  const { name, id } = place.manifest;
  const row = await runOf(store, place.manifest);
  if (!row?.owner) throw notRunning(await seeSession(store, place));
  const { pid } = row.owner;
  await askToStop(store, row);
  shell.err.write(`Asked process ${pid} to stop the session ${name} …\n`);
  const isOver = async (): Promise<true | null> => ((await isAtWork(store, place, pid)) ? null : true);
  if (!(await askUntil(isOver, { everyMs: 100, patienceMs: patience * 1000 }))) {
    throw new UnavailableError({
      code: 'not-stopped',
      what: `The session ${name} has not stopped within ${patience} seconds.`,
      why: `Process ${pid} has been asked to, but does not answer.`,
      fix: `Wait, or end it with \`kill ${pid}\`; nothing that was paid for is lost, and the session can go on afterwards.`,
    });
  }
  const seen = await seeSession(store, place);
  const { status, state } = seen;
  const candidates = state.candidates.length;
  const folder = place.folder.path;
  if (json) {
    const best_score = scoreNow(state, place.manifest, state.bestId);
    tellJson(shell, { session: name, id, status, candidates, best: state.bestId, best_score, folder });
    return exitCodes.ok;
  }
  const how = status === 'stopped' ? 'is stopped' : `has ended by itself: ${status}`;
  const kept = keptText(seen) ?? 'no program was found yet';
  shell.out.write(
    `The session ${name} ${how}.\nKept: ${count(candidates, 'candidate')} in ${folder}; ${kept}.\nGo on with it: ${ahcCall(shell)} solve --session-id ${name}\n`,
  );
  return exitCodes.ok;
}

/** After the run has ended, its process completes the files. A process in a terminal may live on after that. */
async function isAtWork(store: Store, place: SessionPlace, pid: number): Promise<boolean> {
  const row = await runOf(store, place.manifest);
  if (row?.owner) return true;
  return machineUsage(pid, place.folder.path).processes !== null && !(await isFiled(place));
}
