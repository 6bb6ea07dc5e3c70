/**
 * What holds: the first layer that says something of a key, from the flags of a command down to the built-in value. A
 * flag that was not given says nothing, so its default never beats a file.
 */
import { UserError } from '../../../core/errors.ts';
import { type ConfigValue, configKeyOf, configKeys, variableOf } from './keys.ts';
import { checked, type Layer, typed, unknownKey } from './layer.ts';

export type Resolved = {
  /** With `${NAME}` expanded. Throws `UserError` where a variable is not set, or its value does not fit. */
  get(path: string): ConfigValue;
  /** As it stands where it comes from, and where that is. */
  raw(path: string): { readonly value: ConfigValue; readonly source: string };
  readonly warnings: readonly string[];
};

/** `layers` in the order in which they hold: what comes first, wins. */
export function resolveConfig(
  layers: readonly Layer[],
  env: Readonly<Record<string, string | undefined>>,
): Resolved {
  const raw = (path: string) => {
    for (const { source, values } of layers) {
      const value = values.get(path);
      if (value !== undefined) return { value, source };
    }
    return { value: knownKey(path).initial, source: 'built in' };
  };
  return {
    raw,
    get(path) {
      const { value, source } = raw(path);
      if (typeof value !== 'string' || !value.includes('${')) return value;
      return checked(knownKey(path), retyped(path, expand(value, { path, source, env })), source);
    },
    warnings: layers.flatMap((layer) => layer.warnings),
  };
}

function knownKey(path: string) {
  const key = configKeyOf.get(path);
  if (!key) throw new Error(`There is no key ${path}.`);
  return key;
}

/** `"${JOBS}"` is a number once it is expanded. */
function retyped(path: string, text: string): unknown {
  const key = knownKey(path);
  if (key.schema.safeParse(text).success) return text;
  const number = Number(text);
  if (text.trim() !== '' && !Number.isNaN(number)) return number;
  return text === 'true' ? true : text === 'false' ? false : text;
}

function expand(
  value: string,
  from: { path: string; source: string; env: Readonly<Record<string, string | undefined>> },
): string {
  return value.replaceAll(/\$\{(\w+)\}/g, (_whole, name: string) => {
    const found = from.env[name];
    if (found !== undefined && found !== '') return found;
    throw new UnsetVariable(from, name);
  });
}

/** Who does not need the value can do without it. */
export class UnsetVariable extends UserError {
  constructor({ path, source }: { readonly path: string; readonly source: string }, name: string) {
    super({
      code: 'variable-unset',
      what: `${path} is \${${name}}, and the environment has no ${name}.`,
      why: `It stands so in ${source}.`,
      fix: `Set ${name}, or write another value with \`polya ahc config ${path} …\`.`,
    });
  }
}

/** The layer of the environment: `AHC_AGENT_LLM_MODEL` and its like. Throws `UserError` for a value that does not fit. */
export function environmentLayer(env: Readonly<Record<string, string | undefined>>): Layer {
  const values = new Map<string, ConfigValue>();
  for (const key of configKeys) {
    const text = env[variableOf(key.path)];
    if (text !== undefined && text !== '') values.set(key.path, typed(key, text, variableOf(key.path)));
  }
  const known = configKeys.map(({ path }) => variableOf(path));
  const unknown = Object.keys(env).filter((name) => name.startsWith('AHC_AGENT_') && !known.includes(name));
  return {
    source: 'the environment',
    values,
    warnings: unknown.map((name) => unknownKey('The environment', name, known)),
  };
}

/** The layer of a command's flags. */
export function flagsLayer(flags: Readonly<Record<string, ConfigValue | undefined>>): Layer {
  const given = Object.entries(flags).flatMap(([path, value]) =>
    value === undefined ? [] : [[path, checked(knownKey(path), value, 'the options')] as const],
  );
  return { source: 'the options', values: new Map(given), warnings: [] };
}
