/** `polya ahc report`: a session as the page in one file that opens anywhere, as `polya view --export` writes it. */
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { CommandFile } from '../../../cli/contract.ts';
import { writeFiles } from '../../../cli/safe-write.ts';
import { copyOptions } from '../../../cli/viewing.ts';
import { exitCodes, UserError } from '../../../core/errors.ts';
import { copyOfRuns } from '../../../server/copy.ts';
import { escapedJson } from '../../../text/format.ts';
import { maskOf } from '../session/log.ts';
import { lookForSession, seeSession, withJournalsOf } from '../session/look.ts';
import { reportJson } from '../session/report.ts';
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
    if (!place) throw nothingToReport('There are no sessions here yet.');
    const mask = maskOf(shell.env);
    const { seen, page } = await withJournalsOf(place, shell.env, async (polya) => {
      const { store } = polya.world;
      const runs = await Promise.all(place.runs.map((id) => store.get(id)));
      const rows = runs.filter((row) => row !== null);
      if (rows.length === 0) throw nothingToReport(`The session ${place.name} has no run yet.`);
      return {
        seen: await seeSession(store, place),
        page: await copyOfRuns({ ...copyOptions(shell, polya, { withPuzzle: false }), mask }, rows),
      };
    });
    const file = out === undefined ? join(place.folder.path, 'report.html') : resolve(shell.folder, out);
    writeFiles([{ path: file, text: page }], { force: force || out === undefined });
    shell.out.write(json ? mask(`${escapedJson({ file, ...reportJson(seen) }, 2)}\n`) : `${file}\n`);
    return exitCodes.ok;
  },
};

function nothingToReport(what: string): UserError {
  return new UserError({ code: 'nothing-to-report', what, fix: '`polya ahc solve` begins one.' });
}
