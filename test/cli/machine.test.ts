/** What looks at the machine: doctor, setup, demo, and the help. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { apps } from '../../src/apps/all.ts';
import { aoc } from '../../src/apps/aoc/demo.ts';
import { polyaProgram } from '../../src/cli/commands.ts';

import { actsOf, leftOutText } from '../../src/cli/demo/scenes.ts';
import { setupPlan } from '../../src/cli/setup-plan.ts';
import type { LanguageId, Toolchain } from '../../src/core/sandbox.ts';
import { root } from './process.ts';
import { doctorShape, runShape } from './schemas.ts';
import { newPlace, polya } from './shell.ts';

describe('help', () => {
  test('lists the commands, and tells each of them', async () => {
    const place = newPlace();
    const top = await polya(place, ['--help']);
    expect(top.code).toBe(0);
    for (const argv of [[], ['help'], ['-h']]) expect(await polya(place, argv)).toEqual(top);
    for (const { path, about } of polyaProgram(apps).commands) {
      const words = path.split(' ');
      if (words.length === 1) expect(top.out).toContain(about);
      const help = await polya(place, [...words, '--help']);
      expect(help).toMatchObject({ code: 0, err: '', out: expect.stringMatching(`^Usage: polya ${path}`) });
      expect(help.out).toContain(about);
      const [group, last = ''] = [words.slice(0, -1), words.at(-1)];
      if (words.length > 1) expect(await polya(place, [...group, 'help', last])).toEqual(help);
    }
  });

  test('a group alone shows its commands, as a mistake', async () => {
    expect(await polya(newPlace(), ['runs'])).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('replay'),
    });
  });

  test('the version', async () => {
    expect((await polya(newPlace(), ['--version'])).out).toMatch(/^\d+\.\d+\.\d+(?:-rc\.\d+)?\n$/);
  });
});

describe('doctor', () => {
  test('says what works here', async () => {
    const place = newPlace();
    const text = await polya(place, ['doctor']);
    expect(text.code).toBe(0);
    expect(text.out).toMatch(/✔ sandbox +bubblewrap \d/);
    expect(text.out).toMatch(/✔ python3 +Python 3[\s\S]*NumPy \d.*SymPy \d/);
    expect(text.out).toMatch(/✔ g\+\+20 [\s\S]*Boost \d[\s\S]*AtCoder Library/);
    expect(text.out).toMatch(/wall time +\d+ s +by /);
    expect(text.out).toContain('(made with the first run)');
    const { code, out } = await polya(place, ['doctor', '--json']);
    expect(code).toBe(0);
    expect(doctorShape.parse(JSON.parse(out))).toMatchObject({
      usable: true,
      missing: [],
      store: { exists: false },
    });
  });

  test('says which way calls go, without the password of a proxy', async () => {
    const place = newPlace();
    const env = {
      ...place.env,
      HTTPS_PROXY: 'http://me:secret-word@proxy.example:3128',
      http_proxy: 'proxy.example:3129',
      NO_PROXY: 'atcoder.jp',
      GEMINI_API_KEY: 'x',
      OPENAI_COMPATIBLE_BASE_URL: 'http://127.0.0.1:9/v1',
    };
    const { out } = await polya({ ...place, env }, ['doctor']);
    const proxied = 'by the proxy http://proxy.example:3128, because of HTTPS_PROXY';
    expect(out).toContain(`network    google, adventofcode.com: ${proxied}`);
    expect(out).toContain('network    openai-compatible: directly, as every address of this machine');
    expect(out).toContain('network    atcoder.jp: directly, exempt by NO_PROXY');
    expect(out).not.toContain('secret-word');
    const wrong = await polya({ ...place, env: { ...place.env, ALL_PROXY: 'socks5://x:1' } }, ['doctor']);
    expect(wrong).toMatchObject({ code: 3, out: expect.stringMatching(/✘ network +The variable ALL_PROXY/) });
  });

  test('says which back-end was chosen, why, and why not the others', async () => {
    const place = newPlace();
    const { out } = await polya(place, ['doctor', '--json']);
    const { backends, chosenBy, sandbox } = doctorShape.parse(JSON.parse(out));
    expect(chosenBy).toBe('probing');
    expect(backends.filter(({ isChosen }) => isChosen).map(({ name }) => name)).toEqual([sandbox?.backend]);
    for (const { works, version, why } of backends) expect(works ? version : why).toMatch(/\w/);
    expect((await polya(place, ['doctor'])).out).toMatch(
      /✔ sandbox +bubblewrap [\d.]+, the first that works here/,
    );
    expect(existsSync(backends.find(({ isChosen }) => isChosen)?.folder ?? '')).toBe(true);
    const named = await polya({ ...place, env: { ...place.env, POLYA_SANDBOX: 'bubblewrap' } }, ['doctor']);
    expect(named.out).toContain('named by POLYA_SANDBOX');
    expect((await polya(place, ['doctor', '--backend', 'bubblewrap'])).out).toContain('named by --backend');
  });

  test('--clean only tells with --dry-run, and --dry-run is for --clean', async () => {
    const place = newPlace();
    const { code, out } = await polya(place, ['doctor', '--clean', '--dry-run', '--json']);
    expect(code).toBe(0);
    const shape = z.strictObject({
      dryRun: z.literal(true),
      removed: z.array(z.strictObject({ kind: z.string(), name: z.string() })),
    });
    for (const { kind, name } of shape.parse(JSON.parse(out)).removed) {
      if (kind === 'staged file' || kind === 'cache') expect(existsSync(name)).toBe(true);
    }
    expect((await polya(place, ['doctor', '--clean', '--dry-run'])).out).toMatch(
      /(Would be removed: \d+ things?|Nothing was left behind)\.\n$/,
    );
    expect(await polya(place, ['doctor', '--dry-run'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--dry-run is for --clean'),
    });
  });
});

describe('setup', () => {
  test('changes nothing where nothing is missing, and proves the sandbox', async () => {
    const spawned: string[] = [];
    const { code, out } = await polya(newPlace(), ['setup'], {
      isInteractive: true,
      isRoot: process.getuid?.() === 0,
      onSpawn: (command) => {
        spawned.push(command.join(' '));
        return 0;
      },
    });
    expect(code).toBe(0);
    expect(out).toContain('Nothing is missing; nothing was changed.');
    expect(out).toMatch(/has run a python program with Python/);
    expect(out).toMatch(/has run a cpp program with g\+\+/);
    expect(out).toMatch(/has run a cpp program with clang\+\+ [\d.]+ \(clang\+\+23\)/);
    expect(out).toMatch(/has run a rust program with rustc/);
    expect(out).toMatch(/has run a kotlin program with Kotlin/);
    expect(out).toMatch(/has run a csharp program with Mono/);
    expect(spawned).toEqual([]);
  });

  const needed = { kind: 'debian', optional: false, megabytes: 1 } as const;
  const missing = [
    { ...needed, executable: 'bwrap', debianPackage: 'bubblewrap', purpose: 'running programs' },
    { ...needed, executable: 'g++', debianPackage: 'g++', purpose: 'C++' },
  ];
  const machine = { missing, isRoot: false, isInteractive: false, has: () => true };
  const commandsOf = ({ commands }: ReturnType<typeof setupPlan>) => commands.map((words) => words.join(' '));

  test('as root, with sudo, and with a sudo that can ask', () => {
    const install =
      'env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends bubblewrap g++';
    const update = 'env DEBIAN_FRONTEND=noninteractive apt-get update';
    expect(commandsOf(setupPlan({ ...machine, isRoot: true }))).toEqual([update, install]);
    expect(commandsOf(setupPlan(machine))).toEqual([`sudo -n ${update}`, `sudo -n ${install}`]);
    expect(commandsOf(setupPlan({ ...machine, isInteractive: true }))).toEqual([
      `sudo ${update}`,
      `sudo ${install}`,
    ]);
    expect(setupPlan({ ...machine, missing: [] })).toEqual({ missing: [], commands: [], rest: null });
  });

  test('what comes from npm is installed last, by the user', () => {
    const command = ['npm', 'install', 'kotlin-compiler@2'];
    const kotlin = {
      ...({ kind: 'npm', executable: 'kotlin-compiler.jar', purpose: 'Kotlin', optional: true } as const),
      npmPackage: 'kotlin-compiler@2',
      folder: '/cache',
      command,
      megabytes: 95,
    };
    expect(commandsOf(setupPlan({ ...machine, missing: [kotlin, ...missing] }))).toEqual([
      expect.stringMatching(/^sudo -n .* update$/),
      expect.stringMatching(/install .* bubblewrap g\+\+$/),
      'npm install kotlin-compiler@2',
    ]);
    expect(commandsOf(setupPlan({ ...machine, missing: [kotlin] }))).toEqual([
      'npm install kotlin-compiler@2',
    ]);
    const without = (program: string) =>
      setupPlan({ ...machine, missing: [kotlin, ...missing], has: (name) => name !== program });
    expect(commandsOf(without('npm'))).toHaveLength(2);
    expect(without('npm').rest?.fix).toContain(command.join(' '));
    // What needs nobody else is done all the same.
    expect(commandsOf(without('sudo'))).toEqual([command.join(' ')]);
    expect(commandsOf(without('apt-get'))).toEqual([command.join(' ')]);
  });

  test('without apt-get, and without sudo, it is said what is left to do, and for whom', () => {
    const without = (program: string) => setupPlan({ ...machine, has: (name) => name !== program });
    expect(without('apt-get')).toMatchObject({
      commands: [],
      rest: { what: expect.stringContaining('bubblewrap, g++') },
    });
    expect(without('sudo')).toMatchObject({
      commands: [],
      rest: {
        fix: 'Root has to run: apt-get update && apt-get install -y --no-install-recommends bubblewrap g++',
      },
    });
  });
});

describe('demo', () => {
  test('solves a day in every language, in one run-set, and says that the model is a script', async () => {
    const place = newPlace();
    const { code, out, err } = await polya(place, ['demo', 'aoc', '--json']);
    expect(code).toBe(0);
    expect(err).toContain('The model is a SCRIPT');
    expect(err.match(/^\s+[\d.]+ s {2}→ SubmitAnswer/gm)?.length, err).toBeGreaterThanOrEqual(8);
    const { set, acts: told, runs } = demoShape.parse(JSON.parse(out));
    expect(runs.map(({ outcome, problem }) => [outcome, problem])).toEqual([
      ['solved', 'aoc/practice/2000/1/python'],
      ['solved', 'aoc/practice/2000/2/cpp'],
      ['solved', 'aoc/practice/2000/3/kotlin'],
      ['solved', 'aoc/practice/2000/1/csharp'],
    ]);
    expect(told).toEqual([
      { act: 'aoc', title: aoc.title, leftOut: [], runs: [1, 2, 3, 4].map((row) => `${set}-${row}`) },
    ]);
    const shown = await polya(place, ['run-set', 'show', 'last']);
    expect(shown.out).toMatch(/demo aoc; every row has ended\n4 rows, 4 solved; free/);
  });

  test('is stopped by Ctrl-C, and can be gone on with', async () => {
    const place = newPlace();
    let isStopped = false;
    const { code, out, err } = await polya(place, ['demo'], {
      isTerminal: true,
      onWrite: (text, interrupt) => {
        if (isStopped || !text.includes('DownloadInput')) return;
        isStopped = true;
        interrupt();
      },
    });
    expect(code).toBe(130);
    expect(err).toContain('Stopping');
    expect(err).toMatch(/Go on with it: \.\/polya run-set resume \S+/);
    expect(out).toMatch(/2000\/1\/python +cancelled/);
    expect(out).not.toContain('2000/2/cpp');
    const shown = await polya(place, ['run-set', 'show', 'last']);
    expect(shown.out).toMatch(/something is missing\n\d+ rows, 1 stopped with its run-set, \d+ not begun/);
  });

  test('has acts of different names, whose scripts come with Polya', async () => {
    const acts = await actsOf({ apps }, 'all');
    expect(new Set(acts.map(({ name }) => name)).size).toBe(acts.length);
    const toolchains = (['python', 'cpp', 'kotlin', 'csharp', 'rust'] as const).map(toolchain);
    for (const { cast } of acts) {
      const { rows, leftOut } = cast({ toolchains });
      expect(leftOut).toEqual([]);
      expect(rows.length).toBeGreaterThan(0);
      for (const { models } of rows) {
        const names = Object.values(models).map((model) => model.replace('scripted/', ''));
        for (const name of names)
          expect(existsSync(join(root, 'examples', 'scripts', `${name}.yaml`)), name).toBe(true);
      }
    }
  });
});

const toolchain = (language: LanguageId): Toolchain => ({
  language,
  name: language,
  version: '',
  level: '',
  notes: [],
  sourceFile: '',
});

const demoShape = z.strictObject({
  demo: z.literal('aoc'),
  label: z.string(),
  set: z.string(),
  acts: z.array(
    z.strictObject({
      act: z.string(),
      title: z.string(),
      leftOut: z.array(z.string()),
      runs: z.array(z.string()),
    }),
  ),
  runs: z.array(runShape),
});

test('the demo says which languages it leaves out, and what installs them', () => {
  const { rows, leftOut } = aoc.cast({ toolchains: [toolchain('python'), toolchain('cpp')] });
  expect(rows.map(({ name }) => name)).toEqual(['Day 1 in python', 'Day 2 in cpp']);
  expect(leftOutText('./polya', leftOut)).toBe(
    'Left out, as this machine cannot run it: kotlin, csharp. `./polya setup` installs what is missing.\n',
  );
  expect(leftOutText('./polya', [])).toBe('');
});

describe('a store of a newer Polya, and a file that is none', () => {
  test('are told', async () => {
    const place = newPlace();
    mkdirSync(join(place.folder, '.polya'));
    writeFileSync(
      join(place.folder, '.polya', 'polya.db'),
      'This is no database, however long it may be.'.repeat(100),
    );
    expect(await polya(place, ['runs', 'list'])).toMatchObject({
      code: 4,
      out: '',
      err: expect.stringContaining('is no database'),
    });
  });
});
