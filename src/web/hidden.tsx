/** What no model was shown: gold answers, inputs, expected outputs. Folded until somebody asks for it. */
import { signal } from '@preact/signals';
import type { Event } from '../core/event.ts';
import { type Json, toJson } from '../core/json.ts';
import type { HiddenPlace } from '../notes/page-items.ts';
import { isObject } from '../text/json.ts';
import type { FoundEvent } from './api.ts';

export const hiddenShown = signal(false);

export function toggleHidden(): void {
  hiddenShown.value = !hiddenShown.value;
}

export type VisibleEvent = Omit<Event, 'body'> & { readonly body: Json };

/** As somebody reads it who has not asked for what is hidden. */
export function toVisibleEvent({ event, hidden }: FoundEvent): VisibleEvent {
  const folded = hiddenShown.value ? [] : hidden;
  return { ...event, body: folded.reduce((rest, { path }) => setAt(rest, path), toJson(event.body)) };
}

function setAt(value: Json, [name, ...path]: readonly string[]): Json {
  if (name === undefined) return '[not shown to the model: G shows it]';
  if (Array.isArray(value)) return value.map((each, at) => (String(at) === name ? setAt(each, path) : each));
  if (!isObject(value)) return value;
  return { ...value, [name]: setAt(value[name] ?? null, path) };
}

export function Hidden({ places }: { readonly places: readonly HiddenPlace[] }) {
  if (places.length === 0) return null;
  return (
    <section class="hidden">
      <h3>
        Not shown to the model
        <button type="button" aria-pressed={hiddenShown.value} onClick={toggleHidden}>
          {hiddenShown.value ? 'Fold' : 'Show'} <kbd>G</kbd>
        </button>
      </h3>
      {places.map(({ path, text }, index) => (
        <div key={String(index)}>
          <b>{path.join(' › ')}</b>
          {hiddenShown.value && <pre>{text}</pre>}
        </div>
      ))}
    </section>
  );
}
