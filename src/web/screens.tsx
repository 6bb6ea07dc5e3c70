/** The screens that are loaded when they are opened, so that the first one stays small; and the state of the connection. */
import type { ComponentType } from 'preact';
import type { connection } from './api.ts';
import { later } from './later.tsx';
import type { ScreenProps } from './screen.ts';
import { typed } from './typed.tsx';

type Lazy = {
  readonly name: string;
  readonly address: RegExp;
  /** In the bar; null where the screen is opened from another. */
  readonly link: string | null;
  /** In the bar of a store that several hosts share alone. */
  readonly isOfShared?: boolean;
  readonly Shown: ComponentType<ScreenProps>;
};

export const screens: readonly Lazy[] = [
  {
    name: 'Sets',
    address: /^#\/sets$/,
    link: '#/sets',
    // Loaded here, as all of these: hardly any look needs every screen.
    Shown: later(async () => (await import('./sets.tsx')).Sets),
  },
  {
    name: 'Set',
    address: /^#\/sets\/([^/]+)$/,
    link: null,
    // As above.
    Shown: later(async () => (await import('./set.tsx')).SetScreen),
  },
  {
    name: 'Questions',
    address: /^#\/questions$/,
    link: '#/questions',
    // As above.
    Shown: later(async () => (await import('./questions.tsx')).Questions),
  },
  {
    name: 'Cost',
    address: /^#\/cost$/,
    link: '#/cost',
    // As above.
    Shown: later(async () => (await import('./cost.tsx')).Cost),
  },
  {
    name: 'Hosts',
    address: /^#\/hosts$/,
    link: '#/hosts',
    isOfShared: true,
    // As above.
    Shown: later(async () => (await import('./hosts.tsx')).Hosts),
  },
  {
    name: 'Compare',
    address: /^#\/compare\/([^/]+)\/([^/]+)$/,
    link: null,
    // As above.
    Shown: later(async () => (await import('./compare.tsx')).CompareScreen),
  },
  {
    name: 'Forks',
    address: /^#\/forks\/([^/]+)$/,
    link: null,
    // As above.
    Shown: later(async () => (await import('./forks.tsx')).ForksScreen),
  },
  {
    name: 'New run',
    address: /^#\/new$/,
    link: null,
    // As above.
    Shown: later(async () => (await import('./start.tsx')).StartScreen),
  },
  {
    name: 'Tour',
    address: /^#\/tour/,
    link: null,
    // As above.
    Shown: later(async () => (await import('./tour.tsx')).TourScreen),
  },
];

/** Over each screen, from when `#/tour` was opened until it is ended. Loaded as the screens are. */
export const TourLine = later(async () => (await import('./tour.tsx')).TourLine, { isPart: true });

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
  refused: 'this address holds no longer: open the one that `polya view` tells now',
  copy: 'a copy: nothing in it changes',
};

export function Connection({ state }: { readonly state: (typeof connection)['value'] }) {
  const told = words[state];
  return told === '' ? null : (
    <span class={state === 'copy' ? 'soft' : 'lost'} role="status">
      {typed(told)}
    </span>
  );
}
