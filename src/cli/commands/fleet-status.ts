/** `polya fleet status`: the workers that live, what they can do, and what they have in hand. */
import { exitCodes } from '../../core/errors.ts';
import type { LivingWorker } from '../../core/fleet.ts';
import { asCalled, duration } from '../../text/format.ts';
import { table } from '../../text/table.ts';
import { type CommandFile, print } from '../contract.ts';
import { withPolya } from '../journals.ts';

export const fleetStatus: CommandFile = {
  isReport: true,
  define(command) {
    command.option('--json', 'print it as JSON');
  },
  run: (shell, command) => {
    const { json } = command.opts<{ readonly json?: boolean }>();
    return withPolya(shell, async ({ world }) => {
      const workers = (await (await world.store.fleet?.())?.workers()) ?? [];
      const none = asCalled('No worker is there. Start one with `polya worker` (docs/fleet.md).\n', shell);
      const head = ['host', 'slots', 'runs', 'heard', 'version', 'programs', 'models', 'processor'];
      const text = workers.length > 0 ? table(shell.out, head, workers.map(cells)) : none;
      print(shell.out, json ? { workers } : text);
      return exitCodes.ok;
    });
  },
};

function cells({ host, slots, runs, seenMsAgo, codeVersion, ...can }: LivingWorker): string[] {
  const heard = `${duration(seenMsAgo)} ago`;
  return [
    ...[host, `${runs.length} of ${slots}`, runs.join(' '), heard, codeVersion],
    ...[can.isolation ?? 'none', can.providers.join(', '), can.processor],
  ];
}
