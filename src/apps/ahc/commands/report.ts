/** `polya ahc report`: a session as one page that opens anywhere, with its pictures in it. */
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { CommandFile } from '../../../cli/contract.ts';
import { writeFiles } from '../../../cli/safe-write.ts';
import { exitCodes, UserError } from '../../../core/errors.ts';
import { harmlessJson } from '../../../text/format.ts';
import { maskOf } from '../session/log.ts';
import { lookForSession, seeSession, withStoreOf } from '../session/look.ts';
import { reportOf, reportPage } from '../session/report.ts';
import { type WorkspaceOptions, workspaceOptions } from '../workspace.ts';

type ReportOptions = WorkspaceOptions & { readonly out?: string; readonly force: boolean };

export const ahcReport: CommandFile = {
  isReport: true,
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
    const { out, force, json } = command.opts<ReportOptions>();
    const [name] = command.processedArgs as [string?];
    const { found, sessions } = await lookForSession(shell, command, name);
    const place = found?.place ?? sessions[0];
    if (!place) {
      const what = 'There are no sessions here yet.';
      throw new UserError({ code: 'nothing-to-report', what, fix: '`polya ahc solve` begins one.' });
    }
    const report = reportOf(await withStoreOf(place, shell.env, (store) => seeSession(store, place)));
    const file = out === undefined ? join(place.folder.path, 'report.html') : resolve(shell.folder, out);
    const mask = maskOf(shell.env);
    writeFiles([{ path: file, text: mask(reportPage(report)) }], { force: force || out === undefined });
    shell.out.write(json ? mask(`${harmlessJson({ file, ...report.json }, 2)}\n`) : `${file}\n`);
    return exitCodes.ok;
  },
};
