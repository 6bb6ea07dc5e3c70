/**
 * Each header of the algorithm library against a plain textbook version of the same, `bench/library/NAME.bench.cpp`:
 * bundled into one file and compiled as a judge does, run outside of the sandbox. With `--write` the figures go into the
 * meta files, the only way they get there.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { bundleFile } from '../src/apps/ahc/workspace/program.ts';
import { judgeFlags } from '../src/families/ahc/judge/build.ts';
import { bundledLibrary } from '../src/open/families/ahc/library.ts';
import { chooseSandbox } from '../src/sandbox/choose.ts';
import type { Bench, Row } from './measure.ts';
import { spoken } from './sandbox-programs.ts';
import { temporaryFolder } from './temporary-folder.ts';

const folder = join(import.meta.dirname, 'library');
const ending = '.bench.cpp';

export const libraryBench: Bench = {
  name: 'library',
  note: 'A ratio of 0.5 is twice as fast as the plain version. `--write` puts the figures into the meta files.',
  async run({ write }) {
    const rows: Row[] = [];
    for (const file of readdirSync(folder).filter((name) => name.endsWith(ending))) {
      const id = file.slice(0, -ending.length);
      const measured = await measure(file);
      if (write) writeSpeed(id, measured);
      rows.push(rowOf(id, measured));
    }
    return rows;
  },
};

type Speed = {
  readonly what: string;
  readonly against: string;
  readonly ours: number;
  readonly plain: number;
  /** Plain to ours, the median of the rounds' own. */
  readonly ratio: number;
};

async function measure(file: string): Promise<Speed> {
  const { text } = bundleFile({ folder, file, library: () => [bundledLibrary] });
  const request = { language: 'cpp' as const, source: text, flags: judgeFlags };
  const { executable, compile } = await chooseSandbox().build(request, new AbortController().signal);
  if (executable === null) throw new Error(`${file} does not compile: ${compile?.stderr.text}`);
  using place = temporaryFolder();
  const program = join(place.path, 'bench');
  writeFileSync(program, executable.bytes, { mode: 0o755 });
  const { stdout } = await spoken(program, []);
  const said = (name: string): string => new RegExp(`^${name} (.+)$`, 'm').exec(stdout)?.[1] ?? '';
  const [ours, plain, ratio] = [Number(said('ours')), Number(said('plain')), Number(said('ratio'))];
  if (!(ours > 0 && plain > 0 && ratio > 0)) throw new Error(`${file} printed ${JSON.stringify(stdout)}.`);
  return { what: said('what'), against: said('against'), ours, plain, ratio };
}

function rowOf(id: string, { what, against, ours, plain, ratio }: Speed): Row {
  return {
    what: `${id}: ${what}`,
    unit: 'ns',
    measured: ours,
    floor: plain,
    against,
    ratio: 1 / ratio,
    // One in twenty is noise: what a header has no slower way to do is as fast as by hand.
    aim: { of: 'ratio', atMost: 1.05 },
  };
}

/** Only this one field: the rest of the file stays as somebody wrote it. */
function writeSpeed(id: string, { what, against, ours, ratio }: Speed): void {
  const file = join(bundledLibrary, `${id}.meta.json`);
  const text = readFileSync(file, 'utf8');
  const speed = {
    what,
    machine: `${cpus()[0]?.model.replaceAll(/\s+/g, ' ').trim()}, g++ -O2`,
    nanoseconds_per_operation: rounded(ours),
    against,
    ratio: rounded(ratio),
  };
  const json = JSON.stringify(speed, null, 2).replaceAll('\n', '\n  ');
  const written = text.replace(/"speed": (?:null|\{[^}]*\})/, () => `"speed": ${json}`);
  if (!text.includes('"speed":')) throw new Error(`${file} has no field speed.`);
  writeFileSync(file, written);
}

function rounded(number: number): number {
  return Number(number.toPrecision(3));
}
