/** `./polya` finds its own Node, from any folder, through symlinks, under any PATH. */
import {
  chownSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { call, launcher, root } from './process.ts';
import { newPlace } from './shell.ts';

const help = /^Usage: polya /;

describe('the launcher', () => {
  test.each([
    ['from another folder', {}],
    ['without anything on the PATH', { PATH: '/nonexistent' }],
    ['without a PATH', { PATH: '' }],
    ['with another cache', { XDG_CACHE_HOME: temporaryFolder('cache') }],
    ['with a home that cannot be written', { HOME: '/dev/null/home' }],
    ['with a home that is none, below /proc', { HOME: '/proc/none' }],
    ['with a home below /proc', { HOME: '/proc/self' }],
    ['with a cache below /proc', { XDG_CACHE_HOME: '/proc/none' }],
  ])('%s', async (_name, env) => {
    const place = newPlace();
    const own = { ...place.env, NODE_COMPILE_CACHE: '', ...env };
    const answer = await call({ ...place, env: own }, ['--help']);
    expect(answer).toMatchObject({ code: 0, out: expect.stringMatching(help), err: '' });
  });

  test('keeps compiled code where no other user can write, whatever the umask', async () => {
    const place = newPlace();
    mkdirSync(place.env.HOME ?? '');
    const own = { ...place, env: { ...place.env, NODE_COMPILE_CACHE: '' } };
    await call(own, ['-c', `umask 0 && exec '${launcher}' --help`], '/bin/sh');
    const cache = join(place.env.HOME ?? '', '.cache/polya/compiled');
    expect(statSync(cache).mode & 0o077).toBe(0);
  });

  test('runs no compiled code of another user', { tags: ['root'] }, async () => {
    const place = newPlace();
    const cache = join(place.env.HOME ?? '', '.cache/polya/compiled');
    mkdirSync(cache, { recursive: true });
    chownSync(cache, 65_534, 65_534);
    await call({ ...place, env: { ...place.env, NODE_COMPILE_CACHE: '' } }, ['--help']);
    expect(readdirSync(cache)).toEqual([]);
  });

  test.each([
    ['that was removed', 'mkdir gone && cd gone && rmdir ../gone'],
    ['whose name is no UTF-8', "name=$(printf 'a\\377') && mkdir $name && cd $name"],
  ])('says where it was called in a folder %s', async (_name, go) => {
    const answer = await call(newPlace(), ['-c', `${go} && exec '${launcher}' runs list`], '/bin/sh');
    expect(answer).toMatchObject({ code: 2, err: expect.stringContaining('no path to the working folder') });
  });

  test('with an old Node first on the PATH, and no other variable', async () => {
    const place = newPlace();
    const bin = join(place.folder, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'node'), '#!/bin/sh\necho "The old Node was asked." >&2; exit 9\n', {
      mode: 0o755,
    });
    const answer = await call({ ...place, env: { PATH: `${bin}:/usr/bin:/bin` } }, ['--help']);
    expect(answer).toMatchObject({ code: 0, err: '' });
  });

  test('through symlinks, relative ones and chains, with blanks in their names', async () => {
    const place = newPlace();
    const bin = join(place.folder, 'my bin');
    mkdirSync(bin);
    symlinkSync(launcher, join(bin, 'first'));
    symlinkSync('first', join(bin, 'second'));
    symlinkSync('../my bin/second', join(bin, 'polya'));
    for (const name of ['first', 'second', 'polya']) {
      expect(await call(place, ['--help'], join(bin, name))).toMatchObject({ code: 0, err: '' });
    }
    const env = { ...place.env, PATH: `${bin}:/usr/bin:/bin` };
    expect(await call({ ...place, env }, ['--help'], 'polya')).toMatchObject({ code: 0 });
    const here = { ...place, folder: root };
    expect(await call(here, ['polya', '--help'], '/bin/sh')).toMatchObject({ code: 0 });
  });

  test('says what to do where its packages are missing', async () => {
    const place = newPlace();
    copyFileSync(launcher, join(place.folder, 'polya'));
    const answer = await call(place, ['demo'], './polya');
    expect(answer).toMatchObject({ code: 3, out: '' });
    expect(answer.err).toMatch(/packages are not installed.*npm ci.* in /s);
    expect(answer.err).toContain(place.folder);
    expect(readdirSync(place.folder)).toEqual(['polya']);
  });

  test('tells commands as they can be typed', async () => {
    const place = newPlace();
    expect((await call(place, ['runs', 'list'])).out).toContain(`\`${launcher} demo\``);
    const env = { ...place.env, PATH: `${root}:/usr/bin:/bin` };
    expect((await call({ ...place, env }, ['runs', 'list'], 'polya')).out).toContain('`polya demo`');
  });

  test('by the name of ahc-agent, or through links to that name, it has the commands for contests', async () => {
    const place = newPlace();
    const agent = join(root, 'ahc-agent');
    symlinkSync(agent, join(place.folder, 'mine'));
    symlinkSync(launcher, join(place.folder, 'ahc-agent'));
    for (const program of [agent, './mine', './ahc-agent']) {
      const { code, out, err } = await call(place, ['--help'], program);
      expect([code, err], program).toEqual([0, '']);
      expect(out, program).toMatch(/^Usage: ahc-agent /);
      expect(out, program).not.toContain('  aoc ');
    }
    const env = { ...place.env, PATH: `${root}:/usr/bin:/bin` };
    const found = await call({ ...place, env }, ['config', 'llm.modle'], 'ahc-agent');
    expect(found).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('`ahc-agent config` lists'),
    });
    expect((await call(place, ['solve'], './ahc-agent')).err).toContain('`./ahc-agent init ID`');
  });

  test('a failure has its exit code, and is quiet about it on standard output', async () => {
    const answer = await call(newPlace(), ['runs', 'show', 'abc']);
    expect(answer).toMatchObject({ code: 2, out: '' });
    expect(answer.err).toMatch(/^polya: There is no run abc here\.\n/);
  });
});
