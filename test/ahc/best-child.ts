/** A process that evaluates: `node best-child.ts FOLDER NAME COUNT` adds scores and versions as quickly as it can. */
import { addToBest } from '../../src/families/ahc/records/best.ts';
import { registerVersion } from '../../src/families/ahc/records/versions.ts';
import { openFolder } from '../../src/io/folder.ts';

const [path = '', name = '0', count = '0'] = process.argv.slice(2);
const folder = openFolder(path);
for (let number = 0; number < Number(count); number++) {
  const of = (each: string, score: number) => ({
    name: each,
    inputHash: 'i',
    verdict: 'AC' as const,
    score,
    cpuMs: 1,
    wallMs: 1,
    memoryBytes: 1,
  });
  await registerVersion(folder, { text: name, hash: `${name}-${number}`, file: 'x.cpp', atMs: number });
  await addToBest(folder, 'maximise', [
    of(`${name}-${number}`, 1),
    of('shared', Number(name) * 1000 + number),
  ]);
}
