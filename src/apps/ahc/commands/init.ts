/** `polya ahc init`: a workspace for a contest, or what is missing of one. */
import { type Command, Option } from 'commander';
import type { CommandFile, Shell } from '../../../cli/contract.ts';
import { exitCodes } from '../../../core/errors.ts';
import { harmlessJson, oneLine } from '../../../text/format.ts';
import { ahcInitJson, tellAhcInit } from '../init-report.ts';
import { type InitOptions, initContest } from '../load/init.ts';
import { tellWarnings } from '../workspace.ts';

type Options = {
  readonly workspaceRoot?: string;
  readonly from?: readonly string[];
  readonly lang?: 'ja' | 'en';
  readonly site?: string;
  readonly fresh?: boolean;
  readonly iConfirmTheRulesAllowThis?: boolean;
  readonly json?: boolean;
};

const together = (value: string, before: readonly string[] = []) => [...before, value];

export const ahcInit: CommandFile = {
  define(command: Command) {
    command
      .argument('<contest>', 'its id, as ahc030, or the address of its page')
      .option(
        '--workspace-root <path>',
        'where workspaces are made (default: workspace.base_dir, ./workspace)',
      )
      .addOption(
        new Option(
          '--from <path>',
          'without network: a folder, a saved page, an archive of the tools; may be repeated',
        ).argParser(together),
      )
      .addOption(
        new Option('--lang <language>', 'the statement in problem.md (default: as LANG says)').choices([
          'ja',
          'en',
        ]),
      )
      .option('--site <url>', 'another site in the place of AtCoder: HTTPS, or a test site on this machine')
      .option('--fresh', 'ask for everything again; what is replaced is put aside')
      .option(
        '--i-confirm-the-rules-allow-this',
        'you have read the rules of a contest that may be running, and they allow this',
      )
      .option('--json', 'print it as JSON')
      .addHelpText(
        'after',
        '\nRunning it again repairs what is missing and changes nothing else.\nExamples:\n  polya ahc init ahc030\n  polya ahc init polya001\n  polya ahc init ahc030 --from page.html --from tools.zip',
      );
  },
  async run(shell, command) {
    const options = command.opts<Options>();
    const abort = new AbortController();
    const release = shell.onInterrupt(() => abort.abort(new Error('interrupted')));
    try {
      const report = await initContest(initOptions(shell, command.args[0] ?? '', options, abort.signal));
      tellWarnings(shell, report.warnings);
      if (options.json) shell.out.write(`${harmlessJson(ahcInitJson(report), 2)}\n`);
      else tellAhcInit(shell, report);
      return report.troubles.some(({ isUnfinished }) => isUnfinished) ? exitCodes.unavailable : exitCodes.ok;
    } catch (error) {
      if (!abort.signal.aborted) throw error;
      shell.err.write('Stopped. Run the same again: it goes on where it was.\n');
      return exitCodes.cancelled;
    } finally {
      release();
    }
  },
};

function initOptions(shell: Shell, contest: string, options: Options, signal: AbortSignal): InitOptions {
  const { workspaceRoot, from, lang, site, fresh = false } = options;
  return {
    contest,
    folder: shell.folder,
    env: shell.env,
    ...(workspaceRoot === undefined ? {} : { workspaceRoot }),
    ...(from === undefined ? {} : { from }),
    ...(lang === undefined ? {} : { language: lang }),
    ...(site === undefined ? {} : { site }),
    isFresh: fresh,
    confirm: async (standing, endsAt) =>
      Boolean(options.iConfirmTheRulesAllowThis) || asked(shell, standing, endsAt),
    onProgress: (line) => shell.err.write(`${oneLine(line)} …\n`),
    signal,
  };
}

const questions = {
  running: 'The contest is running.',
  'not-begun': 'The contest has not begun.',
  unknown: 'Nobody says whether the contest is over.',
};

/** Only of a person; a program has the option. */
async function asked(
  shell: Shell,
  standing: keyof typeof questions,
  endsAt: string | null,
): Promise<boolean> {
  if (!shell.isInteractive) return false;
  const until = endsAt === null ? '' : ` It ends ${endsAt}.`;
  return shell.confirm(
    `${questions[standing]}${until} Have you read its rules, and do they allow this?`,
    false,
  );
}
