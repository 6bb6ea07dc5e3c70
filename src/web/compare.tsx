/** Two runs, or two branches, side by side: what is alike is folded, where they part is marked, differing words underlined. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ComparedRow, ComparedSide, Comparison } from '../notes/page-compare.ts';
import type { EventItem } from '../notes/page-items.ts';
import { stateName, stateWord } from '../notes/run-list.ts';
import { type Compared, comparedIn, comparedName } from './api.ts';
import { countDifferences, describePrefix, linesOf, sameIn, useRows } from './compare-lines.ts';
import { Outcomes } from './compare-outcome.tsx';
import { Select } from './controls.tsx';
import { Difference, Words } from './difference.tsx';
import { fullText } from './events.ts';
import { Hidden, toggleHidden, toVisibleEvent } from './hidden.tsx';
import { useFullEvents } from './inspector.tsx';
import { type ScreenProps, useKeys } from './keys.ts';
import { usePolling } from './looking.ts';
import { Rows } from './rows.tsx';
import { State } from './states.tsx';

export function CompareScreen({ names: [first = '', second = ''] }: ScreenProps) {
  const [a, b] = [comparedIn(first), comparedIn(second)];
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const [chosen, setChosen] = useState<number | null>(null);
  const query = queryOf(a, b);
  const { found, problem } = usePolling<Comparison>({
    path: () => `/compare?${query}`,
    everyMs: 5_000,
    isOver: ({ a, b }) => a.item.state !== 'running' && b.item.state !== 'running',
    again: [query],
    isAlike: (before, comparison) => JSON.stringify(before) === JSON.stringify(comparison),
  });
  const lines = useMemo(() => (found ? linesOf(found, opened) : []), [found, opened]);
  const same = useMemo(() => (found ? sameIn(found) : null), [found]);
  const rows = useRows(query, found);
  const go = (place: Compared, other: Compared): void => {
    location.hash = `#/compare/${comparedName(place)}/${comparedName(other)}`;
  };
  const toDifference = (step: 1 | -1): void => {
    if (!found || !same || found.parting === null) return;
    let at = chosen === null ? (step > 0 ? found.parting : -1) : chosen + step;
    while (at >= 0 && at < found.rows && same[at]) at += step;
    if (at >= 0 && at < found.rows) setChosen(at);
  };
  const move = (step: number): void => {
    const at = lines.findIndex((line) => line.kind === 'row' && line.row === chosen);
    const after = step > 0 ? lines.slice(at + 1) : lines.slice(0, Math.max(0, at)).toReversed();
    const next = after.find((line) => line.kind === 'row');
    if (next?.kind === 'row') setChosen(next.row);
  };
  useKeys({
    '[': ['previous difference', () => toDifference(-1)],
    ']': ['next difference', () => toDifference(1)],
    j: ['next', () => move(1)],
    k: ['previous', () => move(-1)],
    x: ['swap A and B', () => go(b, a)],
    g: ['gold answer, and what else no model was shown', toggleHidden],
    Escape: ['back', () => (chosen === null ? history.back() : setChosen(null))],
  });
  if (problem !== '') {
    return (
      <main class="empty">
        <h1>These cannot be compared</h1>
        <p class="bad">{problem}</p>
        <p>
          <a href="#/">All runs</a>: Space marks one, C compares two.
        </p>
      </main>
    );
  }
  if (!found || !same) return <main class="empty" aria-busy="true" />;
  const selected = lines.findIndex((line) => line.kind === 'row' && line.row === chosen);
  const number = chosen === null ? 0 : countDifferences(same, chosen);
  const parting = lines.findIndex(({ kind }) => kind === 'parting');
  return (
    <main class="compare">
      <header class="sides">
        <Side letter="A" side={found.a} onBranch={(branch) => go({ ...a, branch }, b)} />
        <Side letter="B" side={found.b} onBranch={(branch) => go(a, { ...b, branch })} />
      </header>
      <div class="tabs">
        <button type="button" onClick={() => toDifference(-1)} aria-keyshortcuts="[">
          <kbd>[</kbd> previous
        </button>
        <button type="button" onClick={() => toDifference(1)} aria-keyshortcuts="]">
          <kbd>]</kbd> next difference
        </button>
        <span class="told" role="status">
          {found.differences === 0
            ? 'They say the same at every place.'
            : `${number > 0 && chosen !== null && !same[chosen] ? `${number} of ` : ''}${found.differences} ${found.differences === 1 ? 'place differs' : 'places differ'}, ${found.rows - found.differences} alike`}
        </span>
        <span class="space" />
        <button type="button" onClick={() => go(b, a)} aria-keyshortcuts="x">
          <kbd>X</kbd> swap
        </button>
      </div>
      <div class="parts">
        <section class="pairs">
          <Rows
            items={lines}
            height={34}
            label="Events of both, side by side"
            selected={selected >= 0 ? selected : parting + 1}
          >
            {(line) => {
              if (line.kind === 'parting') {
                return (
                  <h2 class="parting" key="parting">
                    They part here <small>{rows.at(found.parting ?? 0)?.place}</small>
                  </h2>
                );
              }
              if (line.kind === 'fold') {
                return (
                  <button
                    key={`fold${line.from}`}
                    type="button"
                    class="alike"
                    onClick={() => setOpened(new Set([...opened, line.from]))}
                  >
                    <b>
                      {line.to - line.from} {line.to - line.from === 1 ? 'event is' : 'events are'} alike
                    </b>
                    {line.from === 0 && <span class="soft cut">{describePrefix(found)}</span>}
                    <span class="space" />
                    <span class="link">show</span>
                  </button>
                );
              }
              return (
                <PairRow
                  key={line.row}
                  pair={rows.at(line.row)}
                  isChosen={line.row === chosen}
                  onOpen={() => setChosen(line.row)}
                />
              );
            }}
          </Rows>
        </section>
        <aside class="inspector" aria-label={chosen === null ? 'What came of them' : 'What differs here'}>
          {chosen === null ? (
            <Outcomes found={found} />
          ) : (
            <PairDetail
              found={found}
              pair={rows.at(chosen)}
              isSame={Boolean(same[chosen])}
              onClose={() => setChosen(null)}
            />
          )}
        </aside>
      </div>
    </main>
  );
}

function queryOf(a: Compared, b: Compared): string {
  return new URLSearchParams({ a: a.run, b: b.run, branchA: a.branch, branchB: b.branch }).toString();
}

type SideProps = {
  readonly letter: 'A' | 'B';
  readonly side: ComparedSide;
  readonly onBranch: (branch: string) => void;
};

function Side({ letter, side, onBranch }: SideProps) {
  const { item, branch, branches, explanation, damage } = side;
  const name = stateName(item);
  return (
    <section>
      <h1>
        <b class={`letter ${letter}`}>{letter}</b>
        <a class="cut" href={`#/runs/${item.id}`}>
          {item.title}
        </a>
        <span class={`word ${name}`}>
          <State name={name} label="" /> {stateWord(item)}
        </span>
      </h1>
      <p class="cut soft" title={explanation}>
        {explanation || item.now}
      </p>
      <p class="soft">
        <code>{item.id}</code>
        {item.forkOf && ` fork after event ${item.forkOf.seq}`}
        {branches.length > 1 && (
          <Select
            label={`Branch of ${letter}`}
            value={branch}
            options={branches.map((each) => [each, each || 'all branches'])}
            onPick={onBranch}
          />
        )}
      </p>
      {damage && (
        <p class="bad">Its journal is damaged at event {damage.seq}: what is before it is compared.</p>
      )}
    </section>
  );
}

type PairRowProps = {
  readonly pair: ComparedRow | undefined;
  readonly isChosen: boolean;
  readonly onOpen: () => void;
};

function PairRow({ pair, isChosen, onOpen }: PairRowProps) {
  if (!pair) return <div class="pair" aria-busy="true" />;
  const { a, b, isSame } = pair;
  const mark = isSame ? '=' : !a ? 'B only' : !b ? 'A only' : '≠';
  return (
    <button
      type="button"
      class={`pair ${isSame ? 'same' : ''} ${isChosen ? 'chosen' : ''}`}
      aria-pressed={isChosen}
      title={pair.place}
      onClick={onOpen}
    >
      <Cell item={a} other={isSame ? null : b} sign="-" />
      <small class="sign">{mark}</small>
      <Cell item={b} other={isSame ? null : a} sign="+" />
    </button>
  );
}

type CellProps = {
  readonly item: EventItem | null;
  readonly other: EventItem | null;
  readonly sign: '-' | '+';
};

function Cell({ item, other, sign }: CellProps) {
  if (!item) return <span class="hatched" />;
  return (
    <span class={`cell ${item.tone}`}>
      <span class="number soft">{item.seq}</span>
      <span class="cut">{other ? <Words mine={item.text} other={other.text} sign={sign} /> : item.text}</span>
    </span>
  );
}

type DetailProps = {
  readonly found: Comparison;
  readonly pair: ComparedRow | undefined;
  readonly isSame: boolean;
  readonly onClose: () => void;
};

function PairDetail({ found, pair, isSame, onClose }: DetailProps) {
  const head = useRef<HTMLHeadingElement>(null);
  // On a phone the head is below the rows.
  useEffect(() => head.current?.scrollIntoView({ block: 'nearest' }), [pair?.place]);
  const { a = null, b = null } = pair ?? {};
  const { whole, problem } = useFullEvents([
    [found.a.item.id, a?.seq],
    [found.b.item.id, b?.seq],
  ]);
  const [one, other] = whole.map((event) => (event ? fullText(toVisibleEvent(event)) : null));
  return (
    <>
      <h2 ref={head}>
        {pair?.place} <small>{a && b ? (isSame ? 'alike' : 'differs') : a ? 'A only' : 'B only'}</small>
        <span class="space" />
        <button type="button" onClick={onClose}>
          Close <kbd>Esc</kbd>
        </button>
      </h2>
      <p class="soft">
        {a && (
          <a class="link" href={`#/runs/${found.a.item.id}/${a.seq}`}>
            event {a.seq} of A
          </a>
        )}{' '}
        {b && (
          <a class="link" href={`#/runs/${found.b.item.id}/${b.seq}`}>
            event {b.seq} of B
          </a>
        )}
      </p>
      {problem !== '' && <p class="bad">{problem}</p>}
      <Hidden places={whole.flatMap((each) => each?.hidden ?? [])} />
      {typeof one === 'string' && typeof other === 'string' && !isSame ? (
        <Difference a={one} b={other} />
      ) : (
        <pre class={`diff ${isSame ? '' : one === null ? 'come' : 'gone'}`}>{one ?? other}</pre>
      )}
    </>
  );
}
