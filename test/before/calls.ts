/** The calls of test/fixtures/cli/calls.json, each made as its user makes it, in the folder of a fixture. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { polya } from '../cli/shell.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type State, unpacked } from './fixture.ts';
import { type Shape, shapeOf } from './shape.ts';

const folder = join(import.meta.dirname, '../fixtures/cli');

export type Group = {
  readonly name: string;
  /** A fixture whose folder it begins in; missing: an empty one. */
  readonly from?: string;
  readonly state?: State;
  /** A folder in it. */
  readonly in?: string;
  /** Put there first. */
  readonly files?: Readonly<Record<string, string>>;
  /** What is told depends on what is installed: what is not told is no fault. */
  readonly machine?: true;
  /** They end when they are interrupted. */
  readonly interrupted?: true;
  readonly calls: readonly (readonly string[])[];
};

export type Told = { readonly call: string; readonly code: number; readonly keys: Shape };

export function readGroups(): readonly Group[] {
  return JSON.parse(readFileSync(join(folder, 'calls.json'), 'utf8'));
}

/** One after the other, because the later ones show what the earlier ones made. */
export async function made(group: Group): Promise<readonly Told[]> {
  const root = group.from ? unpacked(group.from, group.state ?? 'whole') : temporaryFolder('calls');
  for (const [path, text] of Object.entries(group.files ?? {})) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const env = { HOME: temporaryFolder('home'), PATH: process.env.PATH ?? '' };
  const told: Told[] = [];
  for (const argv of group.calls) {
    const interrupts = new Set<() => void>();
    const onWrite = (_text: string, interrupt: () => void) => interrupts.add(interrupt);
    const again = setInterval(() => {
      for (const interrupt of interrupts) interrupt();
    }, 50);
    const { code, out } = await polya(
      { folder: join(root, group.in ?? ''), env },
      argv,
      group.interrupted ? { onWrite } : {},
    ).finally(() => clearInterval(again));
    told.push({ call: argv.join(' '), code, keys: keysIn(argv, out) });
  }
  return told;
}

/** Of a document, of lines of documents, or of a table: its columns. What is told in words has none. */
function keysIn(argv: readonly string[], out: string): Shape {
  const call = argv.join(' ');
  if (call.includes('csv'))
    return shapeOf((out.split('\n')[0] ?? '').split(',').map((name) => ({ [name]: '' })));
  if (!/--json|^runs export/.test(call)) return {};
  if (argv[1] === 'watch')
    return shapeOf(
      out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    );
  return shapeOf(JSON.parse(out));
}
