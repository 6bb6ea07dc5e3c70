/** How far a run is on its way to the nearest of its limits. Pure. */
import type { LimitName } from '../core/errors.ts';
import type { RunView } from '../core/fold.ts';
import { totalTokens } from '../core/usage.ts';
import { formatAmount, limitNames, toolCallsOf } from '../text/labels.ts';
import type { Bound } from './page-items.ts';

export function boundOf({ header, totals, aliveMs }: RunView): Bound | null {
  const used: Readonly<Record<LimitName, number>> = {
    toolCalls: toolCallsOf(totals),
    modelCalls: totals.modelCalls,
    tokens: totalTokens(totals.tokens),
    costUsd: totals.costUsd,
    wallMs: aliveMs,
  };
  const bounds = Object.entries(header?.limits ?? {}).map(([name, most]) => {
    const limit = name as LimitName;
    const share = Math.min(1, most > 0 ? used[limit] / most : 1);
    return {
      share,
      text: `${formatAmount(limit, used[limit])} of ${formatAmount(limit, most)} (${limitNames[limit]})`,
    };
  });
  return bounds.toSorted((a, b) => b.share - a.share)[0] ?? null;
}
