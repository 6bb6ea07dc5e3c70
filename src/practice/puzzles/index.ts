/** The puzzles that the practice site has, one line each, in the order of their days. */
import { type AnyPuzzle, practiceYear } from '../puzzle.ts';
import { ticketStubs } from './day01-ticket-stubs.ts';
import { nightMail } from './day02-night-mail.ts';
import { lampsOnTheLine } from './day03-lamps-on-the-line.ts';
import { garlandsForTheSummit } from './day25-garlands-for-the-summit.ts';

export const puzzles: readonly AnyPuzzle[] = [ticketStubs, nightMail, lampsOnTheLine, garlandsForTheSummit];

export const practiceEvents = [
  {
    year: practiceYear,
    days: puzzles.map(({ day }) => day),
    /** Its one part is all there is to answer. */
    lastDay: puzzles.find(({ parts }) => parts.length === 1)?.day,
  },
];
