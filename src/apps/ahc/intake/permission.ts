/** Whether a contest may be worked on by machine: one that may still run needs the word of its user, who knows its rules. */
import { UserError } from '../../../core/errors.ts';
import type { ContestFile } from '../../../families/ahc/contest.ts';
import type { IntakeParts } from './parts.ts';
import type { Schedule, Standing } from './schedule.ts';

/** Its user says that the rules of the contest allow what we do. Asked only where it matters. */
export type Confirm = (standing: Uncertain, endsAt: string | null) => Promise<boolean>;

type Uncertain = Exclude<Standing, 'over'>;

export function scheduleOf(known: ContestFile | null): Schedule | null {
  const startMs = Date.parse(known?.startsAt ?? '');
  const endMs = Date.parse(known?.endsAt ?? '');
  return startMs < endMs ? { startMs, endMs } : null;
}

/** Throws `UserError` for a contest that may still run, unless its user knows that its rules allow this. */
export async function permission(
  {
    id,
    confirm,
    parts,
  }: {
    readonly id: string;
    readonly confirm: Confirm;
    readonly parts: Pick<IntakeParts, 'clock' | 'isoTime'>;
  },
  standing: Standing,
  { known, schedule }: { known: ContestFile | null; schedule: Schedule | null },
): Promise<ContestFile['confirmed']> {
  if (standing === 'over' || known?.confirmed) return known?.confirmed ?? null;
  const endsAt = schedule ? parts.isoTime(schedule.endMs) : null;
  if (await confirm(standing, endsAt)) return { atMs: parts.clock.now(), standing };
  const [what, why] = {
    running: [
      `${id} is running (until ${endsAt}).`,
      'Short contests forbid help by generative AI, long ones forbid much of it; both have rules on tools.',
    ],
    'not-begun': [
      `${id} has not begun (it ends ${endsAt}).`,
      'Its statement is not there yet, and its rules may forbid tools such as this one.',
    ],
    unknown: [
      `Nobody says when ${id} ended: it may still be running.`,
      'Contests have rules on tools and generative AI that hold while they run.',
    ],
  }[standing];
  throw new UserError({
    code: 'nothing-was-made',
    what: `${what} Nothing was made.`,
    why: why ?? '',
    fix: "Read the contest's own rules. If they allow what you want to do, say so with --i-confirm-the-rules-allow-this; contests that are over are free to practise on.",
  });
}
