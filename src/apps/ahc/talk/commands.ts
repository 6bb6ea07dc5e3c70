/** A terminal that is attached to a session, and the commands with a slash that end the session or leave it. */
import type { Shell } from '../../../cli/contract.ts';
import type { Store } from '../../../core/store.ts';
import { askToStop, type SeenSession } from '../session/look.ts';
import type { SessionPlace } from '../session/sessions.ts';
import type { Lines } from './lines.ts';

export type Attending = {
  readonly shell: Shell;
  readonly place: SessionPlace;
};

export type Attendance = Attending & {
  readonly store: Store;
  readonly lines: Lines;
  readonly leaving: AbortController;
  /** The session as its journal has it now. */
  seeNow(): Promise<SeenSession>;
  /** Keys of messages from here that the session has not read yet. */
  readonly waiting: Set<string>;
  /** The question that was answered last: it must not be shown again before the answer is received. */
  replied: number;
  /** The user's latest draft for each confirmed part, with the number of its question. */
  readonly drafts: Map<string, { readonly seq: number; readonly text: string }>;
  hasStopped: boolean;
  hasLeft: boolean;
};

const names = ['stop', 'quit', 'help'] as const;
const listed = names.map((each) => `/${each}`).join(' ');

type Command = (typeof names)[number] | 'unknown';

/** Null where the line is no command. A pasted text of several lines runs no command. */
export function commandOf(line: string): Command | null {
  const named = /^\s*\/(?<name>\S*)/.exec(line.normalize('NFKC'))?.groups?.name?.toLowerCase();
  if (named === undefined) return null;
  if (line.trim().includes('\n')) return 'unknown';
  return names.find((each) => each === named) ?? (named === 'exit' || named === 'q' ? 'quit' : 'unknown');
}

export async function obey(here: Attendance, seen: SeenSession, command: Command): Promise<void> {
  const { shell, place, store } = here;
  switch (command) {
    case 'stop':
      here.hasStopped = true;
      if (seen.row) await askToStop(store, seen.row);
      return shell.out.write('Asked to stop …\n');
    case 'quit':
      here.hasLeft = true;
      return;
    case 'help':
      return shell.out.write(helpText(shell, place.name));
    default:
      return shell.out.write(`There is no such command: ${listed}\n`);
  }
}

export function helpText({ out: { paint } }: Shell, session: string): string {
  return `Talking to the session ${paint('strong', session)}. Say what it should try, ask something, name a range for a parameter or a
past contest to learn from, in words; or ${listed}. Ctrl-C leaves it running.\n`;
}
