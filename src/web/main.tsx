/** The page: its bar, and the screen that the address names. */
import { effect, signal } from '@preact/signals';
import { render } from 'preact';
import { useState } from 'preact/hooks';
import { connection, copyStart, get, type Store, store } from './api.ts';
import { calledAs } from './controls.tsx';
import { Help } from './help.tsx';
import { useKeys } from './keys.ts';
import { RunScreen } from './run.tsx';
import { counts, watchRuns } from './run-list.ts';
import { Runs } from './runs.tsx';
import { Connection, Screen, screens } from './screens.tsx';

const route = signal(location.hash || copyStart);

addEventListener('hashchange', () => {
  route.value = location.hash;
});

function Page() {
  const [, name = '', part, opened] =
    /^#\/runs\/([^/]+)(?:\/(\d+|panels)(?:\/(\d+))?)?$/.exec(route.value) ?? [];
  const { runs = 0, running = 0, waiting = 0 } = counts.value ?? {};
  const [isHelping, setHelping] = useState(false);
  useKeys({ '?': ['all keys', () => setHelping(true)] });
  const screen = screens.find(({ address }) => address.test(route.value));
  return (
    <>
      <header class="bar">
        <a class="name" href="#/">
          Polya
        </a>
        <nav>
          {copyStart === '' && (
            <a href="#/" aria-current={name === '' && !screen ? 'page' : undefined}>
              Runs <small>{runs}</small>
            </a>
          )}
          {screens.map(({ name: own, link, address, isOfShared }) =>
            link === null || copyStart !== '' || (isOfShared && !store.value?.isShared) ? null : (
              <a key={own} href={link} aria-current={address.test(route.value) ? 'page' : undefined}>
                {own} {own === 'Questions' && waiting > 0 && <b class="asks">{waiting}</b>}
              </a>
            ),
          )}
        </nav>
        <span class="space" />
        {running > 0 && <span class="live">{running} running</span>}
        <Connection state={connection.value} />
        <button type="button" aria-label="Keys" onClick={() => setHelping(true)}>
          <kbd>?</kbd>
        </button>
      </header>
      {screen ? (
        <Screen
          key={route.value}
          screen={screen}
          address={route.value}
          isReadOnly={store.value?.isReadOnly ?? true}
        />
      ) : name === '' ? (
        <Runs home={store.value?.home ?? ''} isReadOnly={store.value?.isReadOnly ?? true} />
      ) : (
        <RunScreen
          key={name}
          id={name}
          event={part && part !== 'panels' ? Number(part) : null}
          showsPanels={part === 'panels'}
          opened={opened ? Number(opened) : null}
          isReadOnly={store.value?.isReadOnly ?? true}
        />
      )}
      {isHelping && <Help onClose={() => setHelping(false)} />}
    </>
  );
}

effect(() => {
  const named = /^#\/runs\/([^/]+)/.exec(route.value)?.[1];
  document.title = named ? `${named} · Polya` : 'Polya';
});

watchRuns();
get<Store>('/store').then((found) => {
  store.value = found;
  calledAs.value = found.calledAs;
});

const root = document.getElementById('page');
if (root) render(<Page />, root);
