/** `polya ahc report`: a session as one page that opens anywhere, with its pictures in it. */
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { exitCodes, UserError } from '../../core/errors.ts';
import { loadAhcSession } from '../../index.ts';
import { reportJson, reportPage } from '../ahc/report/report.ts';
import { findSession, sessionsHere } from '../ahc/session-find.ts';
import { questionOf, type WorkspaceOptions, workspaceOptions } from '../ahc/workspace.ts';
import type { CommandFile } from '../command.ts';
import { writeFiles } from '../safe-write.ts';
import { harmlessJson } from '../text.ts';

type Options = WorkspaceOptions & { readonly out?: string; readonly force: boolean };

export const ahcReport: CommandFile = {
  define(command: Command) {
    workspaceOptions(
      command
        .argument('[session]', 'its name or id (default: the only one that runs, else the newest)')
        .option(
          '-o, --out <file>',
          'where to (default: report.html in the folder of the session, written anew)',
        )
        .option('--force', 'replace a file that exists', false),
    );
  },
  async run(shell, command) {
    const options = command.opts<Options>();
    const [name] = command.processedArgs as [string?];
    const ahc = await loadAhcSession();
    const workspace = ahc.openWorkspace(questionOf(shell, command));
    const sessions = await sessionsHere(shell, ahc, workspace);
    const place = (await findSession(shell, { ahc, sessions, name }))?.place ?? sessions[0];
    if (!place) throw nothingToReport();
    const seen = await ahc.withStoreOf(place, shell.env, (store) => ahc.seeSession(store, place));
    const file =
      options.out === undefined ? join(place.folder.path, 'report.html') : resolve(shell.folder, options.out);
    const force = options.force || options.out === undefined;
    const mask = ahc.maskOf(shell.env);
    writeFiles([{ path: file, text: mask(reportPage({ ahc, seen })) }], { force });
    if (options.json) shell.out.write(mask(`${harmlessJson({ file, ...reportJson({ ahc, seen }) }, 2)}\n`));
    else shell.out.write(`${file}\n`);
    return exitCodes.ok;
  },
};

function nothingToReport(): UserError {
  return new UserError({
    what: 'There are no sessions here yet.',
    fix: '`polya ahc solve` begins one.',
  });
}
