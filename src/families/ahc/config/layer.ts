/**
 * One file of configuration, read: its values by key, and what is wrong with it, key by key and line by line. A key that
 * is not known is pointed out and does no harm; a value that does not fit is an error.
 */
import { type Document, isAlias, isMap, isScalar, type Node, parseDocument, type YAMLMap } from 'yaml';
import type { z } from 'zod';
import { UserError } from '../../../core/errors.ts';
import {
  type ConfigKey,
  type ConfigValue,
  configKeyOf,
  configKeys,
  configSections,
  variableOf,
} from './keys.ts';
import { nearestOf } from './nearest.ts';

export type Layer = {
  /** For people: a path, `the environment`, `--model`. */
  readonly source: string;
  readonly values: ReadonlyMap<string, ConfigValue>;
  /** Sentences: unknown keys with the nearest known one. */
  readonly warnings: readonly string[];
};

/** `at` is the section in which the keys lie, where the file holds other things too. Throws `UserError`. */
export function parseLayer(source: string, text: string, at?: string): Layer {
  // Silent, the parser would take the first of several documents, and a change would lose the others.
  const document = parseDocument(text, { logLevel: 'error' });
  const [error] = document.errors;
  if (error) throw notYaml(source, error);
  const root = at === undefined ? document.contents : document.get(at, true);
  const values = new Map<string, ConfigValue>();
  const warnings: string[] = [];
  if (root === null || root === undefined || (isScalar(root) && root.value === null))
    return { source, values, warnings };
  if (!isMap(root)) throw shapeError(source, at ?? 'the file');
  for (const { key, value: written } of root.items) {
    const section = String(isScalar(key) ? key.value : key);
    const value = isAlias(written) ? written.resolve(document) : written;
    if (!configSections.includes(section)) {
      warnings.push(unknownKey(source, section, configSections));
      continue;
    }
    if (isScalar(value) && value.value === null) continue;
    if (!isMap(value)) throw shapeError(source, section);
    readSection(value, { source, document, section, values, warnings });
  }
  return { source, values, warnings };
}

type Reading = {
  readonly source: string;
  readonly document: Document;
  readonly section: string;
  readonly values: Map<string, ConfigValue>;
  readonly warnings: string[];
};

function readSection(map: YAMLMap, { source, document, section, values, warnings }: Reading): void {
  for (const { key, value } of map.items) {
    const path = `${section}.${String(isScalar(key) ? key.value : key)}`;
    const known = configKeyOf.get(path);
    if (known) values.set(path, checked(known, plain(value as Node | null, document, source), source));
    else
      warnings.push(
        unknownKey(
          source,
          path,
          configKeys.map((each) => each.path),
        ),
      );
  }
}

/** Throws `UserError` for a name that stands for more and more of itself. */
function plain(node: Node | null, document: Document, source: string): unknown {
  try {
    return node === null ? null : node.toJS(document);
  } catch (error) {
    throw notYaml(source, error);
  }
}

function notYaml(source: string, error: unknown): UserError {
  const [said = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return new UserError({
    code: 'yaml-invalid',
    what: `${source} is not valid YAML: ${said.replace(/[\s:.]+$/, '')}.`,
    fix: 'Correct it.',
  });
}

/** A text that holds `${NAME}` is checked when it is expanded. Throws `UserError` that never repeats a secret. */
function checked(key: ConfigKey, value: unknown, source: string): ConfigValue {
  if (typeof value === 'string' && /\$\{\w+\}/.test(value)) return value;
  const parsed = key.schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const shown = key.isSecret ? 'its value' : typeof value === 'number' ? `${value}` : JSON.stringify(value);
  throw new UserError({
    code: 'config-value-invalid',
    what: `${key.path} in ${source} cannot be ${shown}.`,
    why: `${reasonOf(parsed.error.issues[0])}.`,
    fix: `${key.path}: ${key.about}.`,
  });
}

/** Where a value may be left out, what was wrong with it as a value. */
function reasonOf(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code === 'invalid_union') return reasonOf(issue.errors.at(-1)?.[0]);
  return issue?.message ?? 'It does not fit';
}

/** A value as it was typed: a number, yes or no, a list of words, nothing (`null`), or text. */
export function typed(key: ConfigKey, typedText: string, source: string): ConfigValue {
  if (/^\s*(null|~)\s*$/i.test(typedText) && key.schema.safeParse(null).success) return null;
  // An unset variable of a shell is no wish.
  if (typedText.trim() === '') throw emptyValue(key, source);
  const asText = key.schema.safeParse(typedText);
  const asValue = (): unknown => {
    const document = parseDocument(typedText, { logLevel: 'silent' });
    return document.errors.length > 0 ? typedText : document.toJSON();
  };
  if (asText.success) return asText.data;
  // One sentence is a list of one.
  const asList = key.schema.safeParse([typedText]);
  const value = asValue();
  return asList.success && !Array.isArray(value) ? asList.data : checked(key, value, source);
}

function emptyValue({ path }: ConfigKey, source: string): UserError {
  return new UserError({
    code: 'config-value-empty',
    what: `${path} in ${source} cannot be empty.`,
    fix: `Give it a value; \`polya ahc config ${path} --unset\` takes it out of the file.`,
  });
}

function unknownKey(source: string, path: string, known: readonly string[]): string {
  const near = nearestOf(path, known);
  return `${source} has ${path}, which nothing reads${near ? `; did you mean ${near}?` : '.'}`;
}

function shapeError(source: string, what: string): UserError {
  return new UserError({
    code: 'config-shape',
    what: `${source} is not laid out as a configuration: ${what} has no keys below it.`,
    fix: 'Write it as `llm:` and, indented below it, `model: openai/gpt-5`.',
  });
}

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
