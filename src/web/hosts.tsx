/** The hosts of a store that several share: what each can do, what it has in hand, and when it was last heard. */
import type { HostItem } from '../notes/page-items.ts';
import { count } from '../text/format.ts';
import { Command } from './controls.tsx';
import { to, useKeys } from './keys.ts';
import { usePolling } from './looking.ts';
import { Bar } from './set-parts.tsx';
import { State } from './states.tsx';
import { formatAgo, fullDate } from './words.ts';

const lookEveryMs = 2_000;
/** A worker says every 2 s that it lives. */
const longQuietMs = 5_000;

export function Hosts() {
  const { found, problem } = usePolling<{ readonly hosts: readonly HostItem[] }>({
    path: () => '/hosts',
    everyMs: lookEveryMs,
  });
  useKeys({ Escape: ['back', to('#/')] });
  if (!found) return <main class="empty">{problem}</main>;
  const { hosts } = found;
  if (hosts.length === 0) {
    return (
      <main class="empty">
        <h1>No worker is there</h1>
        <p>
          <Command>polya worker --slots 4</Command> on each host lets it take rows of run-sets; until then a
          set is done where it is started.
        </p>
      </main>
    );
  }
  const slots = hosts.reduce((sum, each) => sum + each.slots, 0);
  const used = hosts.reduce((sum, { runs }) => sum + runs.length, 0);
  return (
    <main class="run">
      <header class="top">
        <h1>
          {count(new Set(hosts.map(({ host }) => host)).size, 'host')}{' '}
          <small>
            {used} of {count(slots, 'slot')} at work
          </small>
        </h1>
        <p class="facts">
          <Command>polya worker --list</Command>
        </p>
        {problem !== '' && <p class="bad">{problem}</p>}
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard. */}
      <section class="hosts" aria-label="Hosts" tabIndex={0}>
        {hosts.map((host) => (
          <Host key={host.id} host={host} />
        ))}
      </section>
    </main>
  );
}

function Host({ host }: { readonly host: HostItem }) {
  const { runs, slots, seenMsAgo, codeVersion, isolation, toolchains, providers, only } = host;
  const isQuiet = seenMsAgo >= longQuietMs;
  const entries: readonly (readonly [string, string])[] = [
    ['version', codeVersion],
    ['programs', isolation === null ? 'none' : `in ${isolation}`],
    ['toolchains', toolchains.join(', ')],
    ['models', providers.join(', ') || 'scripts only: no key is set there'],
    ['only', only.join(', ')],
  ];
  return (
    <article class="host">
      <h2 title={`${host.id}, since ${fullDate(host.startedAtMs)}`}>
        <span class="cut">{host.host}</span>
        <Bar share={runs.length / slots} />
        <span class="soft">
          {runs.length} of {slots}
        </span>
        <span class="space" />
        <span class={`age ${isQuiet ? 'stuck' : ''}`}>heard {formatAgo(0, seenMsAgo)}</span>
      </h2>
      {runs.map(({ id, title }) => (
        <a key={id} class="button" href={`#/runs/${id}`} title={id}>
          <State name="running" label="running" /> <span class="cut">{title}</span>
        </a>
      ))}
      {runs.length === 0 && (
        <p class="soft">
          It waits for rows: <Command>polya run-set run FILE</Command> gives some out.
        </p>
      )}
      <dl>
        {entries.map(([name, value]) =>
          value === '' ? null : (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
        )}
      </dl>
    </article>
  );
}
