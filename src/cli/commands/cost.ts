/** `polya cost`: what the journals of this folder say was spent, and on what. It asks no provider. */
import { InvalidArgumentError, Option } from 'commander';
import { exitCodes } from '../../core/errors.ts';
import { type SpendingKey, type Sum, spendingBy, spendingKeys, sumOf } from '../../core/spending.ts';
import { cacheHitRate } from '../../core/usage.ts';
import { readSpending } from '../../run/spending.ts';
import { count, dollars, grouped, moment } from '../../text/format.ts';
import { table } from '../../text/table.ts';
import { type CommandFile, type Output, print } from '../contract.ts';
import { anyRuns, withPolya } from '../journals.ts';

type Options = { readonly by: SpendingKey; readonly since?: Since; readonly json?: boolean };
type Since = (nowMs: number) => number;

export const cost: CommandFile = {
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
          ({ world: { store, io } }) => readSpending(store, options.since?.(io.clock.now())),
          { create: false },
        )
      : [];
    const sums = spendingBy(expenses, options.by, dayOf);
    const total = sumOf('total', expenses);
    const { by, json } = options;
    if (json) print(shell.out, { by, lines: sums.map(sumJson), total: sumJson(total) });
    else if (expenses.length === 0) print(shell.out, 'No model has been asked.\n');
    else print(shell.out, costText(shell.out, by, sums, total));
    return exitCodes.ok;
  },
};

function since(value: string): Since {
  const { number, unit } = /^(?<number>\d+)(?<unit>[hd])$/.exec(value)?.groups ?? {};
  if (number) return (nowMs) => nowMs - Number(number) * (unit === 'h' ? 3_600_000 : 86_400_000);
  // A bare date would be read as that of Greenwich.
  const text = value.length === 'YYYY-MM-DD'.length ? `${value}T00:00` : value;
  const atMs = /^\d{4}-\d\d-\d\d/.test(value) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(atMs)) return () => atMs;
  throw new InvalidArgumentError('It must be a date such as 2026-11-01, or a time such as 12h or 7d.');
}

function dayOf(atMs: number): string {
  return moment(atMs).slice(0, 'YYYY-MM-DD'.length);
}

function sumJson(sum: Sum) {
  const { name, calls, tokens, costUsd, isFree, callsOfUnknownCost, possiblyBilled, possiblyUsd } = sum;
  return {
    name,
    modelCalls: calls,
    tokens,
    cacheHitRate: cacheHitRate(tokens),
    /** Null where any of it is unknown. */
    costUsd: callsOfUnknownCost > 0 ? null : costUsd,
    knownCostUsd: costUsd,
    callsOfUnknownCost,
    possiblyBilled,
    possiblyUsd,
    free: isFree,
  };
}

function costText(output: Output, by: SpendingKey, sums: readonly Sum[], total: Sum): string {
  const head = [by, 'calls', 'tokens in', 'of them cached', 'tokens out', 'cost'];
  const made = table(output, head, [...sums, total].map(cells));
  if (total.possiblyBilled === 0) return made;
  const lost = `${count(total.possiblyBilled, 'call')} broken off or lost, not in the sums`;
  return `${made}\n${lost}: if billed, ${dollars(total.possiblyUsd)} at most.\n`;
}

function cells(sum: Sum): (string | number)[] {
  const { name, calls, tokens } = sum;
  const rate = cacheHitRate(tokens);
  const cached = rate === null ? '' : `${Math.round(rate * 100)} %`;
  return [name, grouped(calls), grouped(tokens.input), cached, grouped(tokens.output), spentText(sum)];
}

function spentText({ isFree, kinds, costUsd, callsOfUnknownCost }: Sum): string {
  if (isFree) return `free (${kinds.join(', ')})`;
  if (callsOfUnknownCost === 0) return dollars(costUsd);
  return costUsd > 0 ? `${dollars(costUsd)} + unknown` : 'unknown';
}
