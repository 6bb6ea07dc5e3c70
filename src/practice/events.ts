/** What there is to practise, known before any site is started: loads neither a server nor a database. */
import { practiceYear } from './puzzle.ts';
import { puzzles } from './puzzles/index.ts';

export const practiceEvents = [
  {
    year: practiceYear,
    days: puzzles.map(({ day }) => day),
    /** Its one part is all there is to answer. */
    lastDay: puzzles.find(({ parts }) => parts.length === 1)?.day,
  },
];
