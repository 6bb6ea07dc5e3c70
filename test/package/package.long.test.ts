/**
 * The package as its user has it: packed, installed with a Node of its own into an empty folder, set up and run there.
 * Packed from a copy, so that nothing is built in this clone.
 */
import { execFile, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = join(import.meta.dirname, '../..');
const { version, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

let folder = '';
let home = '';
let tarball = '';

beforeAll(async () => {
  folder = temporaryFolder('package');
  const copy = join(folder, 'copy');
  mkdirSync(copy);
  const copied = ['bin', 'docs', 'examples', 'scripts', 'src', 'package.json', 'tsconfig.json'];
  const documents = [
    'README',
    'README.ja',
    'AGENTS',
    'ARCHITECTURE',
    'CHANGELOG',
    'CONTRIBUTING',
    'SECURITY',
  ].map((each) => `${each}.md`);
  for (const name of [...copied, ...documents, 'LICENSE', 'CITATION.cff', 'bench/README.md']) {
    cpSync(join(root, name), join(copy, name), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  await run(copy, 'npm', ['pack', '--pack-destination', folder]);
  tarball = join(folder, `polya-${version}.tgz`);
  home = join(folder, 'installed');
  mkdirSync(home);
  const options = ['--no-audit', '--no-fund', '--prefer-offline'];
  await run(home, 'npm', ['install', ...options, tarball, `node@${devDependencies.node}`]);
}, 600_000);

/** As somebody's own shell would: without what npm has told this process, its folders of programs included. */
const path = (process.env.PATH ?? '').split(delimiter).filter((each) => !each.includes('node_modules'));
const env = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^npm_|^INIT_CWD$|^POLYA_|^NODE_(?!EXTRA_CA_CERTS$)/.test(name),
    ),
  ),
  PATH: path.join(delimiter),
};

/** Nothing here waits in vain for less: on a busy machine, installing takes minutes. */
const patienceMs = 600_000;

type Ended = { readonly status: number | null; readonly stdout: string; readonly stderr: string };

function call(
  cwd: string,
  program: string,
  args: readonly string[],
  more: Record<string, string> = {},
): Promise<Ended> {
  const options = { cwd, timeout: patienceMs, maxBuffer: 64 << 20, env: { ...env, ...more } };
  return new Promise((resolve) => {
    const child = execFile(program, args, options, (_error, stdout, stderr) =>
      resolve({ status: child.exitCode, stdout, stderr }),
    );
  });
}

async function run(...asked: Parameters<typeof call>): Promise<string> {
  const [, program, args] = asked;
  const { status, stdout, stderr } = await call(...asked);
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}:\n${stdout}${stderr}`);
  return stdout;
}

/** As its user calls it; what fails is thrown. */
function polya(...args: string[]): Promise<string> {
  return run(home, 'npx', ['polya', ...args]);
}

/** The program that npm has linked, with the Node beside it, and without npm's second before it. */
function ahcAgent(...args: string[]): Promise<string> {
  const links = join(home, 'node_modules', '.bin');
  // What somebody who runs these tests has configured for himself is not asked.
  const nobody = { HOME: join(folder, 'nobody'), XDG_CONFIG_HOME: '' };
  return run(home, join(links, 'node'), [join(links, 'ahc-agent'), ...args], nobody);
}

const systemPath = ['/usr/bin', '/bin'].join(delimiter);

/** A program of the package with nothing installed beside it. */
function alone(program: string): string {
  const place = join(folder, 'alone');
  if (!existsSync(place))
    cpSync(join(home, 'node_modules', 'polya', 'bin'), join(place, 'bin'), { recursive: true });
  return join(place, 'bin', `${program}.cjs`);
}

const bin = (program = 'polya') => join(home, 'node_modules', 'polya', 'bin', `${program}.cjs`);

test('holds what it needs, and no test', async () => {
  const names = (await run(folder, 'tar', ['-tzf', tarball])).trim().split('\n');
  for (const name of [
    'bin/polya.cjs',
    'bin/ahc-agent.cjs',
    'examples/contests/polya003/tools/src/bin/tester.rs',
    'examples/library/simulated_annealing.hpp',
    'examples/library/union_find.example.cpp',
    'dist/index.d.ts',
    'dist/web/page.js',
    'dist/sandbox/docker/image/Dockerfile',
    'dist/sandbox/languages/kotlin/sample.kt',
    'dist/sandbox/runner/main.c',
    'dist/practice/puzzles/day01-ticket-stubs.html',
    'dist/apps/ahc/abouts.json',
    'dist/apps/ahc/intake/test.sh',
    'examples/scripts/aoc-practice-day1.yaml',
    'examples/1-your-own-agent.ts',
    'examples/squares.ts',
    'docs/exit-codes.md',
    'examples/1-your-own-agent.ts',
  ]) {
    expect(names).toContain(`package/${name}`);
  }
  const own = names.filter((name) => !name.startsWith('package/examples/init/'));
  expect(
    own.filter((name) => /\.test\.|^package\/(?:src|test|bench|scripts)\/(?!README)/.test(name)),
  ).toEqual([]);
});

describe('installed with a Node of its own', () => {
  test('says its version, is set up, and solves days', async () => {
    const [told, setUp, itsVersion] = await Promise.all([
      polya('demo'),
      polya('setup', '--yes'),
      polya('--version'),
    ]);
    expect(itsVersion).toBe(`${version}\n`);
    expect(setUp).toMatch(/has run a python program.*\n[\s\S]*Ready\. Try npx polya demo\.\n$/);
    expect(told).toMatch(/2000\/1\/python +solved/);
    expect(told).toMatch(/best +gen\d\d_id\d\d, score/);
    expect(told).toContain('npx polya runs show last');
    expect(existsSync(join(home, '.polya', 'polya.db'))).toBe(true);
    expect(await polya('runs', 'replay', 'last')).toContain('the same end: solved');
  });

  test('brings the commands for contests as a program of their own', async () => {
    expect(await run(home, 'npx', ['ahc-agent', '--version'])).toBe(`${version}\n`);
    const help = await ahcAgent();
    expect(help).toMatch(/^Usage: ahc-agent /);
    expect(help).toContain('Start with `ahc-agent init ID`');
    expect(help).not.toMatch(/^ {2}(aoc|runs|qa) /m);
    expect(await ahcAgent('config', 'evaluation.jobs')).toBe('(unset)\n');
    expect(await ahcAgent('database', 'show', 'ahc030')).toMatch(/^ahc030 {2}Polyomino Mining/);
    const link = join(home, 'node_modules', '.bin', 'ahc-agent');
    const byPath = await call(home, process.execPath, [link, 'config', 'no.such.key']);
    expect(byPath).toMatchObject({ status: 2, stdout: '' });
    expect(byPath.stderr).toMatch(
      /^ahc-agent: There is no key no\.such\.key\.\n[\s\S]*`\S*ahc-agent config`/,
    );
    const unknown = await call(home, 'npx', ['ahc-agent', 'config', 'llm.modle']);
    expect(unknown.stderr).toContain('Did you mean llm.model? `npx ahc-agent config` lists them all.');
  });

  test('is a library too, with types', async () => {
    for (const name of ['voter.ts', '1-your-own-agent.ts'])
      cpSync(join(root, 'examples', name), join(home, name.replace(/ts$/, 'mts')));
    const program = join(home, '1-your-own-agent.mts');
    writeFileSync(program, readFileSync(program, 'utf8').replace('./voter.ts', './voter.mts'));
    writeFileSync(
      join(home, 'use.mts'),
      "import { defineFamily, openPolya, type RunResult } from 'polya';\n" +
        "import { equal, type Verdict } from 'polya/answers';\n" +
        "const verdict: Verdict = await equal('\\\\sqrt{8}', '2\\\\sqrt{2}');\n" +
        'if (!verdict.equal) throw new Error(verdict.reason);\n' +
        'const polya = await openPolya();\n' +
        "const [run] = await polya.runs({ agent: 'voter' });\n" +
        "const { outcome }: Pick<RunResult, 'outcome'> = await polya.fork(run?.id ?? '', { settings: { samples: 1 } }).catch(() => ({ outcome: 'error' }));\n" +
        'console.log(typeof defineFamily, run?.outcome, outcome);\nawait polya.close();\n',
    );
    const node = join(home, 'node_modules', '.bin', 'node');
    expect(await run(home, node, [program])).toContain('solved with 3 calls');
    // Another program does not know the agent.
    expect(await run(home, node, ['use.mts'])).toBe('function wrong error\n');
    const tsc = join(root, 'node_modules', '.bin', 'tsc');
    const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules', '@types')];
    const strict = ['--strict', '--skipLibCheck', 'false', '--allowImportingTsExtensions'];
    const options = ['--noEmit', ...strict, '--module', 'nodenext', '--target', 'es2024', ...types];
    expect(await run(home, tsc, [...options, 'use.mts', program])).toBe('');
  });
});

describe('on an older Node', () => {
  const message =
    /^polya: This is Node [\d.]+, and Polya needs Node 24 or newer\.\n.*\n.*npm install node@26.*\n$/;

  test('one message says what to install', async () => {
    const old = join(folder, 'old.cjs');
    writeFileSync(old, "Object.defineProperty(process.versions, 'node', { value: '20.1.0' });\n");
    const answer = await call(home, process.execPath, ['--require', old, bin(), 'demo']);
    expect(answer).toMatchObject({ status: 3, stdout: '', stderr: expect.stringMatching(message) });
    const other = await call(home, process.execPath, ['--require', old, bin('ahc-agent'), 'init']);
    expect(other).toMatchObject({
      status: 3,
      stderr: expect.stringMatching(/^ahc-agent: .*\n.*\n.*npx ahc-agent/),
    });
  });

  test('also on that of the system', { tags: ['system-node'] }, async () => {
    const answer = await call(folder, alone('polya'), ['--version'], { PATH: systemPath });
    const refused = { status: 3, stdout: '', stderr: expect.stringMatching(message) };
    expect(answer).toMatchObject(isOld('/usr/bin/node') ? refused : { status: 0, stdout: `${version}\n` });
  });

  test('the Node beside it is taken, from any folder and through links, whatever is on the PATH', async () => {
    const mine = join(folder, 'my link');
    symlinkSync(join(home, 'node_modules', '.bin', 'ahc-agent'), mine);
    for (const PATH of [systemPath, '/nonexistent']) {
      const answer = await call(folder, mine, ['config', 'evaluation.jobs'], { PATH });
      expect(answer, PATH).toMatchObject({ status: 0, stdout: '(unset)\n' });
    }
    const link = join(home, 'node_modules', '.bin', 'polya');
    expect(await call(folder, link, ['--version'], { PATH: systemPath })).toMatchObject({ status: 0 });
    const none = await call(folder, alone('ahc-agent'), ['--version'], { PATH: '/nonexistent' });
    expect(none).toMatchObject({
      status: 3,
      stdout: '',
      stderr: expect.stringContaining('There is no Node here'),
    });
  });
});

test('a clone that was not built says how to start it', async () => {
  const answer = await call(root, process.execPath, [join(folder, 'copy', 'bin', 'polya.cjs'), '--version']);
  expect(answer).toMatchObject({ status: 0, stdout: `${version}\n` });
  rmSync(join(folder, 'copy', 'dist'), { recursive: true });
  const unbuilt = await call(root, process.execPath, [join(folder, 'copy', 'bin', 'polya.cjs'), '--version']);
  expect(unbuilt).toMatchObject({
    status: 3,
    stdout: '',
    stderr: expect.stringContaining('Start it with ./polya'),
  });
});

function isOld(node: string): boolean {
  const [, major] = /^v(\d+)/.exec(spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout ?? '') ?? [];
  return Number(major) < 24;
}
