/** The puzzles that the practice site has, one line each, in the order of their days. */
import { type AnyPuzzle, practiceYear } from '../puzzle.ts';
import { ticketStubs } from './day01-ticket-stubs.ts';
import { nightMail } from './day02-night-mail.ts';
import { lampsOnTheLine } from './day03-lamps-on-the-line.ts';
import { frozenReservoir } from './day04-frozen-reservoir.ts';
import { quarryWinch } from './day05-quarry-winch.ts';
import { coalForTheClimb } from './day06-coal-for-the-climb.ts';
import { everyOrderOnce } from './day07-every-order-once.ts';
import { pointsThatFlip } from './day08-points-that-flip.ts';
import { engineThatWantsAWord } from './day09-engine-that-wants-a-word.ts';
import { garlandsForTheSummit } from './day25-garlands-for-the-summit.ts';

export const puzzles: readonly AnyPuzzle[] = [
  ticketStubs,
  nightMail,
  lampsOnTheLine,
  frozenReservoir,
  quarryWinch,
  coalForTheClimb,
  everyOrderOnce,
  pointsThatFlip,
  engineThatWantsAWord,
  garlandsForTheSummit,
];

export const practiceEvents = [
  {
    year: practiceYear,
    days: puzzles.map(({ day }) => day),
    /** Its one part is all there is to answer. */
    lastDay: puzzles.find(({ parts }) => parts.length === 1)?.day,
  },
];
