/** Keys of what is shown, where nothing is typed and no dialog is open, and what each is for. Escape leaves a field first, Enter a search. */
import { useLayoutEffect } from 'preact/hooks';

/** By key: what it is for, and what it does; a key that does nothing now is not told. */
export type Keys = Readonly<Record<string, readonly [about: string, act: KeyAction]>>;
type KeyAction = (() => void) | false | null | undefined | '';

/** Opens a screen. */
export function to(hash: string): () => void {
  return () => {
    location.hash = hash;
  };
}

const registered = new Set<Keys>();

/** The keys that have an effect now. */
export function keysNow(): readonly (readonly [key: string, about: string])[] {
  return [...registered].flatMap((keys) =>
    Object.entries(keys).flatMap(([key, [description, action]]) =>
      action ? [[key, description] as const] : [],
    ),
  );
}

export function useKeys(keys: Keys): void {
  // At once with what is shown: the next key may come before the next picture.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
      const { target } = event;
      if (
        target instanceof HTMLInputElement ||
        target instanceof HTMLTextAreaElement ||
        target instanceof HTMLSelectElement
      ) {
        // The keys of the list are the next ones that a person needs.
        const isFound = event.key === 'Enter' && target.type === 'search';
        if (isFound || event.key === 'Escape') target.blur();
        return;
      }
      // A link or a button that has the focus takes these for itself.
      const isPressed = target instanceof HTMLAnchorElement || target instanceof HTMLButtonElement;
      if (isPressed && (event.key === 'Enter' || event.key === ' ')) return;
      const [, action] = keys[event.key] ?? [];
      if (!action) return;
      event.preventDefault();
      // What it chooses now is what Enter is for.
      if (isPressed) target.blur();
      action();
    };
    registered.add(keys);
    addEventListener('keydown', onKey);
    return () => {
      registered.delete(keys);
      removeEventListener('keydown', onKey);
    };
  });
}

export type ScreenProps = { readonly names: readonly string[]; readonly isReadOnly: boolean };
