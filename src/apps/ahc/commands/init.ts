/** `polya ahc init`: a workspace for a contest, or what is missing of one. */
import { relative } from 'node:path';
import { type Command, Option } from 'commander';
import type { CommandFile, Shell } from '../../../cli/contract.ts';
import { collectRepeated } from '../../../cli/options.ts';
import { exitCodes } from '../../../core/errors.ts';
import { asCalled, count, oneLine, shellWord, truncate } from '../../../text/format.ts';
import { type InitOptions, type InitReport, initContest } from '../intake/init.ts';
import type { TemplateReport } from '../intake/template.ts';
import { tellJson, tellWarnings, withHelp } from '../workspace.ts';

type InitFlags = {
  readonly workspaceRoot?: string;
  readonly from?: readonly string[];
  readonly lang?: 'ja' | 'en';
  readonly site?: string;
  readonly template?: string;
  readonly fresh?: boolean;
  readonly iConfirmTheRulesAllowThis?: boolean;
  readonly json?: boolean;
};

export const ahcInit: CommandFile = {
  define(command: Command) {
    const lang = new Option('--lang <language>', 'the statement in problem.md (default: as LANG says)');
    withHelp(command, 'init')
      .argument('<contest>', 'its id, as ahc030, or the address of its page')
      .option(
        '--workspace-root <path>',
        'where workspaces are made (default: workspace.base_dir, ./workspace)',
      )
      .option(
        '--from <path>',
        'without network: a folder, a saved page, an archive of the tools; may be repeated',
        collectRepeated,
      )
      .addOption(lang.choices(['ja', 'en']))
      .option('--template <file>', 'a program in C++: main.cpp begins as it')
      .option('--site <url>', 'another site in the place of AtCoder: HTTPS, or a test site on this machine')
      .option('--fresh', 'ask for everything again; what is replaced is put aside')
      .option(
        '--i-confirm-the-rules-allow-this',
        'you have read the rules of a contest that may be running, and they allow this',
      )
      .option('--json', 'print it as JSON');
  },
  async run(shell, command) {
    const options = command.opts<InitFlags>();
    const abort = new AbortController();
    const release = shell.onInterrupt(() => abort.abort(new Error('interrupted')));
    try {
      const report = await initContest(initOptions(shell, command.args[0] ?? '', options, abort.signal));
      tellWarnings(shell, report.warnings);
      if (options.json) tellJson(shell, ahcInitJson(report));
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
  const { workspaceRoot, from, lang, site, template, fresh, iConfirmTheRulesAllowThis = false } = options;
  return {
    contest,
    folder: shell.folder,
    env: shell.env,
    workspaceRoot,
    from,
    language: lang,
    site,
    template,
    isFresh: fresh,
    // A person is asked; a program has the option.
    confirm: async (standing, endsAt) => {
      if (iConfirmTheRulesAllowThis || !shell.isInteractive) return iConfirmTheRulesAllowThis;
      const until = endsAt === null ? '' : ` It ends ${endsAt}.`;
      const question = `${standings[standing]}${until} Have you read its rules, and do they allow this?`;
      return shell.confirm(question, false);
    },
    onProgress: (line) => shell.err.write(`${oneLine(line)} …\n`),
    signal,
  };
}

const standings = {
  running: 'The contest is running.',
  'not-begun': 'The contest has not begun.',
  unknown: 'It is not known whether the contest is over.',
};

function tellAhcInit(shell: Shell, report: InitReport): void {
  const { contest, written, kept, troubles } = report;
  const { paint } = shell.out;
  const place = relative(shell.folder, report.folder) || '.';
  const write = (line: string) => shell.out.write(`${asCalled(line, shell)}\n`);
  const tell = (name: string, text: string) => write(`  ${name.padEnd(12)}${text}`);
  write(`${paint('good', oneLine(contest.title))}  in ${place}`);
  for (const [name, value, correction, cause] of findings(report)) {
    const grounds =
      cause === null ? '(as usual: no sentence says so)' : `"${truncate(oneLine(cause ?? ''), 100)}"`;
    tell(name, `${oneLine(value)}${cause === undefined ? '' : paint('faint', `  ${grounds}`)}`);
    if (correction) tell('', paint('faint', `otherwise: \`polya ahc config ${correction}\``));
  }
  if (report.template) tell('template', templateText(report.template));
  tell('files', madeText(written, kept));
  for (const { what, why, fix, isUnfinished } of troubles) {
    const label = isUnfinished ? shell.err.paint('bad', 'missing:') : shell.err.paint('faint', 'note:');
    shell.err.write(`${label} ${what}\n`);
    for (const line of [why, fix].filter((each) => each !== undefined)) {
      shell.err.write(`  ${asCalled(line, shell).replaceAll('\n', '\n    ')}\n`);
    }
  }
  if (troubles.some(({ isUnfinished }) => isUnfinished)) return;
  const enter = place === '.' ? '' : `\`cd ${shellWord(place)}\`, `;
  const next = report.template?.isMain ? 'change' : 'write';
  write(`Next: ${enter}read problem/problem.md, ${next} main.cpp, then \`polya ahc test\`.`);
}

/** `because`: the sentence; null where there was none, and the value is what most contests have. */
type FindingLine = readonly [name: string, value: string, correction?: string, because?: string | null];

function findings(report: InitReport): FindingLine[] {
  const { contest, standing, languages, samples, isBuilt, inputs } = report;
  const { direction, scoring, isInteractive, timeLimitSeconds, memoryLimitMegabytes, tools } = contest;
  const known = report.dayOfPast === null ? '' : ` (as Polya's own database knows: ${report.dayOfPast})`;
  const end = contest.endsAt ? ` (${standing === 'over' ? 'ended' : 'ends'} ${contest.endsAt})` : known;
  const confirmed = contest.confirmed ? `; you said that its rules allow this` : '';
  const time = timeLimitSeconds === null ? 'unknown: 2 s is taken' : `${timeLimitSeconds} s`;
  const memory = memoryLimitMegabytes === null ? 'unknown: 1024 MB is taken' : `${memoryLimitMegabytes} MB`;
  const scorer = `${tools?.tester ?? tools?.judge ?? 'nothing scores'}, ${isBuilt ? 'built' : 'not built'}`;
  const interactive = isInteractive.value ? 'yes' : 'no';
  const otherDirection = direction.value === 'maximise' ? 'minimise' : 'maximise';
  const otherScoring = scoring.value === 'absolute' ? 'relative' : 'absolute';
  return [
    ['contest', `${standing}${end}${confirmed}`],
    ['statement', languages.length === 0 ? 'none' : `${languages.join(', ')}; ${count(samples, 'sample')}`],
    ['limits', `${time}, ${memory}`, 'contest.time_limit SECONDS'],
    ['direction', direction.value, `contest.direction ${otherDirection}`, direction.because],
    ['scoring', scoring.value, `contest.scoring ${otherScoring}`, scoring.because],
    ['interactive', interactive, `contest.interactive ${!isInteractive.value}`, isInteractive.because],
    ['tools', tools === null ? 'none' : `${tools.binaries.join(', ')} (${scorer})`],
    ['inputs', `${inputs.count} ${inputWords[inputs.how]}`.trim()],
  ];
}

const inputWords = {
  there: '',
  generated: 'generated from seeds',
  samples: 'from the samples of the statement',
  none: '',
};

function templateText({ file, isMain }: TemplateReport): string {
  const what = isMain ? 'main.cpp begins as it' : 'main.cpp is your own work and stays as it was';
  return `${oneLine(file)}: ${what}`;
}

function madeText(outputs: readonly string[], kept: readonly string[]): string {
  if (outputs.length === 0) return 'all were there; nothing was changed';
  const those = `${outputs.length} made`;
  return kept.length === 0 ? those : `${those}, ${kept.length} kept as they were`;
}

function ahcInitJson(report: InitReport) {
  const { id, folder, standing, contest, languages, samples, isBuilt } = report;
  const { inputs, template, written, kept, troubles, warnings } = report;
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
    template: template && { file: template.file, is_main: template.isMain },
    written,
    kept,
    troubles: troubles.map(({ what, why, fix, isUnfinished }) => ({ what, why, fix, missing: isUnfinished })),
    warnings,
  };
}
