/**
 * What a session's folder costs: the time of a call whose program changes one file, from journal to journal, against the
 * same call outside of a session; and what 50 such calls leave in the store, against the folder once. The sandbox only
 * hands the folder on.
 */
import { statSync } from 'node:fs';
import { z } from 'zod';
import type { Agent } from '../src/core/agent.ts';
import { decodeFolder, encodeFolder, type FolderEntry } from '../src/core/folder-archive.ts';
import type { Sandbox, StepResult } from '../src/core/sandbox.ts';
import { noSandbox } from '../test/support/no-sandbox.ts';
import { instantModel } from './calling.ts';
import { type Bench, median, type Row, timed } from './measure.ts';
import { openWorld, runToEnd } from './world.ts';

type Size = { readonly what: string; readonly files: number; readonly bytes: number };
type Times = { readonly inside: number[]; readonly outside: number[] };

const calls = 50;
const sizes: readonly Size[] = [
  { what: '1 text of 1 KB', files: 1, bytes: 1_000 },
  { what: '100 texts of 10 KB', files: 100, bytes: 10_000 },
  { what: '15 files of 1 MB, no text', files: 15, bytes: 1_000_000 },
];

export const session: Bench = {
  name: 'session',
  async run() {
    const rows: Row[] = [];
    for (const size of sizes) rows.push(...(await costOf(size)));
    return rows;
  },
};

async function costOf(size: Size): Promise<readonly Row[]> {
  const times: Times = { inside: [], outside: [] };
  await using world = openWorld({ agent: agentOf(times), model: instantModel, sandbox: handOn(size) });
  await runToEnd(world, 'run');
  world.checkpoint();
  const [measured, floor] = [median(times.inside), median(times.outside)];
  const [stored, once] = [statSync(world.file).size / 1000, (size.files * size.bytes) / 1000];
  const time = { unit: 'ms', against: 'the same call outside of a session', measured, floor };
  const room = { unit: 'KB', against: 'the folder, once', measured: stored, floor: once };
  return [
    { what: `a call, ${size.what}`, ...time, ratio: measured / floor, aim: null },
    { what: `the store after ${calls} calls, ${size.what}`, ...room, ratio: stored / once, aim: null },
  ];
}

function agentOf({ inside, outside }: Times): Agent {
  return {
    name: 'bench',
    settings: z.object({}),
    needs: [],
    roles: ['solver'],
    prompts: {},
    async solve(_problem, run) {
      const kept = run.session();
      for (let n = 0; n < calls; n += 1) {
        const request = { language: 'python', source: String(n) } as const;
        inside.push(await timed(() => kept.exec(request)));
        outside.push(await timed(() => run.exec(request)));
      }
      return { end: 'answered' };
    },
  };
}

/** Its program writes one file of many anew. The first one makes them all. */
function handOn({ files, bytes, what }: Size): Sandbox {
  const isText = what.includes('text') && !what.includes('no text');
  const file = (n: number, seed: number): FolderEntry => ({
    type: 'file',
    path: `data/${String(n).padStart(3, '0')}`,
    executable: false,
    bytes: content(seed, bytes, isText),
  });
  return {
    ...noSandbox,
    async exec({ source, folder, keepFolder }) {
      const ran = { backend: 'bench', compile: null, run: step };
      if (!keepFolder) return { ...ran, folder: null, folderBytes: null };
      const lying = folder ? [...decodeFolder(folder)] : Array.from({ length: files }, (_, n) => file(n, n));
      lying[Number(source) % files] = file(Number(source) % files, files + Number(source));
      const left = encodeFolder(lying);
      return { ...ran, folder: left, folderBytes: left.length };
    },
  };
}

/** Noise that compresses like words, or not at all. */
function content(seed: number, length: number, isText: boolean): Uint8Array {
  let state = seed * 2654435761 + 1;
  const made = new Uint8Array(length);
  for (let at = 0; at < length; at += 1) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    made[at] = isText ? 97 + ((state >>> 16) % 12) : state >>> 16;
  }
  return made;
}

const output = { text: '', bytes: 0, cut: false };
const step: StepResult = {
  verdict: 'ok',
  exitCode: 0,
  signal: null,
  stdout: output,
  stderr: output,
  wallMs: 1,
  cpuMs: 1,
  peakMemoryBytes: 1,
};
