/** What the runs that fit come to: how they stand, how many are right, what they cost. */
import { type RunStateName, type RunTotals, stateNames } from '../notes/run-list.ts';
import { formatDollars, grouped } from '../text/format.ts';
import { tokenWords } from './words.ts';

export function Totals({ totals }: { readonly totals: RunTotals }) {
  const { runs, unread, states, knownTokens, unknownTokens } = totals;
  const of = (...names: readonly RunStateName[]) => names.reduce((sum, name) => sum + (states[name] ?? 0), 0);
  const graded = of('solved', 'wrong');
  const alive = of('waits', 'running', 'interrupted');
  const well = of('solved', 'answered', 'scored');
  const cost = costOfAll(totals);
  return (
    <div class="totals">
      <p>
        <b>{grouped(runs)}</b> {runs === 1 ? 'run' : 'runs'}
        <States states={states} all={runs} />
        <small>
          {alive} alive, {well} ended well, {runs - alive - well} not
        </small>
      </p>
      {graded > 0 && (
        <p>
          <b>{grouped(of('solved'))}</b> of {grouped(graded)} graded are right
          <small>{Math.round((100 * of('solved')) / graded)} %</small>
        </p>
      )}
      {unread > 0 ? (
        <p role="status">
          <b>
            {grouped(runs - unread)} of {grouped(runs)}
          </b>{' '}
          runs are added up
          <small>cost and tokens follow</small>
        </p>
      ) : (
        <>
          <p>
            <b>{cost.words}</b> cost
            <small>{cost.more}</small>
          </p>
          <p>
            <b>
              {unknownTokens > 0 ? '≥ ' : ''}
              {tokenWords(knownTokens)}
            </b>{' '}
            tokens
          </p>
        </>
      )}
    </div>
  );
}

function States({ states, all }: { readonly states: RunTotals['states']; readonly all: number }) {
  let from = 0;
  return (
    <svg class="share" viewBox="0 0 120 6" preserveAspectRatio="none" aria-hidden="true">
      {stateNames.map((name) => {
        const width = (120 * (states[name] ?? 0)) / Math.max(1, all);
        const x = from;
        from += width;
        return width > 0 && <rect key={name} class={`part ${name}`} x={x} width={width} height="6" />;
      })}
    </svg>
  );
}

/** Unknown is never nothing: it is counted beside what is known. */
function costOfAll(totals: RunTotals): { readonly words: string; readonly more: string } {
  const { runs, free, knownCostUsd, unknownCost } = totals;
  if (runs === 0) return { words: '–', more: '' };
  if (free === runs) return { words: 'free', more: 'no provider was paid' };
  const siblings = [
    unknownCost > 0 ? `unknown for ${grouped(unknownCost)}` : '',
    free > 0 ? `${grouped(free)} free` : '',
  ];
  const known = formatDollars(knownCostUsd);
  const words = unknownCost === 0 ? known : knownCostUsd > 0 ? `≥ ${known}` : 'unknown';
  return { words, more: siblings.filter(Boolean).join(', ') };
}
