/** The screens that are loaded when they are opened, so that the first one stays small; and the state of the connection. */
import type { ComponentType } from 'preact';
import type { connection } from './api.ts';
import { typed } from './controls.tsx';
import type { ScreenProps } from './keys.ts';
import { lazyComponent } from './later.tsx';

type Lazy = {
  readonly name: string;
  readonly address: RegExp;
  /** In the bar; null where the screen is opened from another. */
  readonly link: string | null;
  /** In the bar of a store that several hosts share alone. */
  readonly isOfShared: boolean;
  readonly Shown: ComponentType<ScreenProps>;
};

function lazy(
  name: string,
  address: RegExp,
  load: () => Promise<ComponentType<ScreenProps>>,
  { link = null, isOfShared = false }: Partial<Pick<Lazy, 'link' | 'isOfShared'>> = {},
): Lazy {
  return { name, address, link, isOfShared, Shown: lazyComponent(load) };
}

// Loaded here, all of these: hardly any look needs every screen.
const [sets, set] = [() => import('./sets.tsx'), () => import('./set.tsx')];
// As above.
const [questions, cost] = [() => import('./questions.tsx'), () => import('./cost.tsx')];
// As above.
const [hosts, compare] = [() => import('./hosts.tsx'), () => import('./compare.tsx')];
// As above.
const [forks, start] = [() => import('./forks.tsx'), () => import('./start.tsx')];

export const screens: readonly Lazy[] = [
  lazy('Sets', /^#\/sets$/, async () => (await sets()).Sets, { link: '#/sets' }),
  lazy('Set', /^#\/sets\/([^/]+)$/, async () => (await set()).SetScreen),
  lazy('Questions', /^#\/questions$/, async () => (await questions()).Questions, { link: '#/questions' }),
  lazy('Cost', /^#\/cost$/, async () => (await cost()).Cost, { link: '#/cost' }),
  lazy('Hosts', /^#\/hosts$/, async () => (await hosts()).Hosts, { link: '#/hosts', isOfShared: true }),
  lazy('Compare', /^#\/compare\/([^/]+)\/([^/]+)$/, async () => (await compare()).CompareScreen),
  lazy('Forks', /^#\/forks\/([^/]+)$/, async () => (await forks()).ForksScreen),
  lazy('New run', /^#\/new$/, async () => (await start()).StartScreen),
];

type Props = { readonly screen: Lazy; readonly address: string; readonly isReadOnly: boolean };

export function Screen({ screen: { address: pattern, Shown }, address, isReadOnly }: Props) {
  const [, ...names] = pattern.exec(address) ?? [];
  return <Shown names={names.map(decoded)} isReadOnly={isReadOnly} />;
}

/** What is typed into the address may be no encoding: then it is the name of nothing. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

const words: Readonly<Record<(typeof connection)['value'], string>> = {
  waiting: '',
  live: '',
  lost: 'not connected, trying again',
  ended: 'the server has ended: `polya view` starts it again',
  refused: 'this page was opened at an earlier server: open the link that `polya view` prints',
  copy: 'a copy: nothing in it changes',
};

export function Connection({ state }: { readonly state: (typeof connection)['value'] }) {
  const text = words[state];
  return text === '' ? null : (
    <span class={state === 'copy' ? 'soft' : 'lost'} role="status">
      {typed(text)}
    </span>
  );
}
