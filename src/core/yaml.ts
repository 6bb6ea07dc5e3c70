/** The text of a YAML file as plain data, or its fault in words: of form, or found when aliases are followed. */
import { type Document, isScalar, LineCounter, parseDocument, visit } from 'yaml';

export type YamlText = { readonly ok: true; readonly value: unknown } | { readonly ok: false; why: string };

export function readYaml(text: string): YamlText {
  const { document, fault } = parseYaml(text);
  if (fault !== null) return { ok: false, why: fault };
  try {
    return { ok: true, value: document.toJS() };
  } catch (error) {
    return { ok: false, why: error instanceof Error ? aliasIssue(error.message) : String(error) };
  }
}

/** The document, with the first syntax error in words. */
function parseYaml(text: string): { readonly document: Document; readonly fault: string | null } {
  const lineCounter = new LineCounter();
  // The library would compare each key with all before it, and draw the line of each fault: both is quadratic.
  const options = { logLevel: 'error', prettyErrors: false, uniqueKeys: false, lineCounter } as const;
  const document = parseDocument(text, options);
  const [first] = document.errors;
  if (first?.code === 'MULTIPLE_DOCS')
    return { document, fault: 'It holds several documents (`---`); one is meant.' };
  const issue = first ? { at: first.pos[0], message: first.message.trim() } : findDuplicateKey(document);
  return { document, fault: issue && `${issue.message}${placeText(text, issue.at, lineCounter)}` };
}

type YamlIssue = { readonly at: number; readonly message: string };

function findDuplicateKey(document: Document): YamlIssue | null {
  let found: YamlIssue | null = null;
  visit(document, {
    Map(_, { items }) {
      const keys = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (keys.has(key.value)) {
          found = { at: key.range?.[0] ?? -1, message: 'Map keys must be unique' };
          return visit.BREAK;
        }
        keys.add(key.value);
      }
      return undefined;
    },
  });
  return found;
}

/** Line and column, and the line itself around it. */
function placeText(text: string, at: number, lines: LineCounter): string {
  if (at < 0) return '';
  const { line, col } = lines.linePos(at);
  const from = Math.max(at - col + 1, at - 40);
  const [shown = ''] = text.slice(from, from + 80).split(/[\r\n]/);
  const place = ` at line ${line}, column ${col}`;
  return shown.trim() === '' ? place : `${place}:\n\n${shown}\n${' '.repeat(at - from)}^`;
}

function aliasIssue(message: string): string {
  return message.startsWith('Excessive alias count')
    ? 'Its aliases refer to one another so often that it would grow without bound.'
    : `${message}.`;
}
