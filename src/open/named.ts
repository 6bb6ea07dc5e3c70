/** Finds an agent or a family by its name: the user's own first, then those that come with Polya, loaded once. */
import { UserError } from '../core/errors.ts';

/** Looks up names. Throws `UserError` for one that is not known, with those that are. */
export function lookup<T extends { readonly name: string }>(
  noun: string,
  own: readonly T[],
  loaders: Readonly<Record<string, () => Promise<T>>>,
): (name: string) => Promise<T> {
  const loaded = new Map<string, Promise<T>>();
  return async (name) => {
    const mine = own.find((each) => each.name === name);
    if (mine) return mine;
    const load = Object.hasOwn(loaders, name) ? loaders[name] : undefined;
    if (!load) {
      const names = [...own.map((each) => each.name), ...Object.keys(loaders)].join(', ');
      throw new UserError({ code: 'no', what: `There is no ${noun} ${name}.`, fix: `There are: ${names}.` });
    }
    const known = loaded.get(name) ?? load();
    loaded.set(name, known);
    return known;
  };
}
