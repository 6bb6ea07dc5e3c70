/** What holds, for every key there is, from each place that may say something, under both names of the program. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { withValue } from '../../src/apps/ahc/workspace/edit.ts';
import { type ConfigValue, configKeys, variableOf } from '../../src/families/ahc/config/keys.ts';
import { configIn } from '../../src/open/families/ahc/workspace.ts';
import { type Answer, ahcAgent, newPlace, type Place, polya } from '../cli/shell.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { valuesOf } from './config-values.ts';

const names: readonly (readonly [string, (place: Place, argv: readonly string[]) => Promise<Answer>])[] = [
  ['ahc-agent', ahcAgent],
  ['polya ahc', (place, argv) => polya(place, ['ahc', ...argv])],
];

type Kind = 'environment' | 'workspace' | 'global' | 'polya.yaml' | 'XDG';
const kinds: readonly Kind[] = ['environment', 'workspace', 'global', 'polya.yaml', 'XDG'];

/** Neighbours in the order of precedence never say the same. */
const valueIn = (path: string, kind: Kind): ConfigValue => valuesOf(path)[kinds.indexOf(kind) % 2] ?? null;

/** Files in which every key stands. */
const allKeys = Object.fromEntries(
  kinds.map((kind) => [
    kind,
    configKeys.reduce((text, { path }) => withValue('f', text, path, valueIn(path, kind)), ''),
  ]),
) as Readonly<Record<Kind, string>>;

function below(section: string, text: string): string {
  return `${section}:\n${text.replaceAll(/^(?=.)/gm, '  ')}`;
}

function worldWith(said: readonly Kind[]) {
  const place = newPlace();
  const home = place.env.HOME ?? '';
  const workspace = join(place.folder, 'workspace', 'ahc001');
  const files: Record<Exclude<Kind, 'environment'>, readonly [string, string]> = {
    workspace: [join(workspace, 'ahc_config.yaml'), allKeys.workspace],
    global: [join(home, '.ahc_agent', 'config.yaml'), allKeys.global],
    'polya.yaml': [join(place.folder, 'polya.yaml'), below('ahc', allKeys['polya.yaml'])],
    XDG: [join(home, 'xdg', 'polya', 'config.yaml'), below('ahc', allKeys.XDG)],
  };
  mkdirSync(workspace, { recursive: true });
  writeFileSync(files.workspace[0], '', { mode: 0o600 });
  const sources: Partial<Record<Kind, string>> = {};
  for (const kind of said) {
    if (kind === 'environment') continue;
    const [file, text] = files[kind];
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { mode: 0o600 });
    sources[kind] = file;
  }
  const spoken = configKeys.map(({ path }) => {
    const value = valueIn(path, 'environment');
    return [variableOf(path), typeof value === 'string' ? value : JSON.stringify(value)] as const;
  });
  const env = {
    ...place.env,
    XDG_CONFIG_HOME: join(home, 'xdg'),
    ...(said.includes('environment') ? Object.fromEntries(spoken) : {}),
  };
  return { place: { folder: workspace, env }, workspace, sources };
}

type Shown = { readonly key: string; readonly value: ConfigValue; readonly source: string };

describe.each(names)('%s', (_name, call) => {
  test.each(kinds.map((kind, at) => [kind, kinds.slice(at)] as const))(
    'of every key, what stands in %s holds before all that is further out',
    async (kind, said) => {
      const { place, sources } = worldWith(said);
      const { code, out, err } = await call(place, ['config', '--json']);
      expect([code, err]).toEqual([0, '']);
      const shown: readonly Shown[] = JSON.parse(out).keys;
      expect(shown.map(({ key }) => key)).toEqual(configKeys.map(({ path }) => path));
      for (const { key, value, source } of shown) {
        const expected = kind === 'environment' ? variableOf(key) : sources[kind];
        const masked = configKeys.find(({ path }) => path === key)?.isSecret ? '****' : valueIn(key, kind);
        expect([key, value, source]).toEqual([key, masked, expected]);
      }
    },
  );

  test('without any of them the built-in value holds', async () => {
    const { place } = worldWith([]);
    const shown: readonly Shown[] = JSON.parse((await call(place, ['config', '--json'])).out).keys;
    for (const { path, initial } of configKeys) {
      expect(shown.find(({ key }) => key === path)).toMatchObject({ value: initial, source: 'built in' });
    }
  });

  test('the workspace that is meant is the same from every folder that leads to it or lies in it', async () => {
    const { place, workspace } = worldWith([]);
    const inside = ['problem/images', 'tools/tester/src', 'in', 'session-1/logs'].map((each) =>
      join(workspace, each),
    );
    for (const folder of inside) mkdirSync(folder, { recursive: true });
    const parent = dirname(workspace);
    for (const folder of [dirname(parent), parent, workspace, ...inside]) {
      const { out } = await call({ ...place, folder }, ['config', 'contest', '--json']);
      expect([folder, JSON.parse(out).workspace]).toEqual([folder, workspace]);
    }
    const stranger = temporaryFolder('stranger');
    const elsewhere = { ...place, folder: stranger };
    expect(JSON.parse((await call(elsewhere, ['config', 'contest', '--json'])).out).workspace).toBeNull();
    expect(await call(elsewhere, ['history'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('There is no workspace at, above or below'),
    });
  });
});

const everything = worldWith(kinds);

test.each(configKeys.map(({ path }) => path))('an option goes before everything else: %s', (path) => {
  const { place, workspace } = everything;
  const [, other] = valuesOf(path);
  const flagged = configIn(workspace, { ...place, flags: { [path]: other } });
  expect(flagged.raw(path)).toEqual({ value: other, source: 'the options' });
  const unsaid = configIn(workspace, { ...place, flags: { [path]: undefined } });
  expect(unsaid.raw(path)).toEqual({ value: valueIn(path, 'environment'), source: 'the environment' });
});
