/** Dialogs of a run: hardly any look at one ends in another, so they are loaded when they are opened. */
import { later } from './later.tsx';

// Loaded here because the first load holds the list and a run only.
export const ForkDialog = later(async () => (await import('./fork-dialog.tsx')).ForkDialog);
// As above.
const limits = () => import('./limits-dialog.tsx');
export const ResumeDialog = later(async () => (await limits()).ResumeDialog);
export const LimitsDialog = later(async () => (await limits()).LimitsDialog);
// As above.
export const CommandDialog = later(async () => (await import('./command-dialog.tsx')).CommandDialog);
