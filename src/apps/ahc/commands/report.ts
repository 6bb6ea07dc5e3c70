/** `polya ahc report`: a session as one page that opens anywhere, with its pictures in it. */

import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { CommandFile } from '../../../cli/contract.ts';
import { writeFiles } from '../../../cli/safe-write.ts';
import { exitCodes, UserError } from '../../../core/errors.ts';
import { harmlessJson } from '../../../text/format.ts';
import { reportPage } from '../report/page.ts';
import { reportJson, reportOf } from '../report/report.ts';
import { lookForSession } from '../session/find.ts';
import { maskOf } from '../session/log.ts';
import { seeSession, withStoreOf } from '../session/look.ts';
import { type WorkspaceOptions, workspaceOptions } from '../workspace.ts';

type ReportOptions = WorkspaceOptions & { readonly out?: string; readonly force: boolean };

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
    const options = command.opts<ReportOptions>();
    const [name] = command.processedArgs as [string?];
    const { found, sessions } = await lookForSession(shell, command, name);
    const place = found?.place ?? sessions[0];
    if (!place) throw nothingToReport();
    const seen = await withStoreOf(place, shell.env, (store) => seeSession(store, place));
    const file =
      options.out === undefined ? join(place.folder.path, 'report.html') : resolve(shell.folder, options.out);
    const force = options.force || options.out === undefined;
    const mask = maskOf(shell.env);
    const report = reportOf(seen);
    writeFiles([{ path: file, text: mask(reportPage(report)) }], { force });
    if (options.json) shell.out.write(mask(`${harmlessJson({ file, ...reportJson(report) }, 2)}\n`));
    else shell.out.write(`${file}\n`);
    return exitCodes.ok;
  },
};

function nothingToReport(): UserError {
  return new UserError({
    code: 'nothing-to-report',
    what: 'There are no sessions here yet.',
    fix: '`polya ahc solve` begins one.',
  });
}
