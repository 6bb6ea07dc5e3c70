/**
 * A run as files: metrics as JSON and CSV, every event as JSON, a report, every version of the code, every submission.
 * Pure: it returns file names and texts, and its caller writes them.
 */
import type { Event, Header } from '../../core/event.ts';
import { foldRun } from '../../core/fold.ts';
import { unsafeLabel } from '../../core/sandbox.ts';
import { programNameIn } from './arguments.ts';
import { errorTypes, failures } from './failure.ts';
import { type AocMetrics, aocMetrics, metricsCsv } from './metrics.ts';
import { createPuzzleRedactor } from './redact.ts';
import { type ToolStep, toolStepsOf } from './tool-steps.ts';
import { partOneOf } from './tools.ts';

export type ExportOptions = {
  /** Keeps the statement and the input; otherwise their hashes replace them. */
  readonly withPuzzle: boolean;
  hashText(text: string): string;
};

/** Relative path → text. */
export type ExportedFiles = Readonly<Record<string, string>>;

/** Null where the events are not of an Advent of Code run. */
export function exportRun(events: readonly Event[], options: ExportOptions): ExportedFiles | null {
  const metrics = aocMetrics(events);
  const { header } = foldRun(events);
  if (!metrics || !header) return null;
  const visible = options.withPuzzle ? events : createPuzzleRedactor(events, options.hashText)(events);
  const steps = toolStepsOf(visible);
  const codes = codeVersionsOf(header, steps);
  return {
    'metrics.json': json(metrics),
    'metrics.csv': metricsCsv([metrics]),
    'run.json': json({
      metrics,
      polya: header.codeVersion,
      with_puzzle: options.withPuzzle,
      statement_hash: options.hashText(partOneOf(header.problem)),
      input_hash: header.problem.detail.inputHash ?? null,
      events: visible,
    }),
    'report.md': reportOf(metrics, header, steps, codes),
    'submissions.json': json(collectSubmissions(steps)),
    ...Object.fromEntries(codes.map(({ file, source }) => [file, source])),
  };
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function reportOf(
  metrics: AocMetrics,
  header: Header,
  steps: readonly ToolStep[],
  codes: readonly CodeVersion[],
): string {
  const { toolchain, level, model, model_kind: kind } = metrics;
  const facts = {
    puzzle: `day ${metrics.day} of ${metrics.year}, site ${metrics.site}, in ${metrics.lang}`,
    // Who reads the result must see that no model was asked, where that is so.
    model: kind === 'live' ? model : `${model} (${kind}: no model was asked)`,
    toolchain: level ? `${toolchain} (${level})` : toolchain,
    sandbox: unsafeLabel(header.sandbox) ?? metrics.sandbox,
    outcome: metrics.outcome ?? 'no end yet',
    cost: metrics.cost_usd === null ? 'unknown' : `${metrics.cost_usd} USD`,
    reminders: String(metrics.reminders),
  };
  return [
    `# Run ${metrics.run_id}: ${header.problem.title}`,
    Object.entries(facts)
      .map(([name, entry]) => `- ${name}: ${oneCell(entry)}`)
      .join('\n'),
    '## The parts',
    partsTable(metrics),
    '## The calls',
    table(['#', 'part', 'tool', 'result'], steps.map(stepRow)),
    '## The submissions',
    table(
      ['call', 'part', 'answer', 'verdict', 'source', 'waited'],
      collectSubmissions(steps).map(submissionRow),
    ),
    '## The code',
    ...codes.map(codeSection),
  ].join('\n\n');
}

function partsTable(metrics: AocMetrics): string {
  const { error_type_part1: cause1, error_type_part2: cause2 } = metrics;
  const { last_failure_part1: failure1, last_failure_part2: failure2 } = metrics;
  const columns = cause2 === 'no_such_part' ? 2 : 3;
  return table(
    ['', 'part 1', 'part 2'].slice(0, columns),
    [
      ['solved', metrics.success_part1 ? 'yes' : 'no', metrics.success_part2 ? 'yes' : 'no'],
      ['why not', cause1 ? errorTypes[cause1] : '', cause2 ? errorTypes[cause2] : ''],
      ['last failure', failure1 ? failures[failure1] : '', failure2 ? failures[failure2] : ''],
      ['time', `${metrics.time_spent_part1} s`, `${metrics.time_spent_part2} s`],
      ['waited for the site', `${metrics.waited_seconds_part1} s`, `${metrics.waited_seconds_part2} s`],
      ['tokens', `${metrics.tokens_used_part1 ?? 'unknown'}`, `${metrics.tokens_used_part2 ?? 'unknown'}`],
      ['tool calls', calls(metrics.tool_call_counts_part1), calls(metrics.tool_call_counts_part2)],
    ].map((row) => row.slice(0, columns)),
  );
}

function stepRow({ number, stage, tool, end }: ToolStep): string[] {
  const text = 'text' in end ? (end.text.split('\n')[0] ?? '') : end.status;
  return [String(number), stage, tool, text.slice(0, 120)];
}

function submissionRow(record: SubmissionRecord): string[] {
  const { call, part, answer, verdict, source, waited_seconds: waitMs } = record;
  return [String(call), String(part ?? ''), answer, verdict, source ?? '', `${waitMs} s`];
}

function codeSection({ file, step, source }: CodeVersion): string {
  // A fence must be longer than any in the code.
  const maxLength = Math.max(2, ...[...source.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(maxLength + 1);
  return `### ${file} (call ${step.number})\n\n${fence}\n${source.trimEnd()}\n${fence}\n`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(oneCell).join(' | ')} |`;
  if (rows.length === 0) return 'None.';
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n');
}

function oneCell(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|').trim();
}

function calls(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, number]) => `${name} ${number}`)
    .join(', ');
}

type CodeVersion = { readonly file: string; readonly step: ToolStep; readonly source: string };

/** A program that is run again, over another input, is no new version. */
function codeVersionsOf(header: Header, steps: readonly ToolStep[]): CodeVersion[] {
  const { sandbox, problem } = header;
  const toolchain = sandbox?.toolchains.find(({ language }) => language === problem.reference.lang);
  const extension = /\.(\w+)$/.exec(toolchain?.sourceFile ?? '')?.[1] ?? 'txt';
  const seen = new Set<string>();
  return steps.flatMap((step): CodeVersion[] => {
    const { code } = step.args;
    if (step.tool !== 'RunGeneratedCode' || typeof code !== 'string' || seen.has(code)) return [];
    if (programNameIn(code) !== null) return [];
    seen.add(code);
    const number = String(seen.size).padStart(3, '0');
    return [{ file: `code/${number}-${step.stage || 'after'}.${extension}`, step, source: code }];
  });
}

type SubmissionRecord = ReturnType<typeof submissionOf>;

function collectSubmissions(steps: readonly ToolStep[]): readonly SubmissionRecord[] {
  return steps.filter(({ tool }) => tool === 'SubmitAnswer').map(submissionOf);
}

function submissionOf({ number, atMs, stage, args, end }: ToolStep) {
  const data = end.status === 'ok' ? end.data : {};
  const elapsedWaitMs = typeof data.waitedMs === 'number' ? data.waitedMs : 0;
  return {
    call: number,
    at_ms: atMs,
    part: stage === 'part1' ? 1 : stage === 'part2' ? 2 : null,
    answer: String(data.answer ?? args.answer ?? ''),
    verdict: typeof data.verdict === 'string' ? data.verdict : end.status === 'ok' ? 'mistake' : end.status,
    /** `site`, `local` or `memory`; null where the call was no submission: bad arguments, broken off. */
    source: typeof data.source === 'string' ? data.source : null,
    waited_seconds: elapsedWaitMs / 1000,
    /** What the model was told. */
    told: 'text' in end ? end.text : '',
    /** The site's page as it came; null where nothing was sent. */
    raw_reply: typeof data.rawReply === 'string' ? data.rawReply : null,
  };
}
