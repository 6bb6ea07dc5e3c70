/** What is typed at the prompt with a slash before it: looks at the session, ends it, or leaves it. */

import type { Shell } from '../../../cli/contract.ts';
import { harmless, oneLine } from '../../../text/format.ts';
import { hintRows } from '../session/folds.ts';
import type { SeenSession } from '../session/look.ts';
import { hintText, statusText } from '../session/text.ts';
import type { Attendance } from './attendance.ts';

const names = ['status', 'best', 'hints', 'stop', 'quit', 'help'] as const;
export type Command = (typeof names)[number] | 'unknown';

/** Null for what is no command. Of several in one pasted text none is obeyed. */
export function commandOf(line: string): Command | null {
  const named = /^\s*\/(?<name>\S*)/.exec(line.normalize('NFKC'))?.groups?.name?.toLowerCase();
  if (named === undefined) return null;
  if (line.trim().includes('\n')) return 'unknown';
  return names.find((each) => each === named) ?? (named === 'exit' || named === 'q' ? 'quit' : 'unknown');
}

export async function obey(here: Attendance, seen: SeenSession, command: Command): Promise<void> {
  const { shell, ahc, place, store, folder } = here;
  switch (command) {
    case 'status': {
      const machine = ahc.machineUsage(seen.row?.owner?.pid ?? null, place.folder.path);
      return shell.out.write(
        statusText(shell.out, { ahc, session: seen, folder, machine, nowMs: Date.now(), isBehind: false }),
      );
    }
    case 'best':
      return shell.out.write(bestText(here, seen));
    case 'hints':
      return shell.out.write(hintsText(here, seen));
    case 'stop':
      here.hasStopped = true;
      if (seen.row) await store.post(seen.row.id, { kind: 'stop', text: '', atMs: Date.now() });
      return shell.out.write('Asked to stop …\n');
    case 'quit':
      here.hasLeft = true;
      return;
    case 'help':
      return shell.out.write(helpText(shell, place.manifest.name));
    default:
      return shell.out.write(`There is no such command: ${names.map((each) => `/${each}`).join(' ')}\n`);
  }
}

function bestText({ ahc, place }: Attendance, { state }: SeenSession): string {
  const best = ahc.candidateOf(state, state.bestId)?.note;
  if (!best) return 'There is no program yet.\n';
  const score = ahc.scoreNow(state, place.manifest, best.id);
  const from = best.parents.length > 0 ? ` of ${best.parents.join(' and ')}` : '';
  const told = `${best.id}, ${best.operator}${from}, score ${score === null ? 'none' : ahc.plainNumber(score)}: ${oneLine(best.summary)}`;
  return `${harmless(best.source).trimEnd()}\n\n${told}\n${place.folder.path}/best_solution.cpp\n`;
}

function hintsText({ ahc }: Attendance, seen: SeenSession): string {
  const rows = hintRows(ahc, seen);
  if (rows.length === 0) return 'There are no hints yet.\n';
  return rows.map((row) => `${row.number}. ${oneLine(row.text)}\n   ${hintText(row, ahc)}\n`).join('');
}

export function helpText({ out: { paint } }: Shell, session: string): string {
  return `Talking to the session ${paint('strong', session)}. Say what it should try, ask something, name a range for a parameter or a
past contest to learn from, in words; or ${names.map((each) => `/${each}`).join(' ')}. Ctrl-C leaves it running.\n`;
}
