/**
 * One file of configuration, read: its values by key, and what is wrong with it, key by key and line by line. A key that
 * is not known is pointed out and does no harm; a value that does not fit is an error.
 */
import { type Document, isAlias, isMap, isNode, isScalar, parseDocument } from 'yaml';
import type { z } from 'zod';
import { UserError } from '../../../core/errors.ts';
import { nearestOf } from '../../../text/nearest.ts';
import {
  type ConfigKey,
  type ConfigValue,
  configKeyOf,
  configKeys,
  configSections,
  variableOf,
} from './keys.ts';

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
  for (const [section, output] of entriesOf(root, source, at ?? 'the file')) {
    const below = isAlias(output) ? (output.resolve(document) ?? output) : output;
    if (!configSections.includes(section)) {
      warnings.push(unknownKey(source, section, configSections));
      continue;
    }
    for (const [name, value] of entriesOf(below, source, section)) {
      const path = `${section}.${name}`;
      const key = configKeyOf.get(path);
      if (key) values.set(path, checked(key, plain(value, document, source), source));
      else warnings.push(unknownKey(source, path, [...configKeyOf.keys()]));
    }
  }
  return { source, values, warnings };
}

/** What stands below a key; nothing where it is empty. Throws `UserError` where it is no mapping. */
function entriesOf(node: unknown, source: string, place: string): readonly (readonly [string, unknown])[] {
  if (node === null || node === undefined || (isScalar(node) && node.value === null)) return [];
  if (isMap(node))
    return node.items.map(({ key, value }) => [String(isScalar(key) ? key.value : key), value]);
  throw new UserError({
    code: 'config-shape',
    what: `${source} is not laid out as a configuration: ${place} has no keys below it.`,
    fix: 'Write it as `llm:` and, indented below it, `model: openai/gpt-5`.',
  });
}

/** Throws `UserError` for an alias that contains itself. */
function plain(node: unknown, document: Document, source: string): unknown {
  try {
    return isNode(node) ? node.toJS(document) : null;
  } catch (error) {
    throw notYaml(source, error);
  }
}

function notYaml(source: string, error: unknown): UserError {
  const [text = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return new UserError({
    code: 'yaml-invalid',
    what: `${source} is not valid YAML: ${text.replace(/[\s:.]+$/, '')}.`,
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
  if (typedText.trim() === '')
    throw new UserError({
      code: 'config-value-empty',
      what: `${key.path} in ${source} cannot be empty.`,
      fix: `Give it a value; \`polya ahc config ${key.path} --unset\` takes it out of the file.`,
    });
  const asText = key.schema.safeParse(typedText);
  if (asText.success) return asText.data;
  const document = parseDocument(typedText, { logLevel: 'silent' });
  const value: unknown = document.errors.length > 0 ? typedText : document.toJSON();
  // One sentence is a list of one.
  const asList = key.schema.safeParse([typedText]);
  return asList.success && !Array.isArray(value) ? asList.data : checked(key, value, source);
}

function unknownKey(source: string, path: string, known: readonly string[]): string {
  const nearby = nearestOf(path, known);
  return `${source} has ${path}, which nothing reads${nearby ? `; did you mean ${nearby}?` : '.'}`;
}

export type Resolved = {
  /** With `${NAME}` expanded. Throws `UserError` where a variable is not set, or its value does not fit. */
  get(path: string): ConfigValue;
  /** The value as written, and its file. */
  raw(path: string): { readonly value: ConfigValue; readonly source: string };
  readonly warnings: readonly string[];
};

type Environment = Readonly<Record<string, string | undefined>>;

/** `layers` in the order in which they hold: what comes first, wins. */
export function resolveConfig(layers: readonly Layer[], env: Environment): Resolved {
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
      const expanded = value.replaceAll(/\$\{(\w+)\}/g, (_whole, name: string) => {
        const found = env[name];
        if (found === undefined || found === '') throw new UnsetVariableError(path, source, name);
        return found;
      });
      return checked(knownKey(path), parseTyped(path, expanded), source);
    },
    warnings: layers.flatMap((layer) => layer.warnings),
  };
}

function knownKey(path: string): ConfigKey {
  const key = configKeyOf.get(path);
  if (!key) throw new Error(`There is no key ${path}.`);
  return key;
}

/** `"${JOBS}"` is a number once it is expanded. */
function parseTyped(path: string, text: string): unknown {
  if (knownKey(path).schema.safeParse(text).success) return text;
  if (text.trim() !== '' && !Number.isNaN(Number(text))) return Number(text);
  return text === 'true' ? true : text === 'false' ? false : text;
}

/** An error of its own class: a command that does not need the value goes on without it. */
export class UnsetVariableError extends UserError {
  constructor(path: string, source: string, name: string) {
    super({
      code: 'variable-unset',
      what: `${path} is \${${name}}, and the environment has no ${name}.`,
      why: `It stands so in ${source}.`,
      fix: `Set ${name}, or write another value with \`polya ahc config ${path} …\`.`,
    });
  }
}

/** The layer of the environment: `AHC_AGENT_LLM_MODEL` and its like. Throws `UserError` for a value that does not fit. */
export function environmentLayer(env: Environment): Layer {
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
  const input = Object.entries(flags).flatMap(([path, value]) =>
    value === undefined ? [] : [[path, checked(knownKey(path), value, 'the options')] as const],
  );
  return { source: 'the options', values: new Map(input), warnings: [] };
}
