/** The list of run-sets: how far each is, and what came of it. */
import { useState } from 'preact/hooks';
import type { SetItem } from '../notes/page-items.ts';
import { grouped } from '../text/format.ts';
import { Command, HeaderCells } from './controls.tsx';
import { to, useKeys } from './keys.ts';
import { usePolling } from './looking.ts';
import { Rows } from './rows.tsx';
import { Bar, setState } from './set-parts.tsx';
import { State } from './states.tsx';
import { formatAgo, fullDate } from './words.ts';

const lookEveryMs = 2_000;

export function Sets() {
  const [selected, setChosen] = useState('');
  const { found, problem } = usePolling<{ readonly sets: readonly SetItem[] }>({
    path: () => '/sets',
    everyMs: lookEveryMs,
  });
  const sets = found?.sets ?? null;
  const at = sets?.findIndex(({ id }) => id === selected) ?? -1;
  const move = (to: number): void => setChosen(sets?.[Math.max(0, to)]?.id ?? selected);
  useKeys({
    j: ['next', () => move(at + 1)],
    k: ['previous', () => move(at - 1)],
    Enter: ['open', selected && to(`#/sets/${selected}`)],
    Escape: ['back', to('#/')],
  });
  if (!sets) return <main class="empty">{problem}</main>;
  if (sets.length === 0) {
    return (
      <main class="empty">
        <h1>No run-sets yet</h1>
        <p>
          <Command>polya run-set run FILE.yaml</Command> runs several problems, agents or models under one
          budget; <Command>polya demo</Command> shows one without a key.
        </p>
      </main>
    );
  }
  return (
    <main class="list">
      <HeaderCells of="sets" names={['', 'Run-set', 'Ended', ['Good'], 'State', ['Begun']]} />
      {problem !== '' && <p class="none bad">{problem}</p>}
      <Rows items={sets} height={26} label="Run-sets" selected={at}>
        {(set) => (
          <a
            key={set.id}
            class={`line sets ${set.id === selected ? 'chosen' : ''}`}
            href={`#/sets/${set.id}`}
            title={set.id}
          >
            <State name={setState(set.state)} label="" />
            <span class="cut">
              {set.name} <code>{set.id}</code>
            </span>
            <span class="cut">
              <Bar share={set.ended / Math.max(1, set.rows)} /> {grouped(set.ended)} of {grouped(set.rows)}
            </span>
            <span class="number">{grouped(set.good)}</span>
            <span class="cut soft">{stateWords[set.state] ?? set.state}</span>
            <span class="number soft" title={fullDate(set.createdAtMs)}>
              {formatAgo(set.createdAtMs, Date.now())}
            </span>
          </a>
        )}
      </Rows>
    </main>
  );
}

const stateWords: Readonly<Record<string, string>> = {
  done: 'all have ended',
  solved: 'a row has solved it',
  answered: 'a row has answered it',
  budget: 'the budget has no room for more',
};
