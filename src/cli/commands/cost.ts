/** `polya cost`: what the journals of this folder say was spent, and on what. It asks no provider. */
import { Option } from 'commander';
import { exitCodes } from '../../core/errors.ts';
import { type SpendingKey, type Sum, spendingKeys } from '../../core/spending.ts';
import { cacheHitRate } from '../../core/usage.ts';
import { formatPossiblyBilled, formatSpent, spendingOf, sumJson } from '../../open/run-json.ts';
import { readSpending } from '../../run/spending.ts';
import { grouped } from '../../text/format.ts';
import { partText } from '../../text/labels.ts';
import { table } from '../../text/table.ts';
import { type CommandFile, type Output, print } from '../contract.ts';
import { anyRuns, withPolya } from '../journals.ts';
import { type Since, since } from '../options.ts';

type Options = { readonly by: SpendingKey; readonly since?: Since; readonly json?: boolean };

export const cost: CommandFile = {
  isReport: true,
  define(command) {
    command
      .addOption(new Option('--by <what>', 'a line for each').choices(spendingKeys).default('model'))
      .option('--since <when>', 'only what was spent since 2026-11-01, or in the last 12h, 7d', since)
      .option('--json', 'print it as JSON');
  },
  async run(shell, command) {
    const options = command.opts<Options>();
    const expenses = anyRuns(shell)
      ? await withPolya(
          shell,
          ({ world: { store, io } }) =>
            readSpending(store, options.since?.(io.clock.now()), (what) => shell.unread?.add(what)),
          { create: false },
        )
      : [];
    const { sums, total } = spendingOf(expenses, options.by);
    const { by, json } = options;
    if (json) print(shell.out, { by, lines: sums.map(sumJson), total: sumJson(total) });
    else if (expenses.length === 0) print(shell.out, 'No model has been asked.\n');
    else print(shell.out, costText(shell.out, by, sums, total));
    return exitCodes.ok;
  },
};

function costText(output: Output, by: SpendingKey, sums: readonly Sum[], total: Sum): string {
  const head = [by, 'calls', 'tokens in', 'of them cached', 'tokens out', 'cost'];
  const made = table(output, head, [...sums, total].map(cells));
  const error = formatPossiblyBilled(total);
  return error === '' ? made : `${made}\n${error}\n`;
}

function cells(sum: Sum): (string | number)[] {
  const { name, calls, tokens, callsOfUnknownTokens } = sum;
  const rate = cacheHitRate(tokens);
  const cached = rate === null ? '' : `${Math.round(rate * 100)} %`;
  const words = (known: number) => partText(callsOfUnknownTokens > 0 ? null : known, known, grouped);
  return [name, grouped(calls), words(tokens.input), cached, words(tokens.output), formatSpent(sum)];
}
