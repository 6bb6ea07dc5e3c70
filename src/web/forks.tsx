/** The forks of a run, from its first forebear on: what each changed against its parent, and what came of it. */
import { useState } from 'preact/hooks';
import type { ForkItem } from '../notes/page-compare.ts';
import { stateName, stateWord } from '../notes/run-list.ts';
import { EmptyState } from './controls.tsx';
import { type ScreenProps, to, useKeys } from './keys.ts';
import { usePolling } from './looking.ts';
import { State } from './states.tsx';
import { costOf, formatAgo, formatDuration, fullDate, tokensOf } from './words.ts';

type Forks = { readonly forks: readonly ForkItem[]; readonly more: boolean };

export function ForksScreen({ names: [id = ''] }: ScreenProps) {
  const [selected, setChosen] = useState(id);
  // A fork may begin at any time, in any process.
  const path = () => `/runs/${id}/forks`;
  const { found, problem } = usePolling<Forks>({ path, everyMs: 3_000, again: [id] });
  const forks = found?.forks ?? [];
  const at = forks.findIndex(({ item }) => item.id === selected);
  const parent = forks[at]?.parent;
  const move = (to: number): void => setChosen(forks[Math.max(0, to)]?.item.id ?? selected);
  useKeys({
    j: ['next', () => move(at + 1)],
    k: ['previous', () => move(at - 1)],
    Enter: ['open', to(`#/runs/${selected}`)],
    c: ['compare it with its parent', parent && to(`#/compare/${parent}/${selected}`)],
    Escape: ['back', to(`#/runs/${id}`)],
  });
  if (!found || problem !== '') return <EmptyState problem={problem} />;
  const [first] = forks;
  return (
    <main class="forks">
      <header class="top">
        <p class="path">
          <a href="#/">Runs</a> › <a href={`#/runs/${id}`}>{id}</a> › forks
        </p>
        <h1>{first?.item.title}</h1>
        <p class="why">
          {forks.length === 1
            ? 'This run has no forks yet. F on one of its events makes one: another hint, model, setting, limit or prompt from there on.'
            : `${forks.length} runs, each a fork of the one that it stands below.`}
          {found.more && ' There are more than are shown here.'}
        </p>
      </header>
      <div class="tree">
        <table>
          <thead>
            <tr>
              {['Run', 'What it changed', 'What came of it'].map((name) => (
                <th key={name}>{name}</th>
              ))}
              {['Score', 'Calls', 'Tokens', 'Cost', 'Time', 'Begun'].map((name) => (
                <th key={name} class="number">
                  {name}
                </th>
              ))}
              <th />
            </tr>
          </thead>
          <tbody>
            {forks.map((fork) => (
              <ForkLine key={fork.item.id} fork={fork} isHere={fork.item.id === id} chosen={selected} />
            ))}
          </tbody>
        </table>
      </div>
    </main>
  );
}

type LineProps = { readonly fork: ForkItem; readonly isHere: boolean; readonly chosen: string };

/** Deeper ones stand no further to the right: a session of a contest is a chain of forks. */
const deepest = 6;

function ForkLine({ fork, isHere, chosen }: LineProps) {
  const { item, parent, depth, score, answer, changed } = fork;
  const name = stateName(item);
  return (
    <tr class={item.id === chosen ? 'chosen' : ''} aria-current={isHere ? 'true' : undefined}>
      <td>
        <a
          class={`branch deep${Math.min(depth, deepest)}`}
          href={`#/runs/${item.id}`}
          title={`${item.id}, ${depth} forks below the first`}
        >
          {depth > 0 && <i aria-hidden="true">└ </i>}
          <State name={name} label={stateWord(item)} /> <code>{item.id}</code>
          {item.forkOf && <small> after {item.forkOf.seq}</small>}
        </a>
      </td>
      <td>
        {parent === null && <span class="soft">{item.forkOf ? 'its parent was deleted' : 'the first'}</span>}
        {parent !== null && changed.length === 0 && <span class="soft">nothing</span>}
        {changed.map(({ name: what, a, b }) => (
          <span key={what} class="change" title={`${what}: ${JSON.stringify(a)} → ${JSON.stringify(b)}`}>
            <b>{what}</b> {short(b)}
          </span>
        ))}
      </td>
      <td>
        <b class={`word ${name}`}>{stateWord(item)}</b>{' '}
        <span class="soft" title={answer ?? undefined}>
          {item.question ?? item.now}
        </span>
      </td>
      <td class="number">{score ?? ''}</td>
      <td class="number">{item.modelCalls ?? '…'}</td>
      <td class="number">{tokensOf(item)}</td>
      <td class="number">{costOf(item)}</td>
      <td class="number">{formatDuration(item.aliveMs)}</td>
      <td class="number soft" title={fullDate(item.createdAtMs)}>
        {formatAgo(item.createdAtMs, Date.now())}
      </td>
      <td>
        {parent !== null && (
          <a class="link" href={`#/compare/${parent}/${item.id}`}>
            compare
          </a>
        )}
      </td>
    </tr>
  );
}

const mostCharacters = 60;

function short(value: unknown): string {
  if (value === null) return 'none';
  const words = typeof value === 'string' ? value : JSON.stringify(value);
  return words.length > mostCharacters ? `${words.slice(0, mostCharacters)}…` : words;
}
