/** What drawings of blocks share: what they are given, the way to an event, and the sign of a tone. */
import type { ComponentChildren } from 'preact';
import type { Block, PanelTone } from '../notes/panel.ts';
import { hiddenShown, toggleHidden } from './hidden.tsx';
import { State } from './states.tsx';

export type BlockProps<Kind extends Block = Block> = { readonly run: string; readonly block: Kind };

type AtProps = {
  readonly run: string;
  readonly seq: number | undefined;
  readonly children?: ComponentChildren;
};

/** Leads to the event that tells it; without one, what is in it stands as it is. */
export function At({ run, seq, children }: AtProps) {
  if (seq === undefined) return <>{children}</>;
  return (
    <a class="at" href={`#/runs/${run}/${seq}`} title={`told by event ${seq}`}>
      {children ?? `event ${seq}`}
    </a>
  );
}

/** A colour alone tells nothing to those who cannot see it. */
export function Mark({ tone }: { readonly tone: PanelTone | undefined }) {
  if (tone !== 'good' && tone !== 'bad') return null;
  return <State name={tone === 'good' ? 'solved' : 'wrong'} label={tone === 'good' ? 'good' : 'bad'} />;
}

/** Asks for what no model was shown. */
export function HiddenMark() {
  return (
    <button type="button" class="unseen" aria-pressed={hiddenShown.value} onClick={toggleHidden}>
      {hiddenShown.value ? 'Fold' : 'hidden'} <kbd>G</kbd>
    </button>
  );
}
