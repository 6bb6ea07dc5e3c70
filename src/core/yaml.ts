/**
 * The text of a YAML file as plain data, or what is wrong with it in words for whoever wrote it. The library tells faults of
 * form as a list and throws those that show when aliases are followed: here both are values. Pure.
 */
import { parseDocument } from 'yaml';

export type YamlText = { readonly ok: true; readonly value: unknown } | { readonly ok: false; why: string };

export function readYaml(text: string): YamlText {
  const document = parseDocument(text, { logLevel: 'error' });
  const [fault] = document.errors;
  if (fault) return { ok: false, why: worded(fault.code, fault.message.trim()) };
  try {
    return { ok: true, value: document.toJS() };
  } catch (error) {
    return { ok: false, why: error instanceof Error ? aliasFault(error.message) : String(error) };
  }
}

function worded(code: string, message: string): string {
  return code === 'MULTIPLE_DOCS' ? 'It holds several documents (`---`); one is meant.' : message;
}

function aliasFault(message: string): string {
  return message.startsWith('Excessive alias count')
    ? 'Its aliases refer to one another so often that it would grow without bound.'
    : `${message}.`;
}
