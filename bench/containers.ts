/**
 * The same cases in containers: in Polya's own, and as one would run them without Polya, by `docker exec` into one that
 * stays and by `docker run` for each. The engine is started for it (test/sandbox/engine.ts); where there is none, there
 * are no rows.
 */

import { bubblewrapSandbox } from '../src/sandbox/bubblewrap.ts';
import { openDocker } from '../src/sandbox/docker/backend.ts';
import { findEngine, localEnvironment } from '../src/sandbox/docker/engine.ts';
import { hostImage, hostMounts } from '../src/sandbox/docker/our-images.ts';
import { findExecutable, pathFolders } from '../src/sandbox/executables.ts';
import { findSystemFolders } from '../src/sandbox/machine.ts';
import { createSandbox } from '../src/sandbox/sandbox.ts';
import { startEngine } from '../test/sandbox/engine.ts';
import { type Bench, contest, type Measured, type Row } from './measure.ts';
import {
  type Busy,
  batch,
  buildBusy,
  caseMs,
  cases,
  checked,
  onWorkers,
  perCase,
  spoken,
  workers,
  xargs,
} from './sandbox-programs.ts';
import { temporaryFolder } from './temporary-folder.ts';

const rounds = 3;
const program = { language: 'python', source: 'print(42)' } as const;
/** So dear a case that fewer tell as much. */
const [execCases, runCases] = [20, 10];
const longLived = 'polya-bench-cases';

export const containersBench: Bench = {
  name: 'containers',
  note: `docker exec runs ${execCases} cases and docker run ${runCases}, Polya’s batches ${cases}; each figure is a case’s.`,
  async run() {
    if (process.getuid?.() !== 0 || (await findExecutable(['dockerd'], pathFolders())) === null) {
      process.stderr.write('containers: left out; it needs root and an installed dockerd.\n');
      return [];
    }
    using folder = temporaryFolder();
    const busy = await buildBusy(bubblewrapSandbox(), folder.path);
    const engine = await startEngine();
    try {
      return await measure(busy, await commandLine(engine.address, folder.path));
    } finally {
      await engine.stop();
    }
  },
};

/** What is typed without Polya. */
type CommandLine = {
  readonly address: string;
  readonly exec: (n: number, steps: number) => Promise<void>;
  readonly run: (n: number, steps: number) => Promise<void>;
  /** The program of the rows on warm containers, by `docker exec`. */
  readonly python: () => Promise<void>;
};

/** No image can be had everywhere: the container sees this machine's `/usr`, as Polya's do. */
async function commandLine(address: string, folder: string): Promise<CommandLine> {
  const systemFolders = await findSystemFolders();
  const engine = await findEngine(localEnvironment({ DOCKER_HOST: address }));
  const image = await hostImage(engine, systemFolders, folder);
  const seen = [...hostMounts(systemFolders), { source: folder, target: '/bench' }];
  const options = [
    '--network=none',
    ...seen.flatMap(({ source, target }) => ['-v', `${source}:${target}:ro`]),
  ];
  const docker = ['-H', address];
  const said = await spoken('docker', [
    ...docker,
    ...['run', '-d', '--name', longLived, ...options, image, '/usr/bin/sleep', 'infinity'],
  ]);
  if (said.stderr !== '') throw new Error(`The bench has no container: ${said.stderr}`);
  const words = (n: number, steps: number) => ['/bench/busy', `${n}`, `${steps}`];
  return {
    address,
    python: async () =>
      void (await spoken('docker', [...docker, 'exec', longLived, '/usr/bin/python3', '-c', program.source])),
    exec: (n, steps) => checked(n, 'docker', [...docker, 'exec', longLived, ...words(n, steps)]),
    run: (n, steps) =>
      checked(n, 'docker', [...docker, 'run', '--rm', ...options, image, ...words(n, steps)]),
  };
}

async function measure(busy: Busy, { address, exec, run, python }: CommandLine): Promise<readonly Row[]> {
  const docker = () => openDocker({ env: { DOCKER_HOST: address }, toolchains: 'host' });
  const [sandbox, container] = [bubblewrapSandbox(), createSandbox({ openBackend: docker })];
  const inSandboxes = () => perCase(() => batch(sandbox, busy));
  const inContainers = () => perCase(() => batch(container, busy));
  const each = (one: CommandLine['exec'], count: number) => () =>
    perCase(() => onWorkers((n) => one(n, busy.steps), count), count);
  const what = (count: number) => `a case of ${caseMs} ms, ${count} on ${workers} workers`;
  const [byExec, byRun] = [
    `${what(execCases)}, each by docker exec`,
    `${what(runCases)}, each by docker run`,
  ];
  const [batched, contained] = [
    `${cases} in a sandbox a worker`,
    `${cases} in a container a worker, Polya's`,
  ];
  const plan: [string, string, Measured, Measured][] = [
    [
      `${what(cases)}, in a container a worker`,
      'the same by xargs',
      inContainers,
      () => perCase(() => xargs(busy)),
    ],
    [byExec, batched, each(exec, execCases), inSandboxes],
    [byExec, contained, each(exec, execCases), inContainers],
    [byRun, batched, each(run, runCases), inSandboxes],
    [byRun, contained, each(run, runCases), inContainers],
  ];
  const inContainer = async () => {
    const begun = performance.now();
    await container.exec(program, new AbortController().signal);
    return performance.now() - begun;
  };
  plan.push([
    'a Python program, exec in a container of its own',
    'docker exec, without limits',
    inContainer,
    () => perCase(python, 1),
  ]);
  const rows: Row[] = [];
  for (const [of, against, ours, floor] of plan) {
    rows.push({ what: of, against, unit: 'ms', aim: null, ...(await contest({ rounds, ours, floor })) });
  }
  await container.close();
  return rows;
}
