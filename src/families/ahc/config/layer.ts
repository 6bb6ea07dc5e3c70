/**
 * One file of configuration, read: its values by key, and what is wrong with it, key by key and line by line. A key that
 * is not known is pointed out and does no harm; a value that does not fit is an error.
 */
import { isMap, isScalar, type Node, parseDocument, type YAMLMap } from 'yaml';
import type { z } from 'zod';
import { UserError } from '../../../core/errors.ts';
import { type ConfigKey, type ConfigValue, configKeyOf, configKeys, configSections } from './keys.ts';
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
  const document = parseDocument(text, { logLevel: 'silent' });
  const [error] = document.errors;
  if (error) {
    throw new UserError({
      what: `${source} is not valid YAML: ${error.message.split('\n')[0]}`,
      fix: 'Correct it.',
    });
  }
  const root = at === undefined ? document.contents : document.get(at, true);
  const values = new Map<string, ConfigValue>();
  const warnings: string[] = [];
  if (root === null || root === undefined || (isScalar(root) && root.value === null))
    return { source, values, warnings };
  if (!isMap(root)) throw shapeError(source, at ?? 'the file');
  for (const { key, value } of root.items) {
    const section = String(isScalar(key) ? key.value : key);
    if (!configSections.includes(section)) {
      warnings.push(unknownKey(source, section, configSections));
      continue;
    }
    if (isScalar(value) && value.value === null) continue;
    if (!isMap(value)) throw shapeError(source, section);
    readSection(value, { source, section, values, warnings });
  }
  return { source, values, warnings };
}

type Reading = {
  readonly source: string;
  readonly section: string;
  readonly values: Map<string, ConfigValue>;
  readonly warnings: string[];
};

function readSection(map: YAMLMap, { source, section, values, warnings }: Reading): void {
  for (const { key, value } of map.items) {
    const path = `${section}.${String(isScalar(key) ? key.value : key)}`;
    const known = configKeyOf.get(path);
    if (known) values.set(path, checked(known, plain(value as Node | null), source));
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

function plain(node: Node | null): unknown {
  return node === null ? null : node.toJSON();
}

/** A text that holds `${NAME}` is checked when it is expanded. Throws `UserError` that never repeats a secret. */
export function checked(key: ConfigKey, value: unknown, source: string): ConfigValue {
  if (typeof value === 'string' && /\$\{\w+\}/.test(value)) return value;
  const parsed = key.schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const shown = key.isSecret ? 'its value' : JSON.stringify(value);
  throw new UserError({
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

/** A value as it was typed: a number, yes or no, a list of words, or text. */
export function typed(key: ConfigKey, typedText: string, source: string): ConfigValue {
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

export function unknownKey(source: string, path: string, known: readonly string[]): string {
  const near = nearestOf(path, known);
  return `${source} has ${path}, which nothing reads${near ? `; did you mean ${near}?` : '.'}`;
}

function shapeError(source: string, what: string): UserError {
  return new UserError({
    what: `${source} is not laid out as a configuration: ${what} has no keys below it.`,
    fix: 'Write it as `llm:` and, indented below it, `model: openai/gpt-5`.',
  });
}
