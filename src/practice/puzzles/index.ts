/** The puzzles that the practice site has, one line each. */
import type { Puzzle } from '../puzzle.ts';
import { ticketStubs } from './day01-ticket-stubs.ts';
import { nightMail } from './day02-night-mail.ts';

export const puzzles: readonly Puzzle[] = [ticketStubs, nightMail];
