/** `polya ahc export`: writes the folder of a session from the journal of its run, or of any run of a contest, at any time. */
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { CommandFile, Shell } from '../../../cli/contract.ts';
import { withRun } from '../../../cli/journals.ts';
import { assertNotExists, makeOutFolder } from '../../../cli/safe-write.ts';
import { exitCodes, UserError } from '../../../core/errors.ts';
import type { Store } from '../../../core/store.ts';
import { openFolder } from '../../../io/folder.ts';
import { readJournal } from '../../../run/load.ts';
import { count } from '../../../text/format.ts';
import { foldSession } from '../session/fold.ts';
import { SessionFolder } from '../session/folder.ts';
import { maskOf } from '../session/log.ts';
import { lookForSession, runOf, withStoreOf } from '../session/look.ts';
import { files, folders } from '../session/names.ts';
import type { SessionPlace } from '../session/sessions.ts';
import { tellJson, type WorkspaceOptions, workspaceOptions } from '../workspace.ts';

type ExportOptions = WorkspaceOptions & { readonly out?: string; readonly force: boolean };

export const ahcExport: CommandFile = {
  define(command: Command) {
    workspaceOptions(
      command
        .argument(
          '[name]',
          'a session by name or id, or any run of a contest by its id (default: the newest session)',
        )
        .option(
          '-o, --out <folder>',
          'where to (default: the folder of the session; of a run, one of its id)',
        )
        .option('--force', 'write into a folder that has such files', false),
    );
  },
  async run(shell, command) {
    const [name] = command.processedArgs as [string?];
    const options = command.opts<ExportOptions>();
    const place = await sessionNamed(shell, command, name);
    if (!place)
      return withRun(shell, name ?? 'last', (polya, { id }) =>
        exportRun(shell, polya.world.store, polya.place.name, id, options),
      );
    return withStoreOf(place, shell.env, async (store) => {
      const row = await runOf(store, place);
      if (!row) throw noJournal(place);
      return exportRun(shell, store, place.store, row.id, options, place);
    });
  },
};

/** Null where the name is that of no session. */
async function sessionNamed(shell: Shell, command: Command, name?: string): Promise<SessionPlace | null> {
  try {
    const { found, sessions } = await lookForSession(shell, command, name);
    return found?.place ?? sessions[0] ?? null;
  } catch (error) {
    if (name !== undefined && error instanceof UserError) return null;
    throw error;
  }
}

async function exportRun(
  shell: Shell,
  store: Store,
  storeName: string,
  runId: string,
  { out, force, json }: ExportOptions,
  place?: SessionPlace,
): Promise<number> {
  const state = foldSession((await readJournal(store, runId)).events);
  const workspace = state.run.header?.problem.reference.workspace;
  if (state.run.header?.problem.family !== 'ahc' || typeof workspace !== 'string') throw noContest(runId);
  const isOwn = out === undefined && place !== undefined;
  const folder = isOwn ? place.folder.path : resolve(shell.folder, out ?? runId);
  if (!isOwn) {
    assertNotExists(join(folder, files.session), force);
    makeOutFolder(folder);
  }
  const errors: string[] = [];
  await new SessionFolder({
    store,
    storeName,
    runId,
    folder: openFolder(folder),
    workspace: openFolder(workspace),
    context: place?.earlier,
    isRecorded: isOwn,
    mask: maskOf(shell.env),
    onTrouble: (message) => errors.push(message),
  }).update();
  const [error] = errors;
  if (error !== undefined)
    throw new UserError({
      code: 'folder-unwritable',
      what: `${folder} was not written in full.`,
      why: error,
    });
  const candidates = state.candidates.length;
  const outputs = (await openFolder(folder).foldersIn(folders.outputs)).length;
  if (json) tellJson(shell, { run: runId, folder, candidates, candidates_with_outputs: outputs });
  else {
    shell.out.write(`${folder}\n`);
    shell.err.write(
      `${count(candidates, 'candidate')}; outputs of ${outputs} of them: those of the best and the newest are kept, within a bound.\n`,
    );
  }
  return exitCodes.ok;
}

function noJournal({ name, store }: SessionPlace): UserError {
  const what = `The journal of the session ${name} is not in ${store}.`;
  return new UserError({
    code: 'no-such-run',
    what,
    fix: 'Put the store back, or name another with --store.',
  });
}

function noContest(runId: string): UserError {
  return new UserError({
    code: 'run-of-other-family',
    what: `Run ${runId} is no run of a contest.`,
    fix: `\`polya runs export ${runId}\` writes it.`,
  });
}
