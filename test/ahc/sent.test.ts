/** A workspace as a host has it that takes a run of it: in memory, the same problem, and nothing of that host's own. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { EffectContext, ProblemSpec } from '../../src/core/problem.ts';
import type { SandboxInfo } from '../../src/core/sandbox.ts';
import { ahcFamily } from '../../src/families/ahc/family.ts';
import { localFiles } from '../../src/io/local-files.ts';
import { ahcParts } from '../../src/open/families/ahc/parts.ts';
import type { Runtime } from '../../src/run/world.ts';
import { packFiles, unpackFiles } from '../../src/studies/fleet/sent-files.ts';
import { newPlace } from '../cli/shell.ts';
import { practiceWorkspace } from './practice-workspace.ts';

const place = newPlace();
const path = practiceWorkspace(place.folder, {
  inputs: 4,
  config: 'llm: { api_key: canary-key }\ncontest: { time_limit: 7 }\nalgorithm_library: { path: ./lib }\n',
});
const put = (name: string, content: string | Uint8Array) => {
  mkdirSync(join(path, name, '..'), { recursive: true });
  writeFileSync(join(path, name), content);
};
put('problem/problem.md', '# Parcels\n');
put('other.md', '# Other parcels\n');
put('.env', 'TOKEN=canary');
put('tools/tester/out/0000.txt', 'canary');
put('lib/own_sort.hpp', '// Sorts.\n');
put('lib/own_sort.meta.json', '{"name": "Own sort", "filename": "own_sort.hpp", "description": "Sorts."}');

const family = ahcFamily(ahcParts(localFiles(place.folder), place.env));
const cpp = { language: 'cpp', version: 'g++ 12', name: 'g++', level: '', notes: [] };
const sandbox = { info: async () => ({ toolchains: [cpp], backend: 'toy' }) as unknown as SandboxInfo };
const { signal } = new AbortController();

function travelOf(spec: ProblemSpec) {
  if (typeof family.travels !== 'function') throw new Error('It says nothing of a problem.');
  return family.travels(spec);
}

async function sent(spec: ProblemSpec) {
  const pack = await packFiles(travelOf(spec), async () => null);
  if (typeof pack === 'string') throw new Error(pack);
  const texts = new Map(pack.texts.map(({ hash, text }) => [hash, text]));
  const files = { read: async () => null, write: async () => undefined };
  const world = { store: { blobs: async () => texts }, io: { files, sandbox } } as unknown as Runtime;
  return { pack, io: (await unpackFiles(world, pack.files)).io };
}

test('it is the same problem there, with the library and the rules of here, and no more is sent than is read', async () => {
  const reference = { workspace: path, cases: '1-2', problemFile: join(path, 'other.md') };
  const spec = await family.load(reference, { sandbox } as never, signal);
  const { pack, io } = await sent(spec);
  expect(pack.files).toEqual([{ path, hash: expect.any(String), isFolder: true }]);
  expect((await sent(spec)).pack.texts).toEqual(pack.texts);
  expect(travelOf(spec).languages).toEqual(['rust']);
  const there = await family.load(spec.reference, io, signal);
  expect(there).toMatchObject({ contentHash: spec.contentHash, brief: spec.brief });
  expect(there.brief.environment).toContain('7000 ms');

  const folder = io.userFolder?.(path);
  expect(await folder?.files('tools/tester/in')).toEqual(['0000.txt', '0001.txt', '0002.txt']);
  expect(await folder?.read('problem/problem.md')).toBe('# Other parcels\n');
  expect(await folder?.foldersIn('tools')).toEqual(['tester']);
  for (const name of ['.env', 'ahc_config.yaml', 'tools/tester/out/0000.txt'])
    expect(await folder?.read(name)).toBeNull();
  expect(await folder?.read('about.json')).not.toContain('canary');
  const show = family.open(there).tools?.find(({ name }) => name === 'library_show');
  const context = { io, past: [], signal } as unknown as EffectContext;
  expect((await show?.call({ name: 'own_sort' }, context))?.text).toContain('// Sorts.');
});

test('runs of one workspace share what they make there; a secret in it keeps all of it here', async () => {
  const spec = await family.load({ workspace: path }, { sandbox } as never, signal);
  const [one, two] = [await sent(spec), await sent(spec)].map(({ io }) => io.userFolder?.(path));
  await one?.append('.ahc/best.jsonl', 'better');
  await one?.append('.ahc/best.jsonl', 'best');
  expect(await two?.read('.ahc/best.jsonl')).toBe('better\nbest\n');
  await two?.remove('.ahc');
  expect(await one?.files('.ahc')).toEqual([]);
  put('tools/tester/.env', 'TOKEN=1');
  expect(await packFiles(travelOf(spec), async () => null)).toContain(
    'tools/tester/.env is named like one with',
  );
});
