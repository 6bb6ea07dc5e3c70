/**
 * What was compiled before, by what it was compiled from: one file an entry, in the staging folder, which no sandbox
 * sees. Bounded by size; the entry that was not used for longest goes first. Processes may use it at once: entries
 * appear and disappear whole, and one whose content is not what was written counts as none.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StepResult } from '../core/sandbox.ts';

export type Compiled = {
  readonly step: StepResult;
  /** Null where it failed, or nothing was to be made. */
  readonly program: Buffer | null;
};

export type CompileCache = {
  get(key: string): Promise<Compiled | null>;
  /** Where there is no room or no right to write, nothing is kept. */
  put(key: string, compiled: Compiled): Promise<void>;
};

const [blockBytes, digestLength] = [4096, 64];
/** After a pruning there is room for a while. */
const share = 0.9;
/** Of a process that was killed while it wrote. */
const staleDraftMs = 600_000;

export function openCompileCache(folder: string, maxBytes = 256 * 2 ** 20): CompileCache {
  return {
    async get(key) {
      const path = join(folder, key);
      const bytes = await readFile(path).catch(() => null);
      if (bytes === null) return null;
      const compiled = decode(bytes);
      const now = new Date();
      await (compiled === null ? rm(path, { force: true }) : utimes(path, now, now).catch(() => {}));
      return compiled;
    },
    async put(key, compiled) {
      try {
        await write(folder, key, encode(compiled));
        await prune(folder, maxBytes);
      } catch {
        // The next compilation is as slow as this one was; nothing else is lost.
      }
    },
  };
}

/** Parts are told apart by their lengths, so that nothing can pass for something else. */
export function cacheKey(parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) {
    const bytes = typeof part === 'string' ? Buffer.from(part) : part;
    hash.update(`${bytes.length}:`).update(bytes);
  }
  return hash.digest('hex');
}

async function write(folder: string, key: string, bytes: Buffer): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = join(folder, `${key}.${randomUUID()}`);
  try {
    await writeFile(draft, bytes, { mode: 0o600 });
    await rename(draft, join(folder, key));
  } finally {
    await rm(draft, { force: true });
  }
}

function encode({ step, program }: Compiled): Buffer {
  const head = Buffer.from(`${JSON.stringify({ step, hasProgram: program !== null })}\n`);
  const content = Buffer.concat([head, program ?? Buffer.alloc(0)]);
  return Buffer.concat([Buffer.from(`${digestOf(content)}\n`), content]);
}

function decode(bytes: Buffer): Compiled | null {
  const content = bytes.subarray(digestLength + 1);
  if (bytes.toString('latin1', 0, digestLength) !== digestOf(content)) return null;
  const end = content.indexOf(10);
  // It is what we wrote, so it has the form that we gave it.
  const head = JSON.parse(content.toString('utf8', 0, end)) as { step: StepResult; hasProgram: boolean };
  return { step: head.step, program: head.hasProgram ? content.subarray(end + 1) : null };
}

function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

async function prune(folder: string, maxBytes: number): Promise<void> {
  const names = await readdir(folder);
  const found = await Promise.all(names.map((name) => entryOf(folder, name)));
  const entries = found.filter((entry) => entry !== null);
  let bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
  const isFull = bytes > maxBytes;
  for (const entry of entries.toSorted((a, b) => a.usedAtMs - b.usedAtMs)) {
    const isStale = entry.isDraft && Date.now() - entry.usedAtMs > staleDraftMs;
    if (!isStale && (!isFull || bytes <= maxBytes * share)) continue;
    await rm(entry.path, { force: true });
    bytes -= entry.bytes;
  }
}

/** Null where another process removed it at the same moment. */
async function entryOf(folder: string, name: string) {
  const path = join(folder, name);
  const info = await stat(path).catch(() => null);
  const bytes = Math.ceil((info?.size ?? 0) / blockBytes) * blockBytes;
  return info && { path, bytes, usedAtMs: info.mtimeMs, isDraft: name.includes('.') };
}
