/**
 * Faithfulness: fed the replies of a log of the published IMO 2025 agent, one by one, the loop makes the decisions that
 * the log shows. These logs are of the project's own, in the form of the published ones.
 */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { decisionsIn, decisionsOnReplaying, type LogLine } from '../support/imo-log.ts';
import { holdLogs, logsIn } from './log-tests.ts';

holdLogs(logsIn(join(import.meta.dirname, '../data/proof-logs')));

const solution = (text: string) => `Summary\n### Detailed Solution ###\n${text}`;
const opening: LogLine[] = [
  { event: 'first_solution', text: solution('first') },
  { event: 'corrected_solution', text: solution('improved') },
];
const start = (run: number): LogLine => ({ event: 'run_start', run });
const counters = (iteration: number, corrects: number, errors: number): LogLine => ({
  event: 'counters',
  iteration,
  corrects,
  errors,
});
const no = (report: string): LogLine[] => [
  { event: 'verification', text: `### Summary ###\n${report}\n### Detailed Verification Log ###\nsteps` },
  { event: 'verdict', text: 'no' },
  { event: 'bug_report', text: `### Summary ###\n${report}\n###` },
];
const yes: LogLine[] = [
  { event: 'verification', text: 'Fine.\nDetailed Verification\nsteps' },
  { event: 'verdict', text: 'Yes, but mind the gap.' },
  { event: 'bug_report', text: '' },
];
const correction: LogLine = { event: 'corrected_solution', text: solution('corrected') };
const rounds = (count: number, round: (index: number) => LogLine[]): LogLine[] =>
  Array.from({ length: count }, (_, index) => round(index)).flat();
const failing = rounds(10, (index) => [
  counters(index, index === 0 ? 1 : 0, index),
  correction,
  ...no(`wrong ${index}`),
]);
const passing = rounds(4, (index) => [counters(index, index + 1, 0), ...yes]);
const accepted: LogLine = { event: 'end', lines: ['>>>>>>> Correct solution found.'] };
const failed: LogLine = { event: 'end', lines: ['>>>>>>> Failed in finding a correct solution.'] };

describe('logs of other kinds', () => {
  test.each<[string, LogLine[]]>([
    ['five passes at once', [start(0), ...opening, ...yes, ...passing, accepted]],
    ['given up after ten failures', [start(0), ...opening, ...no('wrong'), ...failing, failed]],
    [
      'a call of the opening failed: the attempt is lost',
      [start(0), ...opening.slice(0, 1), start(1), start(2), ...opening, ...yes, ...passing, accepted],
    ],
    [
      'thirty iterations used up, then another attempt',
      [
        start(0),
        ...opening,
        ...no('wrong'),
        ...rounds(30, (index) =>
          index % 2 === 0
            ? [counters(index, 1, 0), correction, ...yes]
            : [counters(index, 1, 0), ...no(`wrong ${index}`)],
        ),
        start(1),
        ...opening,
        ...yes,
        ...passing,
        accepted,
      ],
    ],
    [
      'a verdict failed after its report: the iteration counts, the old verdict stays',
      [
        start(0),
        ...opening,
        ...yes,
        counters(0, 1, 0),
        { event: 'verification', text: 'A report that nobody judged.' },
        ...rounds(4, (index) => [counters(index + 1, index + 1, 0), ...yes]),
        accepted,
      ],
    ],
    [
      'the tenth failure cannot be corrected: one more is counted, and then it gives up',
      [
        start(0),
        ...opening,
        ...no('wrong'),
        ...failing.slice(0, -5),
        counters(9, 0, 9),
        counters(10, 0, 10),
        correction,
        ...no('still wrong'),
        failed,
      ],
    ],
    ['a log that breaks off', [start(0), ...opening, ...no('wrong'), ...failing.slice(0, 14)]],
  ])('%s', async (_name, lines) => {
    expect(await decisionsOnReplaying(lines)).toEqual(decisionsIn(lines));
  });
});
