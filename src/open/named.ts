/**
 * Finds an agent or a family by its name: what the library was handed first, then those that come with Polya, loaded
 * once, then those in files of the user's.
 */
import { UserError } from '../core/errors.ts';
import type { CodeFiles } from '../run/world.ts';

export type Named<T> = {
  readonly noun: 'agent' | 'family';
  /** Handed to the library. */
  readonly own: readonly T[];
  /** Those that come with Polya. */
  readonly loaders: Readonly<Record<string, () => Promise<T>>>;
  readonly brought?: {
    find(name: string, code?: CodeFiles): Promise<T | null>;
    names(): Promise<readonly string[]>;
  };
};

/** Looks up names. Throws `UserError` for one that is not known, with those that are. */
export function lookup<T extends { readonly name: string }>({
  noun,
  own,
  loaders,
  brought,
}: Named<T>): (name: string, code?: CodeFiles) => Promise<T> {
  const loaded = new Map<string, Promise<T>>();
  return async (name, code) => {
    const mine = own.find((each) => each.name === name);
    if (mine) return mine;
    const load = Object.hasOwn(loaders, name) ? loaders[name] : undefined;
    if (load) {
      const known = loaded.get(name) ?? load();
      loaded.set(name, known);
      return known;
    }
    const found = await brought?.find(name, code);
    if (found) return found;
    const names = [
      ...own.map((each) => each.name),
      ...Object.keys(loaders),
      ...((await brought?.names()) ?? []),
    ];
    const howToBring = brought
      ? ` One of your own is named by its file (\`--${noun} ./${name || 'mine'}.ts\`), or in polya.config.ts.`
      : '';
    throw new UserError({
      code: 'no',
      what: `There is no ${noun} ${name}.`,
      fix: `There are: ${names.join(', ')}.${howToBring}`,
    });
  };
}
