/** What somebody who mends Polya has to know of this machine, as a text that may be shown to all: no secret, no name of a home. */
import { homedir, release } from 'node:os';
import { errorOf } from '../core/errors.ts';
import { foldRun } from '../core/fold.ts';
import { secretsIn } from '../core/secrets.ts';
import { secretRemover } from '../models/redact.ts';
import { readJournal } from '../run/load.ts';
import { clip, oneLine } from '../text/format.ts';
import { noPaint } from '../text/paint.ts';
import type { Shell } from './contract.ts';
import { anyRuns, withPolya } from './journals.ts';

/** `machine` is what `polya doctor` tells. */
export async function bugReport(shell: Shell, machine: (shell: Shell) => Promise<string>): Promise<string> {
  const plain: Shell = {
    ...shell,
    calledAs: 'polya',
    out: Object.create(shell.out, { paint: { value: noPaint } }),
  };
  const text = [
    '## What happened\n\n(What you typed, what you expected, what came instead.)\n',
    `## System\n\n${process.platform} ${release()} on ${process.arch}\n`,
    `## Machine\n\n\`\`\`\n${await machine(plain)}\`\`\`\n`,
    `## Newest run\n\n${await newestRun(shell).catch(reason)}\n`,
  ].join('\n');
  return shareable(shell, text);
}

function shareable({ env }: Shell, text: string): string {
  const clean = secretRemover(secretsIn({ ...process.env, ...env }));
  const homes = [env.HOME, homedir()].filter((home) => home !== undefined && home.length > 1);
  return homes.reduce<string>((told, home) => told.replaceAll(String(home), '~'), clean(text));
}

/** What kind of run it was and how it ended; nothing of what was asked and answered. */
async function newestRun(shell: Shell): Promise<string> {
  if (!anyRuns(shell)) return 'None.';
  return withPolya(
    shell,
    async ({ world: { store } }) => {
      const [row] = await store.list({ limit: 1 });
      if (!row) return 'None.';
      const { events, damage } = await readJournal(store, row.id);
      const { header, end } = foldRun(events);
      const facts = [
        `problem of ${header?.problem.family}`,
        `agent ${header?.agent.name}`,
        `written by ${header?.codeVersion}`,
        `${events.length} events`,
        damage ? `damaged at event ${damage.seq}` : '',
        end ? `ended as ${end.outcome}${end.limit ? ` (${end.limit})` : ''}` : 'not ended',
        end?.error ? clip(`${end.error.name}: ${oneLine(end.error.message)}`, 200) : '',
      ];
      return facts.filter(Boolean).join(', ');
    },
    { create: false },
  );
}

function reason(error: unknown): string {
  return `cannot be read: ${clip(oneLine(errorOf(error).message), 200)}`;
}
