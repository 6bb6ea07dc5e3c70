/** `ahc config`, as somebody uses it: files, precedence, comments, secrets, mistakes; under both names. */

import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { modelOfConfig } from '../../src/apps/ahc/workspace/config.ts';
import { ahcProgram } from '../../src/apps/all.ts';
import { parseLayer, resolveConfig } from '../../src/families/ahc/config/layer.ts';
import { ahcAgent, newPlace, type Place, polya } from '../cli/shell.ts';
import { coded } from '../support/coded.ts';

const global = ({ env }: Place): string => join(env.HOME ?? '', '.ahc_agent', 'config.yaml');
const read = (file: string): string => readFileSync(file, 'utf8');

function workspaceIn(place: Place, id = 'ahc001', text = ''): string {
  const folder = join(place.folder, 'workspace', id);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'ahc_config.yaml'), text);
  return folder;
}

describe('a value', () => {
  test('is written into the global file outside of all workspaces, and read back with where it comes from', async () => {
    const place = newPlace();
    expect(await ahcAgent(place, ['config', 'evolution.population_size', '20'])).toMatchObject({
      code: 0,
      out: `evolution.population_size: 20, in ${global(place)}\n`,
    });
    expect(read(global(place))).toContain('evolution:\n  population_size: 20\n');
    const { out, err } = await ahcAgent(place, ['config', 'evolution.population_size']);
    expect([out, err]).toEqual(['20\n', expect.stringContaining(`from: ${global(place)}.`)]);
    const json = await polya(place, ['ahc', 'config', 'evolution.population_size', '--json']);
    expect(JSON.parse(json.out)).toMatchObject({ value: 20, source: global(place) });
  });

  test("is written into the workspace's file inside one, below it too, with every comment kept", async () => {
    const place = newPlace();
    const workspace = workspaceIn(place, 'ahc001', '# mine\nevaluation:\n  jobs: 3 # of four\n');
    mkdirSync(join(workspace, 'problem'));
    for (const folder of [workspace, join(workspace, 'problem')]) {
      expect((await ahcAgent({ ...place, folder }, ['config', 'evaluation.jobs', '2'])).code).toBe(0);
    }
    expect(read(join(workspace, 'ahc_config.yaml'))).toBe('# mine\nevaluation:\n  jobs: 2 # of four\n');
    await ahcAgent({ ...place, folder: workspace }, ['config', '--global', 'evaluation.jobs', '4']);
    expect(read(global(place))).toContain('jobs: 4');
    await ahcAgent(place, ['config', 'evaluation.jobs', '1', '--workspace', 'ahc001']);
    expect(read(join(workspace, 'ahc_config.yaml'))).toContain('jobs: 1 # of four');
  });

  test.each(['the workspace', 'the home'])(
    'that is written while others are, into %s, is lost to none of them',
    async (where) => {
      const place = newPlace();
      const folder = where === 'the home' ? place.folder : workspaceIn(place, 'ahc001', '# mine\n');
      const values = [
        ...['evaluation.jobs=2', 'evolution.population_size=5', 'evolution.max_generations=6'],
        ...['llm.timeout=50', 'llm.max_tokens=500', 'docker.mount_path=/w'],
      ];
      const codes = await Promise.all(
        values.map(
          async (each) => (await ahcAgent({ ...place, folder }, ['config', ...each.split('=')])).code,
        ),
      );
      expect(codes).toEqual(values.map(() => 0));
      const text = read(where === 'the home' ? global(place) : join(folder, 'ahc_config.yaml'));
      for (const each of values) expect(text).toContain(`  ${each.split('.')[1]?.replace('=', ': ')}\n`);
    },
  );

  test('that does not hold, because something goes before it, is said to be so', async () => {
    const place = newPlace();
    const folder = workspaceIn(place, 'ahc001', 'evaluation:\n  jobs: 3\n');
    const inside = { ...place, folder };
    const { err } = await ahcAgent(inside, ['config', 'evaluation.jobs', '4', '--global']);
    expect(err).toContain(`What holds here is still 3: ${folder}/ahc_config.yaml goes before it.`);
    const env = { ...place.env, AHC_AGENT_EVALUATION_JOBS: '7' };
    expect((await ahcAgent({ folder, env }, ['config', 'evaluation.jobs', '5'])).err).toContain(
      'still 7: AHC_AGENT_EVALUATION_JOBS goes before it.',
    );
  });

  test('is taken out, and what is further out holds again', async () => {
    const place = newPlace();
    const folder = workspaceIn(place, 'ahc001', 'evaluation:\n  jobs: 3\n');
    await ahcAgent(place, ['config', 'evaluation.jobs', '4']);
    const { err } = await ahcAgent({ ...place, folder }, ['config', 'evaluation.jobs', '--unset']);
    expect(err).toContain(`evaluation.jobs is now 4, from: ${global(place)}.`);
    expect((await ahcAgent({ ...place, folder }, ['config', 'evaluation.jobs', '--unset'])).code).toBe(0);
  });

  test('mends the file that was wrong in it, and no other', async () => {
    const place = newPlace();
    const folder = workspaceIn(place, 'ahc001', 'evaluation:\n  jobs: many\n');
    const inside = { ...place, folder };
    expect(await ahcAgent(inside, ['config', 'llm.model', 'x'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('evaluation.jobs in'),
    });
    expect((await ahcAgent(inside, ['config', 'evaluation.jobs', '2'])).code).toBe(0);
    expect(read(join(folder, 'ahc_config.yaml'))).toBe('evaluation:\n  jobs: 2\n');
  });

  test('goes through a link to where the file really is', async () => {
    const place = newPlace();
    const real = join(place.folder, 'dotfiles.yaml');
    writeFileSync(real, '');
    mkdirSync(join(place.env.HOME ?? '', '.ahc_agent'), { recursive: true });
    symlinkSync(real, global(place));
    expect((await ahcAgent(place, ['config', 'evaluation.jobs', '2'])).code).toBe(0);
    expect(read(real)).toContain('jobs: 2');
  });

  test.each([
    [['llm.modle', 'x'], 'Did you mean llm.model?'],
    [['modl'], 'Did you mean llm.model?'],
    [['temperature'], 'Did you mean llm.temperature or evolution.temperature?'],
    [['wholly-else'], '`./ahc-agent config` lists them all'],
    [['llm', 'x'], 'llm is a section, and no key'],
    [['evolution.population_size', 'x'], 'cannot be "x"'],
    [['evolution.population_size', ''], 'cannot be empty'],
    [['llm.model', ' '], 'config llm.model --unset` takes it out'],
    [['llm.temperature', '.nan'], 'cannot be NaN'],
    [['docker.image', 'gcc:14\nRUN rm -r /'], 'must be the name of an image'],
    [['docker.mount_path', '/a:b'], 'must be a folder in a container'],
    [['docker.mount_path', '/'], 'must be a folder in a container'],
    [['docker.mount_path', '/a$b'], 'must be a folder in a container'],
    [['contest.scoring', 'rank'], 'expected one of "absolute"|"relative"'],
    [['llm.temperature', '-1'], 'cannot be -1'],
    [['contest.direction', 'less'], 'expected one of "maximise"|"minimise"'],
    [['evaluation.jobs', '2', '--unset'], 'contradict'],
    [['evaluation.jobs', '--global'], 'there is no value'],
    [['evaluation.jobs', '2', '--global', '--workspace', 'x'], 'name two files'],
    [['--unset'], '--unset needs a key'],
    [['evaluation.jobs', '2', '--workspace', 'ahc999'], 'ahc999 is no workspace'],
    [['evaluation.jobs', '--workspace', 'ahc999'], '`./ahc-agent init ahc999`'],
  ])('that cannot be: %j', async (args, message) => {
    const place = newPlace();
    const { code, out, err } = await ahcAgent(place, ['config', ...args]);
    expect([code, out, err]).toEqual([2, '', expect.stringContaining(message)]);
    expect(() => read(global(place))).toThrow('ENOENT');
  });

  test.each([
    ['contest.direction', 'Minimize', 'minimise'],
    ['contest.scoring', 'Relative', 'relative'],
    ['sandbox.backend', 'Docker', 'docker'],
    ['logging.level', 'debug', 'DEBUG'],
    ['llm.model', 'null', null],
    ['llm.temperature', '~', null],
    ['docker.image', 'host:5000/tools/gcc@sha256:0a', 'host:5000/tools/gcc@sha256:0a'],
  ] as const)('is taken as it is meant: %s %s', async (key, typed, meant) => {
    const place = newPlace();
    expect((await ahcAgent(place, ['config', key, typed])).code).toBe(0);
    expect(JSON.parse((await ahcAgent(place, ['config', key, '--json'])).out)).toMatchObject({
      value: meant,
      source: global(place),
    });
  });

  test('with a name of YAML is what the name stands for', () => {
    const text =
      'llm: &mine\n  model: &name a/b\n  provider: *name\nother: *mine\nevolution:\n  temperature: 1\n';
    expect(Object.fromEntries(parseLayer('f', text).values)).toEqual({
      'llm.model': 'a/b',
      'llm.provider': 'a/b',
      'evolution.temperature': 1,
    });
    expect(parseLayer('f', 'contest: &c\n  time_limit: 3\nlogging: *c\n').warnings).toEqual([
      'f has logging.time_limit, which nothing reads.',
    ]);
  });

  test('that nobody could read to its end is refused', () => {
    const more = (one: string, other: string): string =>
      `${one}: &${one} [${Array.from({ length: 9 }, () => `*${other}`).join(', ')}]\n`;
    const bomb = `a: &a [x]\n${more('b', 'a')}${more('c', 'b')}${more('d', 'c')}${more('e', 'd')}llm:\n  model: *e\n`;
    expect(() => parseLayer('f', bomb)).toThrow(coded('yaml-invalid'));
  });

  test('in a file of several documents is not written: the others would be lost', async () => {
    const place = newPlace();
    const folder = workspaceIn(place, 'ahc001', 'llm:\n  model: a\n---\nmine: 1\n');
    const { code, err } = await ahcAgent({ ...place, folder }, ['config', 'llm.model', 'b']);
    expect([code, err]).toEqual([2, expect.stringContaining('multiple documents')]);
    expect(read(join(folder, 'ahc_config.yaml'))).toContain('mine: 1');
  });

  test('is shown and written though a variable is unset that says where workspaces lie', async () => {
    const place = newPlace();
    await ahcAgent(place, ['config', 'workspace.base_dir', `\${NOT_SET}/x`]);
    expect(await ahcAgent(place, ['config', 'workspace.base_dir'])).toMatchObject({
      code: 0,
      out: `\${NOT_SET}/x\n`,
    });
    expect((await ahcAgent(place, ['config', 'evaluation.jobs', '2'])).code).toBe(0);
    const { code, err } = await ahcAgent(place, ['history']);
    expect([code, err]).toEqual([2, expect.stringContaining('the environment has no NOT_SET')]);
  });

  test('in a file that cannot be read or written is refused with its name', async () => {
    const place = newPlace();
    mkdirSync(global(place), { recursive: true });
    expect(await ahcAgent(place, ['config', 'evaluation.jobs'])).toMatchObject({
      code: 2,
      err: expect.stringContaining(`${global(place)} cannot be read.`),
    });
    expect(await ahcAgent(place, ['config', 'evaluation.jobs', '2'])).toMatchObject({
      code: 2,
      err: expect.stringContaining(global(place)),
    });
    const env = { ...place.env, HOME: '/dev/null/home' };
    const unwritable = await ahcAgent({ ...place, env }, ['config', 'evaluation.jobs', '2']);
    expect(unwritable).toMatchObject({ code: 2, err: expect.stringMatching(/cannot be (read|written)/) });
  });
});

describe('a secret', () => {
  const secret = 'sk-0123456789abcdefXYZ';

  test('in plain text is warned of, is for its user alone, and is masked wherever it is shown', async () => {
    const place = newPlace();
    const folder = workspaceIn(place);
    const inside = { ...place, folder };
    const file = join(folder, 'ahc_config.yaml');
    const answers = [
      await ahcAgent(inside, ['config', 'llm.api_key', secret]),
      await ahcAgent(inside, ['config', 'llm.api_key']),
      await ahcAgent(inside, ['config', 'llm.api_key', '--json']),
      await ahcAgent(inside, ['config']),
      await ahcAgent(inside, ['config', '--json']),
      await ahcAgent(inside, ['config', 'llm.api_key', `[${secret}]`]),
      await ahcAgent(inside, ['config', 'llm.apikey', secret]),
    ];
    for (const { out, err } of answers) expect(out + err).not.toContain('0123456789');
    expect(answers[0]?.err).toContain('in plain text');
    expect(read(file)).toContain(secret);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    // Written again with another key, it stays so.
    await ahcAgent(inside, ['config', 'evaluation.jobs', '2']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    chmodSync(file, 0o644);
    const { err } = await ahcAgent(inside, ['config', 'evaluation.jobs']);
    expect(err).toContain(`${file} holds a key in plain text, and others can read it`);
  });

  test('that is a variable stands so in the file, is never expanded into it, and hurts nobody while it is unset', async () => {
    const place = newPlace();
    const reference = ['$', '{OPENAI_API_KEY}'].join('');
    const env = { ...place.env, OPENAI_API_KEY: secret };
    const written = await ahcAgent({ ...place, env }, ['config', 'llm.api_key', reference]);
    expect(written.err).not.toContain('plain text');
    expect(read(global(place))).toContain(reference);
    expect(await ahcAgent(place, ['config', 'llm.api_key'])).toMatchObject({
      code: 0,
      out: `${reference}\n`,
    });
    await ahcAgent({ ...place, env }, ['config', 'evaluation.jobs', '2']);
    expect(read(global(place))).not.toContain(secret);
  });

  test('keeps the rights that its file had where it holds none', async () => {
    const place = newPlace();
    const folder = workspaceIn(place);
    chmodSync(join(folder, 'ahc_config.yaml'), 0o640);
    await ahcAgent({ ...place, folder }, ['config', 'evaluation.jobs', '2']);
    expect(statSync(join(folder, 'ahc_config.yaml')).mode & 0o777).toBe(0o640);
  });
});

test('alone it lists every key with value, source and what it does; warnings are told once, on standard error', async () => {
  const place = newPlace();
  const folder = workspaceIn(place, 'ahc001', 'evaluation:\n  jbos: 2\n');
  const { code, out, err } = await ahcAgent(place, ['config']);
  expect(code).toBe(0);
  expect(err).toContain(`Workspace: ${folder}`);
  expect(err.split('which nothing reads').length).toBe(2);
  const { out: json } = await ahcAgent(place, ['config', '--json']);
  const { keys, workspace } = JSON.parse(json);
  expect(workspace).toBe(folder);
  for (const { key, about } of keys) {
    expect(out).toContain(key);
    expect(out).toContain(about.replaceAll('`polya models`', '`./polya models`'));
  }
  expect(await ahcAgent(newPlace(), ['config', 'llm'])).toMatchObject({
    out: expect.stringMatching(/llm\.provider.*\(built in\)/),
    err: expect.stringContaining('No workspace here'),
  });
});

test('the model is named as everywhere else', () => {
  const of = (text: string) => modelOfConfig(resolveConfig([parseLayer('f', text)], {}));
  expect(of('llm: {provider: openai, model: gpt-4o, temperature: 0.2, max_tokens: 100}')).toEqual({
    model: 'openai/gpt-4o',
    settings: { temperature: 0.2, maxOutputTokens: 100 },
  });
  expect(of('llm: {provider: google, model: google/gemini-x}').model).toBe('google/gemini-x');
  // The example of the specification, which names no provider beside it.
  expect(of('llm: {model: gpt-4o}').model).toBe('openai/gpt-4o');
  for (const name of ['manual', 'manual:http', 'scripted:a.yaml', 'ollama/m:8b'])
    expect(of(`llm: {model: '${name}'}`).model).toBe(name);
  expect(of('llm: {model: openai/gpt-5}')).toEqual({ model: 'openai/gpt-5', settings: {} });
  expect(of('')).toEqual({ model: null, settings: {} });
  expect(() => of('llm: {provider: nobody, model: x}')).toThrow(coded('no-such-provider', '"nobody"'));
});

test('an option that was not given says nothing: none that stands for a key has a default', async () => {
  const standing = ['--jobs', '--backend', '--workspace-root'];
  const seen = new Set<string>();
  for (const { path, load } of ahcProgram.commands) {
    const command = new Command(path);
    (await load()).define(command, { apps: [] });
    for (const { long, defaultValue } of command.options) {
      if (!standing.includes(long ?? '')) continue;
      seen.add(long ?? '');
      expect(defaultValue, `${path} ${long}`).toBeUndefined();
    }
  }
  expect([...seen].sort()).toEqual(standing.toSorted());
});
