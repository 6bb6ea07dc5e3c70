/** `polya ahc init`: a workspace for a contest, or what is missing of one. */

import { relative } from 'node:path';
import { type Command, Option } from 'commander';
import type { CommandFile, Shell } from '../../../cli/contract.ts';
import { exitCodes } from '../../../core/errors.ts';
import { asCalled, clip, count, harmless, harmlessJson, oneLine, shellWord } from '../../../text/format.ts';
import type { Paint } from '../../../text/paint.ts';
import { type InitializedWorkspace, type InitOptions, initContest } from '../intake/begin.ts';
import { tellWarnings, together } from '../workspace.ts';

type InitFlags = {
  readonly workspaceRoot?: string;
  readonly from?: readonly string[];
  readonly lang?: 'ja' | 'en';
  readonly site?: string;
  readonly fresh?: boolean;
  readonly iConfirmTheRulesAllowThis?: boolean;
  readonly json?: boolean;
};

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
    const options = command.opts<InitFlags>();
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

function initOptions(shell: Shell, contest: string, options: InitFlags, signal: AbortSignal): InitOptions {
  const { workspaceRoot, from, lang, site, fresh = false } = options;
  return {
    contest,
    folder: shell.folder,
    env: shell.env,
    workspaceRoot,
    from,
    language: lang,
    site,
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

export function tellAhcInit(shell: Shell, report: InitializedWorkspace): void {
  const { contest, written, kept, troubles } = report;
  const { paint } = shell.out;
  const place = relative(shell.folder, report.folder) || '.';
  const write = (line: string) => shell.out.write(`${asCalled(line, shell)}\n`);
  write(`${paint('good', oneLine(contest.title))}  in ${harmless(place)}`);
  for (const [name, value, because, how] of findings(report)) {
    write(`  ${name.padEnd(12)}${oneLine(value)}${grounds(because, how, paint)}`);
    if (how !== '') write(`  ${''.padEnd(12)}${paint('faint', `otherwise: \`polya ahc config ${how}\``)}`);
  }
  write(`  ${'answer'.padEnd(12)}${oneLine(report.firstProgram.words)}`);
  write(`  ${'files'.padEnd(12)}${madeText(written, kept)}`);
  for (const trouble of troubles) {
    const { what, why, fix, isUnfinished } = trouble;
    shell.err.write(
      `${shell.err.paint(isUnfinished ? 'bad' : 'faint', isUnfinished ? 'missing:' : 'note:')} ${harmless(what)}\n`,
    );
    for (const line of [why, fix].filter((each) => each !== undefined)) {
      shell.err.write(`  ${asCalled(harmless(line), shell).replaceAll('\n', '\n    ')}\n`);
    }
  }
  const unfinished = troubles.some(({ isUnfinished }) => isUnfinished);
  if (!unfinished)
    write(
      `Next: ${place === '.' ? '' : `\`cd ${harmless(shellWord(place))}\`, `}read problem/problem.md, write main.cpp, then \`polya ahc test\`.`,
    );
}

/** The sentence, or that there was none: then it is what most contests have. */
function grounds(because: string | null, how: string, paint: Paint): string {
  if (how === '' || /time_limit/.test(how)) return '';
  return paint(
    'faint',
    because === null ? '  (as usual: no sentence says so)' : `  "${clip(oneLine(because), 100)}"`,
  );
}

type FindingLine = readonly [name: string, value: string, because: string | null, correction: string];

function findings({
  contest,
  standing,
  languages,
  samples,
  isBuilt,
  inputs,
}: InitializedWorkspace): FindingLine[] {
  const { direction, scoring, isInteractive, timeLimitSeconds, memoryLimitMegabytes, tools } = contest;
  const time = timeLimitSeconds === null ? 'unknown: 2 s is taken' : `${timeLimitSeconds} s`;
  const memory = memoryLimitMegabytes === null ? 'unknown: 1024 MB is taken' : `${memoryLimitMegabytes} MB`;
  const confirmed = contest.confirmed ? `; you said that its rules allow this` : '';
  const program = [tools?.tester ?? tools?.judge ?? 'nothing scores', isBuilt ? 'built' : 'not built'].join(
    ', ',
  );
  return [
    [
      'contest',
      `${standing}${contest.endsAt ? ` (${standing === 'over' ? 'ended' : 'ends'} ${contest.endsAt})` : ''}${confirmed}`,
      null,
      '',
    ],
    [
      'statement',
      languages.length === 0 ? 'none' : `${languages.join(', ')}; ${count(samples, 'sample')}`,
      null,
      '',
    ],
    ['limits', `${time}, ${memory}`, null, 'contest.time_limit SECONDS'],
    [
      'direction',
      direction.value,
      direction.because,
      `contest.direction ${direction.value === 'maximise' ? 'minimise' : 'maximise'}`,
    ],
    [
      'scoring',
      scoring.value,
      scoring.because,
      `contest.scoring ${scoring.value === 'absolute' ? 'relative' : 'absolute'}`,
    ],
    [
      'interactive',
      isInteractive.value ? 'yes' : 'no',
      isInteractive.because,
      `contest.interactive ${!isInteractive.value}`,
    ],
    ['tools', tools === null ? 'none' : `${tools.binaries.join(', ')} (${program})`, null, ''],
    ['inputs', `${inputs.count} ${inputWords[inputs.how]}`.trim(), null, ''],
  ];
}

const inputWords = {
  there: '',
  generated: 'generated from seeds',
  samples: 'from the samples of the statement',
  none: '',
};

function madeText(written: readonly string[], kept: readonly string[]): string {
  if (written.length === 0) return 'all were there; nothing was changed';
  const those = `${written.length} made`;
  return kept.length === 0 ? those : `${those}, ${kept.length} kept as they were`;
}

export function ahcInitJson(report: InitializedWorkspace) {
  const { id, folder, standing, contest, languages, samples, isBuilt } = report;
  const { inputs, firstProgram, written, kept, troubles, warnings } = report;
  const { how: found, told, cases: tried_on, score, tried, words } = firstProgram;
  const { count: cases, how } = inputs;
  return {
    id,
    folder,
    standing,
    contest,
    languages,
    samples,
    tools: { built: isBuilt },
    inputs: { count: cases, how },
    first_program: { how: found, told, tried_on, score, tried, words },
    written,
    kept,
    troubles: troubles.map(({ what, why, fix, isUnfinished }) => ({ what, why, fix, missing: isUnfinished })),
    warnings,
  };
}
