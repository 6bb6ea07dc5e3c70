/** Runs of the demo's problems, one of each family whose app has panels, and what is there when they are drawn. */
import { join } from 'node:path';
import questions from '../../src/apps/qa/demo.json' with { type: 'json' };
import { bundled } from '../../src/io/bundled.ts';
import { type Place, polya } from '../cli/shell.ts';

/** A question of the demo, on which a reviewer corrects an answer. */
const queue = questions.find(({ script }) => script === 'qa-queue');

export async function begun(place: Place, words: readonly string[]): Promise<string> {
  const { out, err } = await polya(place, ['run', ...words, '--seed', 'demo', '--json']);
  const { id } = JSON.parse(out || '{}');
  if (typeof id !== 'string') throw new Error(out + err);
  return id;
}

export const ofFamily = (
  family: string,
  problem: object,
  agent: string,
  script: string,
): readonly string[] => [
  ...['--family', family, '--problem', JSON.stringify(problem), '--agent', agent],
  ...['--model', `scripted/${script}`],
];
const arcTask = { file: bundled('arc', 'polya_challenges.json'), task: 'mirror' };
export const theorem = join(bundled('proofs'), 'odd-squares.md');
const day = { site: 'practice', year: 2000, day: 1, lang: 'python' };
const oneLine = ['--agent-setting', 'hypotheses=1', '--agent-setting', 'representation=steps'];

export const families = [
  {
    family: 'arc',
    words: [...ofFamily('arc', arcTask, 'induction-graph', 'arc-mirror'), ...oneLine],
    sentence: 'Solved by steps-1 at its step 2.',
    drawn: '.grids svg .mark:not(.under) path',
    // Its expected outputs as notes write them, and as the model was shown them.
    hidden: ['0110/2332', '1 2 2 1'],
  },
  {
    family: 'proof',
    words: ofFamily('proof', { file: theorem }, 'verify-loop', 'proof-odd-squares'),
    sentence: 'Accepted.',
    drawn: '.formulas',
    hidden: [],
  },
  {
    family: 'qa',
    words: ofFamily('qa', { question: queue?.question, answer: queue?.answer }, 'ensemble', 'qa-queue'),
    sentence: 'The vote chose 8, and that is right.',
    drawn: '.table tr.good',
    hidden: ['Ida is seventh'],
  },
  {
    family: 'aoc',
    words: ofFamily('aoc', day, 'tool-loop', 'aoc-practice-day1'),
    sentence: 'Both parts are solved.',
    drawn: '.table tr.good',
    hidden: ['You have taken a winter job on the'],
  },
];
