/** `polya setup` on a machine where something seems to be missing: what it asks, runs and says. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { MissingNeed } from '../../src/sandbox/needs.ts';
import { newPlace, polya, type ShellOptions } from './shell.ts';

const lacks = vi.hoisted((): { now: MissingNeed[] } => ({ now: [] }));

vi.mock('../../src/sandbox/needs.ts', async (original) => ({
  ...(await original<typeof import('../../src/sandbox/needs.ts')>()),
  missingNeeds: async () => lacks.now,
  missingTestNeeds: async () => [],
}));

beforeEach(() => {
  lacks.now = [
    {
      kind: 'debian',
      executable: 'bwrap',
      debianPackage: 'bubblewrap',
      purpose: 'running programs',
      optional: false,
      megabytes: 1,
    },
  ];
});

async function setup(options: ShellOptions & { argv?: string[]; works?: boolean }) {
  const spawned: string[] = [];
  const answer = await polya(newPlace(), ['setup', ...(options.argv ?? [])], {
    ...options,
    onSpawn: (command) => {
      spawned.push(command.slice(2).join(' '));
      if (options.works !== false && command.includes('install')) lacks.now = [];
      return options.works === false ? 100 : 0;
    },
  });
  return { ...answer, spawned };
}

const commands = ['apt-get update', 'apt-get install -y --no-install-recommends bubblewrap'];

describe('setup where bubblewrap is missing', () => {
  test('shows what it will run, runs it, and proves the sandbox', async () => {
    const { code, out, err, spawned } = await setup({});
    expect(code).toBe(0);
    expect(err).toMatch(/Missing: bwrap \(package bubblewrap, about 1 MB\), for running programs/);
    expect(err).toMatch(/This will be run:\n.*apt-get update\n.*apt-get install/);
    expect(spawned).toEqual(commands);
    expect(out).toMatch(/^Installed: bubblewrap\.\nThe sandbox .* has run a python program/);
    expect(out).toContain('Ready. Try ./polya demo.');
  });

  test('goes on where only something newer could not be installed', async () => {
    const [need] = lacks.now;
    lacks.now = need ? [{ ...need, executable: 'a newer rustc', isUpgrade: true }] : [];
    const { code, out } = await setup({ works: false });
    expect(code).toBe(0);
    expect(out).toContain('Ready.');
    expect(out).not.toContain('Installed');
  });

  test('asks at a terminal, and takes no for an answer', async () => {
    const refused = await setup({ isInteractive: true, confirms: false });
    expect(refused).toMatchObject({ code: 130, spawned: [], out: '' });
    expect(refused.err).toMatch(/Install it\?\nNothing was changed\.\n$/);
    expect(await setup({ isInteractive: true, confirms: true })).toMatchObject({
      code: 0,
      spawned: commands,
    });
  });

  test('does not ask with --yes', async () => {
    const { code, err } = await setup({ isInteractive: true, confirms: false, argv: ['--yes'] });
    expect(code).toBe(0);
    expect(err).not.toContain('Install it?');
  });

  test('does what an ordinary user may, and says what root has to run', async () => {
    const command = ['npm', 'install', 'kotlin-compiler@2'];
    const kotlin = { executable: 'kotlin-compiler.jar', purpose: 'Kotlin', optional: true, megabytes: 95 };
    lacks.now.push({ kind: 'npm', npmPackage: 'kotlin-compiler@2', folder: '/cache', command, ...kotlin });
    const spawned: string[] = [];
    // There may be a sudo on this machine: then it is one that asks for a password.
    const { code, out, err } = await polya(newPlace(), ['setup'], {
      isRoot: false,
      onSpawn: (words) => {
        spawned.push(words.join(' '));
        if (words[0] !== 'npm') return 1;
        lacks.now = lacks.now.filter(({ kind }) => kind !== 'npm');
        return 0;
      },
    });
    expect(code).toBe(3);
    expect(spawned.at(-1)).toBe(command.join(' '));
    expect(out).toBe('Installed: kotlin-compiler@2.\n');
    expect(err).toMatch(
      /oot (?:has to )?run: apt-get update && apt-get install -y --no-install-recommends bubblewrap/,
    );
  });

  test('says so where the installation fails', async () => {
    const { code, err } = await setup({ works: false });
    expect(code).toBe(3);
    expect(err).toMatch(/could not be installed: bwrap\.\n.*bubblewrap` ended with 100/);
  });
});
