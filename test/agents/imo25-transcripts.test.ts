/**
 * Faithfulness: fed what real models answered in the published runs of the IMO 2025 agent, reply by reply, the loop
 * makes the same decisions. A call failed where the log has none; nothing here knows a file by its name.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verifyLoop } from '../../src/agents/verify-loop.ts';
import type { Agent } from '../../src/core/agent.ts';
import type { Event } from '../../src/core/event.ts';
import type { Model, ModelReply } from '../../src/core/model.ts';
import { startRun } from '../../src/run/start.ts';
import { temporaryFolder } from '../support/odd.ts';
import { dataFolder } from '../support/shared-data.ts';
import { toyRun } from '../support/toy-run.ts';
import { eventsOf, toyWorld } from '../support/world.ts';

type Line =
  | { event: 'run_start'; run: number }
  | {
      event: 'first_solution' | 'corrected_solution' | 'verification' | 'verdict' | 'bug_report';
      text: string;
    }
  | { event: 'counters'; iteration: number; corrects: number; errors: number }
  | { event: 'end'; lines: readonly string[] };

const folder = process.env.POLYA_IMO_TRANSCRIPTS ?? join(dataFolder(), 'imo25-transcripts');
const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.jsonl')) : [];

test('the transcripts are there', () => {
  expect(files.length, `no *.jsonl in ${folder}`).toBeGreaterThan(0);
});

function linesOf(file: string): readonly Line[] {
  const text = readFileSync(join(folder, file), 'utf8');
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

const asked: Readonly<Record<string, readonly Line['event'][]>> = {
  solver: ['first_solution', 'corrected_solution'],
  grader: ['verification'],
  judge: ['verdict'],
};

/** Hands out the replies in order. What is asked for and is not the next reply of the log had failed. */
function feed(lines: readonly Line[]): { model: Model; beginIteration(): void } {
  let at = 0;
  const skip = (events: readonly Line['event'][]) => {
    for (let line = lines[at]; line && events.includes(line.event); line = lines[at]) at += 1;
  };
  const next = (role: string): string | null => {
    skip(['run_start', 'bug_report']);
    const line = lines[at];
    if (!line || !('text' in line) || !asked[role]?.includes(line.event)) return null;
    at += 1;
    return line.text;
  };
  const model: Model = {
    id: 'test/imo25',
    kind: 'recording',
    takes: { images: false, tools: false },
    price: { inputUsdPerMillion: 0, cachedInputUsdPerMillion: 0, outputUsdPerMillion: 0 },
    async generate(_request, { role }): Promise<ModelReply> {
      const text = next(role);
      if (text === null) {
        const error = {
          kind: 'other',
          message: `The log has no reply for ${role} here.`,
          retryable: false,
        } as const;
        return { ok: false, error, usage: null };
      }
      const tokens = { input: 1, cachedInput: 0, output: 1, reasoning: 0 };
      const content = [{ type: 'text' as const, text }];
      return {
        ok: true,
        message: { role: 'assistant', content },
        finish: 'stop',
        usage: { tokens, costUsd: 0 },
      };
    },
  };
  const beginIteration = () => {
    skip(['bug_report']);
    if (lines[at]?.event === 'counters') at += 1;
  };
  return { model, beginIteration };
}

/** What a loop decided: its counters at the start of each iteration, its reports, where it began anew, its end. */
function decisionsOf(lines: readonly Line[]): string[] {
  return lines.flatMap((line) => {
    if (line.event === 'run_start') return [`attempt ${line.run + 1}`];
    if (line.event === 'counters')
      return [`${line.iteration}: ${line.corrects} passes, ${line.errors} failures`];
    if (line.event === 'bug_report') return [`report: ${line.text.trim()}`];
    if (line.event === 'end')
      return [line.lines.some((said) => /correct solution/i.test(said)) ? 'accepted' : 'given up'];
    return [];
  });
}

test.each(files)('%s: the same counters, reports, restarts and end', async (file) => {
  const lines = linesOf(file);
  const isCutFromSummary = lines.some(
    (line, index) => line.event === 'bug_report' && line.text === '' && saidNo(lines, index),
  );
  const settings = {
    compat: {
      sections: 'substring',
      verdict: 'substring',
      failedCalls: 'count',
      reportFrom: isCutFromSummary ? 'summary' : 'start',
    },
  };
  const { model, beginIteration } = feed(lines);
  const world = toyWorld({
    folder: temporaryFolder(),
    model,
    agents: [verifyLoop as Agent],
  });
  const onEvent = ({ kind, body }: Event) => {
    if (kind === 'note' && 'kind' in body && body.kind === 'counters') beginIteration();
  };
  const { outcome } = await (await startRun(world, { ...toyRun('verify-loop'), settings }, { onEvent })).done;
  const events = await eventsOf(world, 'run');
  await world.store.close();

  const decided: string[] = [];
  for (const { kind, body, branch } of events) {
    if (kind !== 'note') continue;
    const { data } = body as { data: Record<string, unknown> };
    const { kind: note } = body as { kind: string };
    const attempt = `attempt ${branch.replace('attempt-', '')}`;
    if (branch && !decided.includes(attempt)) decided.push(attempt);
    if (note === 'counters')
      decided.push(`${data.iteration}: ${data.passes} passes, ${data.failures} failures`);
    if (note === 'review') decided.push(`report: ${String(data.bugReport).trim()}`);
  }
  decided.push(outcome === 'gave-up' ? 'given up' : 'accepted');
  expect(decided).toEqual(decisionsOf(lines));
});

function saidNo(lines: readonly Line[], index: number): boolean {
  const verdict = lines.slice(0, index).findLast(({ event }) => event === 'verdict');
  return verdict?.event === 'verdict' && !/yes/i.test(verdict.text);
}
