/** Days of the practice Advent of Code, each in another language, with the mistakes that people make. */
import { type Act, scripted } from '../../cli/contract.ts';
import type { LanguageId } from '../../core/sandbox.ts';
import { toolCallsOf } from '../../text/labels.ts';

type Day = { readonly day: number; readonly lang: LanguageId; readonly script: string };

const days: readonly Day[] = [
  { day: 1, lang: 'python', script: 'aoc-practice-day1' },
  { day: 2, lang: 'cpp', script: 'aoc-practice-day2' },
  { day: 3, lang: 'kotlin', script: 'aoc-practice-day3' },
  { day: 1, lang: 'csharp', script: 'aoc-practice-day1-csharp' },
];

export const aoc: Act = {
  name: 'aoc',
  title: 'An agent solves days of a practice Advent of Code.',
  real: 'The site (HTTP on this machine), the sandbox and the journals are real.',
  // A wrong answer is part of the story; a minute of waiting is not.
  world: { familyOptions: { aoc: { practiceCooldownMs: 1_000 } } },
  cast({ toolchains }) {
    const canRun = ({ lang }: Day) => toolchains.some(({ language }) => language === lang);
    return {
      rows: days.filter(canRun).map(rowOf),
      leftOut: days.filter((day) => !canRun(day)).map(({ lang }) => lang),
    };
  },
  about: {
    head: 'practice day',
    // The heading says where it is from: the table is to fit into 100 columns.
    cell: ({ view }) => (view.header?.problem.id ?? '').replace(/^aoc\/practice\//, ''),
  },
  facts: [
    { head: 'parts', cell: ({ view }) => partsText(view.stages, view.header?.problem.stages.length ?? 0) },
    { head: 'tool calls', cell: ({ view }) => toolCallsOf(view.totals) },
  ],
  next: ([first]) => [
    ...(first
      ? [
          [
            `runs fork ${first.row.id} --at 12 --hint "Mind the edges."`,
            'another way, from event 12',
          ] as const,
        ]
      : []),
    ['aoc run --help', 'any day, with any model'],
    [
      `run --family aoc --problem '{"site":"practice","year":2000,"day":1,"lang":"python"}' --agent sample-and-select --model MODEL`,
      'many programs for a day, and the largest group of those that agree',
    ],
  ],
};

/** Each run is a new user of the practice site, with nothing solved. */
function rowOf({ day, lang, script }: Day) {
  return scripted({
    name: `Day ${day} in ${lang}`,
    family: 'aoc',
    problem: { site: 'practice', year: 2000, day, lang, user: '{{run}}' },
    agent: 'tool-loop',
    script,
    limits: { toolCalls: 30 },
  });
}

function partsText(stages: readonly { readonly isDone: boolean }[], all: number): string {
  return `${stages.filter(({ isDone }) => isDone).length} of ${all}`;
}
