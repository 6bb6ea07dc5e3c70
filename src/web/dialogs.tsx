/** Dialogs of a run: hardly any look at one ends in another, so they are loaded when they are opened. */
import { lazyComponent } from './later.tsx';

// Loaded here because the first load holds the list and a run only.
export const ForkDialog = lazyComponent(async () => (await import('./fork-dialog.tsx')).ForkDialog);
// As above.
const limits = () => import('./limits-dialog.tsx');
export const ResumeDialog = lazyComponent(async () => (await limits()).ResumeDialog);
export const LimitsDialog = lazyComponent(async () => (await limits()).LimitsDialog);
// As above.
export const CommandDialog = lazyComponent(async () => (await import('./command-dialog.tsx')).CommandDialog);
