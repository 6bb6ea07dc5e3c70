/** The calls of test/fixtures/cli/calls.json, each made as its user makes it, in the folder of a fixture. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Answer, polya, type ShellOptions } from '../cli/shell.ts';
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

export type Surroundings = {
  readonly root: string;
  readonly env: Record<string, string>;
  readonly terminal?: Pick<ShellOptions, 'isTerminal' | 'size'>;
  readonly onAnswer?: (call: string, answer: Answer) => void;
};

/** One after the other, because the later ones show what the earlier ones made. */
export async function made(
  group: Group,
  around: Surroundings = surroundingsOf(group),
): Promise<readonly Told[]> {
  const { root, env, terminal, onAnswer } = around;
  for (const [path, text] of Object.entries(group.files ?? {})) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const told: Told[] = [];
  for (const argv of group.calls) {
    const interrupts = new Set<() => void>();
    const onWrite = (_text: string, interrupt: () => void) => interrupts.add(interrupt);
    const again = setInterval(() => {
      for (const interrupt of interrupts) interrupt();
    }, 50);
    const answer = await polya({ folder: join(root, group.in ?? ''), env }, argv, {
      ...terminal,
      ...(group.interrupted ? { onWrite } : {}),
    }).finally(() => clearInterval(again));
    const { code, out } = answer;
    onAnswer?.(argv.join(' '), answer);
    told.push({ call: argv.join(' '), code, keys: terminal ? {} : keysIn(argv, out) });
  }
  return told;
}

export function surroundingsOf({ from, state }: Group): Surroundings {
  const root = from ? unpacked(from, state ?? 'whole') : temporaryFolder('calls');
  // Their stores come from elsewhere: it is not the trust in them that is tested.
  return { root, env: { HOME: temporaryFolder('home'), PATH: process.env.PATH ?? '', POLYA_TRUST: '1' } };
}

/** Of a document, of lines of documents, or of a table: its columns. What is told in words has none. */
function keysIn(argv: readonly string[], out: string): Shape {
  const call = argv.join(' ');
  if (call.includes('csv'))
    return shapeOf((out.split('\n')[0] ?? '').split(',').map((name) => ({ [name]: '' })));
  if (!/--json|^runs export(?!.* --out )/.test(call)) return {};
  if (argv[1] === 'watch')
    return shapeOf(
      out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    );
  return shapeOf(JSON.parse(out));
}
