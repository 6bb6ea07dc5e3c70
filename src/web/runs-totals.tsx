/** What the runs that are shown come to: how they stand, how many are right, what they cost. */
import type { RunItem } from '../notes/page-items.ts';
import { dollars, grouped } from '../text/format.ts';
import { type StateName, stateName, stateOrder } from './states.tsx';
import { tokenWords } from './words.ts';

export function Totals({ items }: { readonly items: readonly RunItem[] }) {
  const counts = new Map<StateName, number>();
  for (const item of items) counts.set(stateName(item), (counts.get(stateName(item)) ?? 0) + 1);
  const of = (...names: readonly StateName[]) =>
    names.reduce((sum, name) => sum + (counts.get(name) ?? 0), 0);
  const graded = of('solved', 'wrong');
  const cost = costOfAll(items);
  const known = items.reduce((sum, item) => sum + item.knownTokens, 0);
  const isLower = items.some(({ tokens, modelCalls }) => tokens === null && modelCalls !== 0);
  const alive = of('waits', 'running', 'interrupted');
  const well = of('solved', 'answered', 'scored');
  return (
    <div class="totals">
      <p>
        <b>{grouped(items.length)}</b> {items.length === 1 ? 'run' : 'runs'}
        <States counts={counts} all={items.length} />
        <small>
          {alive} alive, {well} ended well, {items.length - alive - well} not
        </small>
      </p>
      {graded > 0 && (
        <p>
          <b>{grouped(of('solved'))}</b> of {grouped(graded)} graded are right
          <small>{Math.round((100 * of('solved')) / graded)} %</small>
        </p>
      )}
      <p>
        <b>{cost.words}</b> cost
        <small>{cost.more}</small>
      </p>
      <p>
        <b>
          {isLower ? '≥ ' : ''}
          {tokenWords(known)}
        </b>{' '}
        tokens
      </p>
    </div>
  );
}

function States({ counts, all }: { readonly counts: ReadonlyMap<StateName, number>; readonly all: number }) {
  let from = 0;
  return (
    <svg class="share" viewBox="0 0 120 6" preserveAspectRatio="none" aria-hidden="true">
      {stateOrder.map((name) => {
        const width = (120 * (counts.get(name) ?? 0)) / Math.max(1, all);
        const x = from;
        from += width;
        return width > 0 && <rect key={name} class={`part ${name}`} x={x} width={width} height="6" />;
      })}
    </svg>
  );
}

/** Unknown is never nothing: it is counted beside what is known. */
function costOfAll(items: readonly RunItem[]): { readonly words: string; readonly more: string } {
  const paid = items.filter(({ free }) => free === null);
  if (items.length === 0) return { words: '–', more: '' };
  if (paid.length === 0) return { words: 'free', more: 'no provider was paid' };
  const known = paid.reduce((sum, { knownCostUsd }) => sum + knownCostUsd, 0);
  const unknown = paid.filter(({ costUsd, modelCalls }) => costUsd === null && modelCalls !== 0).length;
  const free = items.length - paid.length;
  const others = [
    unknown > 0 ? `unknown for ${grouped(unknown)}` : '',
    free > 0 ? `${grouped(free)} free` : '',
  ];
  const words = unknown === 0 ? dollars(known) : known > 0 ? `≥ ${dollars(known)}` : 'unknown';
  return { words, more: others.filter(Boolean).join(', ') };
}
