import { beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import type { ProgramFiles, StepVerdict } from '../core/sandbox.ts';
import type { Finished } from './backend.ts';
import {
  type CompileCache,
  type CompileJob,
  type CompileKind,
  compileOnce,
  openCompileCache,
} from './compile-once.ts';
import type { Source, Step, Tool } from './languages/language.ts';
import { defaultCompileLimits } from './limits.ts';
import { emptyStep } from './protocol.ts';

let folder = '';
let cache: CompileCache;
beforeEach(() => {
  folder = temporaryFolder('once');
  cache = openCompileCache(folder);
});

const never = new AbortController().signal;

const tool: Tool = {
  name: 'cc',
  version: 'cc 1',
  level: '',
  notes: [],
  identity: 'cc 1',
  reads: (path) => path.endsWith('.h'),
  compile: ({ flags = [] }) => ({ command: ['/cc', ...flags], collectPath: 'tmp/main' }),
  check: () => ({ command: ['/cc', '-fsyntax-only'] }),
  run: () => ({ command: ['/program'] }),
  digest: (printed) => `short: ${printed.trim()}`,
};

type Answer = { verdict?: StepVerdict; stderr?: string; cpuMs?: number };

/** A compiler that writes down what it is asked, and answers as told. */
function compiler(answer: (step: Step, files: ProgramFiles) => Answer = () => ({})) {
  const requests: { command: readonly string[]; files: readonly string[] }[] = [];
  const launch: CompileJob['launch'] = async (step, files) => {
    requests.push({ command: step.command, files: Object.keys(files) });
    const { verdict = 'ok', stderr = '', cpuMs = 100 } = answer(step, files);
    const collected = verdict === 'ok' && 'collectPath' in step ? Buffer.from('program') : null;
    const output = { text: stderr, bytes: stderr.length, cut: false };
    const finished: Finished = {
      step: { ...emptyStep(verdict), exitCode: verdict === 'exit' ? 1 : 0, stderr: output, cpuMs },
      collected,
      archive: null,
      archiveBytes: null,
    };
    return finished;
  };
  return { asked: requests, launch };
}

function once(
  { launch }: ReturnType<typeof compiler>,
  source: Source = { source: 'int main() {}' },
  { kind = 'build', ...changes }: Partial<CompileJob> & { kind?: CompileKind } = {},
  signal = never,
) {
  const job = { tool, source, limits: defaultCompileLimits, place: 'bubblewrap', launch, ...changes };
  return compileOnce(cache, kind, job, signal);
}

test('a compiler that misses a file gets all, and nothing of that is kept', async () => {
  const cc = compiler((_, files) =>
    'table.dat' in files ? {} : { verdict: 'exit', stderr: 'fatal error: table.dat: No such file' },
  );
  const source = { source: '#define F "table.dat"\n#include F', files: { 'table.dat': '1' } };
  expect(await once(cc, source)).toMatchObject({ compile: { verdict: 'ok', cached: false } });
  expect(await once(cc, source)).toMatchObject({ compile: { cached: false } });
  expect(cc.asked.map(({ files }) => files)).toEqual([[], ['table.dat'], [], ['table.dat']]);
});

test.each<Answer>([
  { verdict: 'wall' },
  { verdict: 'cpu' },
  { verdict: 'memory' },
  { verdict: 'disk' },
  { verdict: 'output' },
  { verdict: 'cancelled' },
  { verdict: 'signal' },
  { verdict: 'exit', stderr: 'g++: fatal error: Killed signal terminated program cc1plus' },
  { verdict: 'exit', stderr: 'cc1plus: out of memory allocating 65536 bytes' },
  { verdict: 'exit', stderr: 'main.cpp:1:1: internal compiler error: Segmentation fault' },
  { verdict: 'exit', stderr: 'fatal error: error writing to /tmp/x.s: No space left on device' },
  { verdict: 'exit', stderr: 'java.lang.OutOfMemoryError: Java heap space' },
])('what another moment may mend is not kept: %j', async (answer) => {
  const cc = compiler(() => answer);
  await once(cc);
  expect(await once(cc)).toMatchObject({ compile: { cached: false } });
});

test('a program that holds the time of its compilation is compiled each time', async () => {
  const cc = compiler();
  const source = { source: 'int main() { puts(__TIME__); }' };
  await once(cc, source);
  expect(await once(cc, source)).toMatchObject({ compile: { cached: false } });
});

test('a compilation that these limits would have ended is none that they allow', async () => {
  const cc = compiler(() => ({ cpuMs: 900 }));
  await once(cc);
  const limits = { ...defaultCompileLimits, cpuMs: 500 };
  expect(await once(cc, undefined, { limits })).toMatchObject({ compile: { cached: false } });
  expect(await once(cc)).toMatchObject({ compile: { cached: true } });
});

test('without a faster look, a check is a build; without a compiler there is neither', async () => {
  const cc = compiler();
  await once(cc, undefined, { kind: 'check', tool: { ...tool, check: null } });
  expect(await once(cc)).toMatchObject({ compile: { cached: true } });
  expect(await once(cc, undefined, { tool: { ...tool, compile: null } })).toBeNull();
});

test('what speeds a compilation up is left out where the compiler blames it', async () => {
  const fast: Tool = {
    ...tool,
    compile: () => ({
      command: ['/cc', '-fast'],
      collectPath: 'tmp/main',
      plain: { command: ['/cc'], blames: '/run/header' },
    }),
  };
  const blame = 'fatal error: /run/header/a.pch was built by another compiler';
  const cc = compiler(({ command }) => (command.length > 1 ? { verdict: 'exit', stderr: blame } : {}));
  expect(await once(cc, undefined, { tool: fast })).toMatchObject({ compile: { verdict: 'ok' } });
  expect(cc.asked.map(({ command }) => command)).toEqual([['/cc', '-fast'], ['/cc']]);
});

test('two that want the same at once wait for one compiler', async () => {
  const cc = compiler();
  const all = await Promise.all([once(cc), once(cc), once(cc)]);
  expect(all.map((outcome) => outcome?.compile.cached).sort()).toEqual([false, true, true]);
  expect(cc.asked).toHaveLength(1);
});

test('nobody waits for another’s limit twice, nor is cancelled with another', async () => {
  const cc = compiler(() => ({ verdict: 'cancelled' }));
  const all = await Promise.all([once(cc), once(cc), once(cc)]);
  expect(all.every((outcome) => outcome?.compile.cached === false)).toBe(true);
  expect(cc.asked).toHaveLength(3);
});
