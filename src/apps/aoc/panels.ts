/** A day of Advent of Code on the page, part by part: programs, answers handed in, and what each cost. Pure. */
import type { Event } from '../../core/event.ts';
import { foldRun, type RunView, type StageView } from '../../core/fold.ts';
import { totalTokens } from '../../core/usage.ts';
import { type AocMetrics, aocMetrics } from '../../families/aoc/metrics.ts';
import { type ToolStep, toolStepsOf } from '../../families/aoc/tool-steps.ts';
import { answerLine } from '../../notes/answer.ts';
import type { Block, Panel } from '../../notes/panel.ts';
import { count, duration, grouped, oneLine } from '../../text/format.ts';
import { text } from '../../text/json.ts';
import { toolCallsOf } from '../../text/labels.ts';

export function panels(events: readonly Event[]): readonly Panel[] {
  const metrics = aocMetrics(events);
  const view = foldRun(events);
  const { header, totals } = view;
  if (!metrics || !header) return [];
  const steps = toolStepsOf(events);
  const parts = ([1, 2] as const).filter((part) => header.problem.stages.includes(`part${part}`));
  const { toolCalls } = header.limits;
  const used = `${toolCallsOf(totals)}${toolCalls === undefined ? '' : ` of ${toolCalls}`} tool calls`;
  const { language, toolchain } = { language: metrics.lang, toolchain: metrics.toolchain };
  return [
    {
      title: parts.length > 1 ? 'Parts' : 'Part',
      sentence: `${sentenceOf(parts, metrics, view)} ${used} were spent.`,
      blocks: [
        {
          kind: 'facts',
          facts: [
            { label: 'site', value: metrics.site },
            { label: 'language', value: oneLine(`${language} ${toolchain && `(${toolchain})`}`) },
            { label: 'reminders', value: String(metrics.reminders) },
          ],
        },
        ...parts.map((part) => {
          const stage = view.stages.find((each) => each.stage === `part${part}`);
          const own = steps.filter((step) => step.stage === `part${part}`);
          return partBlock(part, { metrics, stage, steps: own });
        }),
      ],
    },
  ];
}

type Part = 1 | 2;

function isSolved(metrics: AocMetrics, part: Part): boolean {
  return part === 1 ? metrics.success_part1 : metrics.success_part2;
}

function sentenceOf(parts: readonly Part[], metrics: AocMetrics, { end }: RunView): string {
  const answer = answerLine(end);
  if (end?.outcome === 'answered') return `Answered, not judged: ${answer}`;
  const open = parts.find((part) => !isSolved(metrics, part));
  if (open === undefined) return parts.length > 1 ? 'Both parts are solved.' : 'The part is solved.';
  const before = open === 2 ? 'Part 1 is solved, ' : '';
  const part = open === 2 ? 'part 2' : 'Part 1';
  if (!end) return `${before}${part} is being worked on.`;
  return `${before}${part} is not: ${whyNot(metrics, open)}.`;
}

function whyNot(metrics: AocMetrics, part: Part): string {
  const cause = part === 1 ? metrics.error_type_part1 : metrics.error_type_part2;
  const last = part === 1 ? metrics.last_failure_part1 : metrics.last_failure_part2;
  return [cause, last].filter(Boolean).join(', ').replaceAll('_', ' ');
}

type Place = {
  readonly metrics: AocMetrics;
  readonly stage: StageView | undefined;
  readonly steps: readonly ToolStep[];
};

function partBlock(part: Part, { metrics, stage, steps }: Place): Block {
  const solved = isSolved(metrics, part);
  const programs = steps.filter(({ tool }) => tool === 'RunGeneratedCode');
  const estimates = steps.filter(({ tool }) => tool === 'SubmitAnswer');
  const waitMs = part === 1 ? metrics.waited_seconds_part1 : metrics.waited_seconds_part2;
  const text = stage ? (solved ? 'solved' : stage.isDone ? 'done' : whyNot(metrics, part)) : 'not begun';
  const entries = stage
    ? [
        { label: 'tool calls', value: String(steps.length) },
        { label: 'tokens', value: tokensOf(stage) },
        { label: 'took', value: duration(stage.aliveMs) },
        ...(waitMs > 0 ? [{ label: 'of it waiting for the site', value: duration(waitMs * 1_000) }] : []),
      ]
    : [];
  return {
    kind: 'part',
    title: `Part ${part}`,
    about: `${text}; ${count(programs.length, 'program')}, ${count(estimates.length, 'answer')} handed in`,
    ...(stage ? { tone: solved ? 'good' : 'bad' } : {}),
    blocks: [
      { kind: 'facts', facts: entries },
      {
        kind: 'table',
        title: 'Tool calls',
        columns: [
          { title: '#', isNumber: true },
          { title: 'tool' },
          { title: 'answer' },
          { title: 'came to' },
        ],
        rows: steps.map((step) => ({
          cells: [String(step.number), step.tool, answerOf(step), resultOf(step)],
          seq: step.seq,
          ...(toneOf(step) ? { tone: toneOf(step) } : {}),
        })),
      },
      ...programs.map(programBlock),
    ],
  };
}

function tokensOf({ totals: { tokens, callsOfUnknownTokens } }: StageView): string {
  return callsOfUnknownTokens > 0 ? 'unknown' : grouped(totalTokens(tokens));
}

/** As it was handed in; what the model wrote may be a number or stand in words. */
function answerOf({ end, args }: ToolStep): string {
  return oneLine((end.status === 'ok' ? text(end.data, 'answer') : '') || text(args, 'answer'));
}

/** In a word or two; whole in the event. A program is told by the line that its model was told first. */
function resultOf({ tool, end }: ToolStep): string {
  if (end.status === 'error') return oneLine(end.text);
  if (end.status !== 'ok') return end.status === 'open' ? 'at work' : end.status;
  if (tool === 'RunGeneratedCode') return oneLine(end.text.split('\n')[0] ?? '');
  return oneLine(text(end.data, 'verdict').replaceAll('-', ' ') || (end.isError ? 'failed' : 'done'));
}

function toneOf({ tool, end }: ToolStep): 'good' | 'bad' | undefined {
  if (end.status === 'open') return undefined;
  if (end.status !== 'ok' || end.isError) return 'bad';
  if (tool !== 'SubmitAnswer') return tool === 'RunGeneratedCode' ? 'good' : undefined;
  return end.data.verdict === 'right' ? 'good' : 'bad';
}

function programBlock(step: ToolStep): Block {
  const { number, seq, args, end } = step;
  const tone = toneOf(step);
  return {
    kind: 'part',
    title: `Program of call ${number}`,
    about: resultOf(step),
    seq,
    ...(tone ? { tone } : {}),
    isFolded: true,
    blocks: [
      { kind: 'code', title: 'Program', text: text(args, 'code') },
      ...(end.status === 'ok' ? [{ kind: 'code', title: 'What it came to', text: end.text } as const] : []),
    ],
  };
}
