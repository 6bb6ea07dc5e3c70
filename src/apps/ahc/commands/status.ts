/** `polya ahc status`: how far a session is, what it does now, what it has cost; once, as a live screen, or all in a table. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import type { CommandFile, Shell } from '../../../cli/contract.ts';
import { exitCodes, UserError } from '../../../core/errors.ts';
import { harmlessJson } from '../../../text/format.ts';
import { type AhcSession, loadAhcSession } from '../load/session.ts';
import { Repainter } from '../repainter.ts';
import { allSessions, allText } from '../session/all.ts';
import { findSession, sessionsHere } from '../session/find.ts';
import { type Seen, statusJson } from '../session/json.ts';
import type { SessionPlace } from '../session/manifest.ts';
import { statusText } from '../session/text.ts';
import { questionOf, type WorkspaceOptions, workspaceOptions } from '../workspace.ts';

type Options = WorkspaceOptions & { readonly watch?: boolean; readonly all?: boolean };

const lookEveryMs = 500;

export const ahcStatus: CommandFile = {
  define(command: Command) {
    workspaceOptions(
      command
        .argument('[session]', 'its name or id (default: the only one that runs, else the newest)')
        .option('--watch', 'go on showing it until it ends, or Ctrl-C')
        .option('--all', 'a line for each session'),
    );
  },
  async run(shell, command) {
    const options = command.opts<Options>();
    const [name] = command.processedArgs as [string?];
    if (options.all && (options.watch || name !== undefined)) {
      throw new UserError({
        code: 'all-shows-every-session-once',
        what: '--all shows every session, once.',
        fix: 'Leave it out, or the session and --watch.',
      });
    }
    const ahc = await loadAhcSession();
    const workspace = ahc.openWorkspace(questionOf(shell, command));
    const sessions = await sessionsHere(shell, ahc, workspace);
    if (options.all) {
      const rows = await allSessions(shell, ahc, sessions);
      shell.out.write(options.json ? `${harmlessJson(rows, 2)}\n` : allText(shell, rows));
      return exitCodes.ok;
    }
    const found = await findSession(shell, { ahc, sessions, name });
    const place = found?.place ?? sessions[0];
    if (!place) {
      shell.out.write(options.json ? 'null\n' : 'There are no sessions here yet.\n');
      return exitCodes.ok;
    }
    return show({ shell, ahc, place, folder: workspace.folder }, options);
  },
};

type Showing = {
  readonly shell: Shell;
  readonly ahc: AhcSession;
  readonly place: SessionPlace;
  readonly folder: Seen['folder'];
};

function show(showing: Showing, { watch, json }: Options): Promise<number> {
  const { shell, ahc, place, folder } = showing;
  return ahc.withStoreOf(place, shell.env, async (store) => {
    const look = ahc.followSession(store, place);
    const see = async (): Promise<Seen> => {
      const session = await look();
      if (session.status === 'crashed') await ahc.markCrashed(place, shell.env);
      const machine = ahc.machineUsage(session.row?.owner?.pid ?? null, place.folder.path);
      const isBehind = await ahc.isBehind(place, session.row);
      return { ahc, session, folder, machine, nowMs: Date.now(), isBehind };
    };
    if (watch) return watching(shell, see, Boolean(json));
    const seen = await see();
    shell.out.write(json ? `${harmlessJson(statusJson(seen), 2)}\n` : statusText(shell.out, seen));
    return exitCodes.ok;
  });
}

/** Until it runs no more. Ends with 130 where its user has had enough; the session goes on. */
async function watching(shell: Shell, see: () => Promise<Seen>, isJson: boolean): Promise<number> {
  const leaving = new AbortController();
  const release = shell.onInterrupt(() => leaving.abort());
  const screen = new Repainter(shell.out);
  let last = '';
  try {
    for (;;) {
      const seen = await see();
      const isOver = seen.session.status !== 'running';
      const key = `${seen.session.state.run.lastSeq} ${seen.session.status}`;
      // A clock that goes on is news on a screen alone: a file would be full of it.
      if (key !== last || (shell.out.isTerminal && !isJson)) {
        if (isJson) shell.out.write(`${harmlessJson(statusJson(seen))}\n`);
        else screen.show(statusText(shell.out, seen), { isLast: isOver });
      }
      last = key;
      if (isOver) return exitCodes.ok;
      if (leaving.signal.aborted || shell.out.isClosed) return exitCodes.cancelled;
      await sleep(lookEveryMs, undefined, { signal: leaving.signal }).catch(() => undefined);
    }
  } finally {
    release();
  }
}
