/** Files of JSON lines that several processes add to. What cannot be read is counted, left where it is, and skipped. */
import type { z } from 'zod';
import type { Folder } from '../../../core/io.ts';

export type Lines<T> = { readonly values: readonly T[]; readonly damaged: number };

export async function readLines<T>(
  folder: Pick<Folder, 'read'>,
  name: string,
  schema: z.ZodType<T>,
): Promise<Lines<T>> {
  const values: T[] = [];
  let damaged = 0;
  for (const line of ((await folder.read(name)) ?? '').split('\n')) {
    if (line.trim() === '') continue;
    const parsed = schema.safeParse(jsonIn(line));
    if (parsed.success) values.push(parsed.data);
    else damaged += 1;
  }
  return { values, damaged };
}

/** What a process was killed in the middle of must not swallow the line that comes after it. */
export async function appendLine(folder: Folder, name: string, value: unknown): Promise<void> {
  const before = await folder.readBytes(name);
  const isBroken = before !== null && before.length > 0 && before.at(-1) !== newline;
  await folder.append(name, `${isBroken ? '\n' : ''}${JSON.stringify(value)}`);
}

const newline = 0x0a;

function jsonIn(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
