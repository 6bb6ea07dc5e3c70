/** What the family needs of the user's files; the composition root brings it. JSON is parsed once as long as it is the same. */
import { UserError } from '../../core/errors.ts';

export type ArcFiles = {
  /** The path under which any folder finds it. */
  absolute(path: string): string;
  /** Null where there is no such file. */
  read(path: string): Promise<string | null>;
  /** The names of the files in a folder, sorted; null where there is no such folder. */
  filesIn(path: string): Promise<readonly string[] | null>;
};

/** The value of a JSON file; undefined where there is no such file. Throws `UserError` where it is not JSON. */
export type JsonReader = (path: string) => Promise<unknown>;

export function readJsonOf(files: ArcFiles): JsonReader {
  return async (path) => {
    const text = await files.read(path);
    return text === null ? undefined : parseJson(text, path);
  };
}

const mostKept = 4;

/**
 * The same for a process that reads the same large files for each of their tasks. Every call looks into the file: what
 * has changed is parsed anew. What it returns is shared and must not be changed.
 */
export function keptJsonOf(files: ArcFiles): JsonReader {
  const kept = new Map<string, { readonly text: string; readonly value: unknown }>();
  return async (path) => {
    const text = await files.read(path);
    if (text === null) return undefined;
    const known = kept.get(path);
    if (known?.text === text) return known.value;
    const value = parseJson(text, path);
    kept.delete(path);
    kept.set(path, { text, value });
    const [oldest] = kept.keys();
    if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
    return value;
  };
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UserError({
      code: 'json-invalid',
      what: `${path} is not JSON.`,
      why: text.trim() === '' ? 'It is empty.' : error instanceof Error ? `${error.message}.` : '',
      fix: 'It may be cut off, or another file was meant; docs/arc.md describes the forms.',
    });
  }
}
