/** Which keys JSON has, and of which types their values are: by path, as `rows[].usage.tokens`. Values do not count. */

export type Shape = Readonly<Record<string, string>>;

export function shapeOf(value: unknown): Shape {
  const types = new Map<string, Set<string>>();
  collect('', value, types);
  return Object.fromEntries([...types].sort().map(([path, found]) => [path, [...found].sort().join('|')]));
}

function collect(path: string, value: unknown, types: Map<string, Set<string>>): void {
  const found = types.get(path) ?? new Set();
  types.set(path, found.add(typeOf(value)));
  if (Array.isArray(value)) for (const each of value) collect(`${path}[]`, each, types);
  else if (typeof value === 'object' && value !== null)
    for (const [key, each] of Object.entries(value)) collect(`${path}.${keyOf(key)}`, each, types);
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** A name that differs from run to run stands for all such: ids, numbers, paths, models by their files. */
function keyOf(key: string): string {
  return /^\d|[/:]|\s/.test(key) ? '*' : key;
}

/**
 * What somebody who reads `then` would miss in `now`, or would find to be something else. Null is what is not known, which
 * any value may be. Of what depends on the machine, only the keys of the document itself have to be there.
 */
export function missing(now: Shape, then: Shape, { isMachine = false } = {}): readonly string[] {
  return Object.entries(then).flatMap(([path, before]) => {
    const after = now[path];
    const isOwn = /^(\[\])?\.?[^.[]*$/.test(path);
    if (after === undefined) return isMachine && !isOwn ? [] : [`${path} is missing: it was ${before}`];
    if (isMachine || before === 'null') return [];
    const known = [...before.split('|'), 'null'];
    return after.split('|').every((type) => known.includes(type))
      ? []
      : [`${path} is ${after}: it was ${before}`];
  });
}
