/**
 * The settings of the richer parts of the search, each off unless a bench on the bundled contests showed that it pays at
 * equal budget (docs/evolution.md has the table). All of them may be changed while a session goes on.
 */
import { z } from 'zod';
import { proposerRoles } from './asking.ts';

const count = z.int().nonnegative();

export const richerSettings = {
  /** How often a parent, or the second one, comes from the archive over behaviour, of all islands; 0: never. */
  archiveShare: z.number().min(0).max(1).default(0),
  /** What shortens a program takes its place, unless a paired test finds it worse at this level: more is stricter. */
  simplifyLevel: z.number().min(0.01).max(0.5).default(0.2),
  /** `bandit`: operators whose weight is above 0 are chosen by what they gained for what they cost. */
  operatorChoice: z.enum(['weights', 'bandit']).default('weights'),
  /** So many roles write programs (`solver`, `solver2` …), each with a model of its own, chosen by gain per cost. */
  proposers: z.int().min(1).max(proposerRoles.length).default(1),
  /** `bandit`: the user's words for a change are chosen by what they gained for what they cost, and none of them too. */
  wordingChoice: z.enum(['even', 'bandit']).default('even'),
  /** After so many candidates the adviser says what worked and what to try; 0: never. */
  insightsEvery: count.max(100_000).default(0),
  /** So many ideas that were tried are shown, and one that is proposed again is not evaluated; 0: none. */
  tabooIdeas: count.max(200).default(0),
  /** So many proposals are asked for at once, and compared on the first cases: the best of them is the candidate. */
  children: z.int().min(1).max(16).default(1),
  /** What earlier sessions learned is looked up, where the problem offers it, and shown. */
  knowledge: z.boolean().default(false),
};
