/** `polya aoc practice`: the practice site for people, in a browser, until Ctrl-C. */
import type { Command } from 'commander';
import type { CommandFile } from '../../../cli/contract.ts';
import { interrupted } from '../../../cli/drive.ts';
import { addOptions } from '../../../cli/options.ts';
import { exitCodes } from '../../../core/errors.ts';
import { servePractice } from '../../../open/families/aoc.ts';
import { escapedJson } from '../../../text/format.ts';
import listed from '../options.json' with { type: 'json' };

type Options = {
  readonly port?: number;
  readonly cooldown: number;
  readonly user?: string;
  readonly seed?: number;
  readonly json?: boolean;
};

export const aocPractice: CommandFile = {
  define: (command: Command) => addOptions(command, listed.practice),
  async run(shell, command) {
    const { json, cooldown, port, user, seed } = command.opts<Options>();
    const site = await servePractice({
      folder: shell.folder,
      env: shell.env,
      practiceCooldownMs: cooldown * 1_000,
      port,
      user,
      seed,
    });
    try {
      const end = interrupted(shell);
      const { url, loginUrl } = site;
      if (json) shell.out.write(`${escapedJson({ url, loginUrl }, 2)}\n`);
      else shell.out.write(`The practice site is at ${url}\nLog in there with  ${loginUrl}\n`);
      shell.err.write('Ctrl-C ends it; what was solved stays.\n');
      await end;
    } finally {
      await site.close();
    }
    return exitCodes.ok;
  },
};
