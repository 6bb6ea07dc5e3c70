/** Every answer of a run and what came of it, for exports. Pure. */
import type { ToolStep } from './tool-steps.ts';

export type SubmissionRecord = {
  readonly call: number;
  readonly at_ms: number;
  readonly part: number | null;
  readonly answer: string;
  readonly verdict: string;
  /** `site`, `local` or `memory`; null where the call was no submission: bad arguments, broken off. */
  readonly source: string | null;
  readonly waited_seconds: number;
  /** What the model was told. */
  readonly told: string;
  /** The site's page as it came; null where nothing was sent. */
  readonly raw_reply: string | null;
};

export function submissionsOf(steps: readonly ToolStep[]): SubmissionRecord[] {
  return steps.filter(({ tool }) => tool === 'SubmitAnswer').map(submissionOf);
}

function submissionOf({ number, atMs, stage, args, end }: ToolStep): SubmissionRecord {
  const data = end.status === 'ok' ? end.data : {};
  const waitedMs = typeof data.waitedMs === 'number' ? data.waitedMs : 0;
  return {
    call: number,
    at_ms: atMs,
    part: stage === 'part1' ? 1 : stage === 'part2' ? 2 : null,
    answer: typeof args.answer === 'string' ? args.answer : '',
    verdict: typeof data.verdict === 'string' ? data.verdict : end.status === 'ok' ? 'mistake' : end.status,
    source: typeof data.source === 'string' ? data.source : null,
    waited_seconds: waitedMs / 1000,
    told: 'text' in end ? end.text : '',
    raw_reply: typeof data.rawReply === 'string' ? data.rawReply : null,
  };
}
