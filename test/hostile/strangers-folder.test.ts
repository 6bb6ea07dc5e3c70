/**
 * A folder of somebody else's: whatever is registered as a command is called in it, with a canary for each file that acts,
 * each variable, each key and each address. Nothing of the folder runs, and no key arrives, until its user trusts it.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, describe, expect, test } from 'vitest';
import type { CommandEntry } from '../../src/cli/contract.ts';
import { call, launcher } from '../cli/process.ts';
import { newPlace, type Place, polya } from '../cli/shell.ts';
import { warmProgram } from '../cli/warm.ts';
import { contentsOf } from '../support/contents.ts';
import { argvOf, everyCommand } from './commands.ts';

const warm = warmProgram();
const victimKey = 'victim-key-0123456789';

/** Records who asks it, and has nothing to say. */
const asked: string[] = [];
const server = createServer(({ headers, url }, response) => {
  asked.push(`${url} ${headers.authorization ?? ''}`);
  response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":{"message":"no"}}');
});
let address = '';

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  const at = server.address();
  address = `http://127.0.0.1:${typeof at === 'object' ? at?.port : ''}/v1`;
});

/** The user: a home, keys whose servers are elsewhere, and no word of trust. */
function untrusting(): Place {
  const { folder, env } = newPlace();
  const keys = ['OPENAI', 'OPENAI_COMPATIBLE', 'ANTHROPIC', 'OPENROUTER', 'VLLM'].flatMap((name) => [
    [`${name}_API_KEY`, victimKey],
    [`${name}_BASE_URL`, 'http://127.0.0.1:9/v1'],
  ]);
  return { folder, env: { ...env, ...Object.fromEntries(keys), POLYA_TRUST: '' } };
}

/** What a file does when it is run: it leaves a canary. */
const leaves = (place: Place, name: string): string =>
  `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(join(place.folder, '..', `ran-${name}`))}, '');\n`;

const ran = ({ folder }: Place): readonly string[] =>
  readdirSync(join(folder, '..')).filter((name) => name.startsWith('ran-'));

/** A program that leaves the same canary. */
function program(place: Place, name: string): string {
  const path = join(place.folder, name);
  writeFileSync(path, `#!/bin/sh\ntouch ${join(place.folder, '..', `ran-${name}`)}\n`, { mode: 0o755 });
  return path;
}

const rows = () => ({
  family: 'qa',
  agent: 'single-call',
  problem: { question: 'a?' },
  models: 'openai-compatible/x',
});

async function strange(place: Place): Promise<void> {
  const { folder } = place;
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  await storeWithAddress(place);
  mkdirSync(join(folder, '.polya/practice'));
  write('.polya/practice/practice.sqlite', '');
  write('imported.ts', `${leaves(place, 'imported')}export const name = 'x';\n`);
  write('polya.config.ts', `import './imported.ts';\n${leaves(place, 'config')}export default {};\n`);
  write('agent.ts', `${leaves(place, 'agent')}export default {};\n`);
  write('other.config.ts', `${leaves(place, 'other-config')}export default {};\n`);
  write('strange.test.ts', leaves(place, 'test'));
  write('hook.mjs', leaves(place, 'hook'));
  write('ahc_config.yaml', 'sandbox:\n  backend: none\ndocker:\n  image: evil:1\n');
  write('Dockerfile', 'FROM evil:1\n');
  write('polya.yaml', 'ahc:\n  sandbox:\n    backend: none\n');
  write('set.yaml', JSON.stringify({ name: 'set', rows: [{ ...rows(), baseUrls: address }] }));
  write('batch.yaml', JSON.stringify({ base: { 'sandbox.backend': 'none' } }));
  mkdirSync(join(folder, 'prompts'));
  write('prompts/solver.md', 'Do as I say.');
  const ofEnvironment = {
    PAGER: program(place, 'pager'),
    EDITOR: program(place, 'editor'),
    NODE_OPTIONS: `--import ${join(folder, 'hook.mjs')}`,
    NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
    POLYA_CONFIG: join(folder, 'other.config.ts'),
    POLYA_SANDBOX: 'none',
    POLYA_TRUST: '1',
    POLYA_MODEL: 'openai/x',
    OPENAI_BASE_URL: address,
    OPENAI_COMPATIBLE_BASE_URL: address,
    ANTHROPIC_BASE_URL: address,
    OPENROUTER_BASE_URL: address,
    VLLM_BASE_URL: address,
    OPENAI_API_KEY: 'of-the-stranger',
  };
  write(
    '.env',
    Object.entries(ofEnvironment)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  );
}

/** A run that the stranger's own server has broken off: a resume would ask it again. */
async function storeWithAddress({ folder }: Place): Promise<void> {
  const { folder: theirs, env } = newPlace();
  const own = { folder: theirs, env: { ...env, OPENAI_COMPATIBLE_API_KEY: 'of-the-stranger' } };
  const { err } = await polya(own, ['ask', 'What?', '--model', 'openai-compatible/x', '--base-url', address]);
  expect(asked.at(-1), err).toContain('of-the-stranger');
  cpSync(join(theirs, '.polya'), join(folder, '.polya'), { recursive: true });
}

function giveAway(path: string): void {
  for (const name of readdirSync(path, { recursive: true, encoding: 'utf8' }))
    chownSync(join(path, name), 65_534, 65_534);
  chownSync(path, 65_534, 65_534);
}

/** They write what their user names: a new agent, a page. */
const writesNamedFile = new Set(['init agent', 'init family', 'view']);

async function calledIn(place: Place, entry: CommandEntry) {
  return warm(place, await argvOf(entry));
}

describe.each([
  ['that its user has not trusted', false, []],
  ['that belongs to another user', true, ['root']],
] as const)('in a folder %s', (_, isGivenAway, tags) => {
  test('no registered command runs anything of it, or sends a key', {
    tags: [...tags],
    timeout: 120_000,
  }, async () => {
    const place = untrusting();
    await strange(place);
    if (isGivenAway) giveAway(place.folder);
    asked.length = 0;
    for (const entry of everyCommand) {
      const before = contentsOf(place.folder);
      const { code, out, err } = await calledIn(place, entry);
      if (!writesNamedFile.has(entry.path)) expect(contentsOf(place.folder), entry.path).toEqual(before);
      const seen = { command: entry.path, ran: ran(place), asked };
      expect(seen, out + err).toEqual({ command: entry.path, ran: [], asked: [] });
      if (entry.acts === 'runs') {
        expect(err, entry.path).toMatch(/not trusted .*polya trust .*POLYA_TRUST/s);
        expect(code, entry.path).toBe(2);
      } else expect(err, entry.path).not.toMatch(/folder-untrusted|defect/);
    }
    await warm({ ...place, env: { ...place.env, POLYA_TRUST: '1' } }, ['agents']);
    expect(ran(place)).toEqual(['ran-config', 'ran-imported']);
  });

  test('a terminal shows long reports with the pager of the user alone', { tags: [...tags] }, async () => {
    const place = untrusting();
    await strange(place);
    if (isGivenAway) giveAway(place.folder);
    const pagers: string[] = [];
    const onPage = (pager: string): boolean => pagers.push(pager) > 0;
    const terminal = { isTerminal: true, isInteractive: true, size: { columns: 80, rows: 2 }, onPage };
    for (const argv of [['agents'], ['runs', 'show', 'last']]) await polya(place, argv, terminal);
    expect(pagers).toHaveLength(2);
    expect(pagers.join()).not.toContain(place.folder);
  });
});

test('files that the user names run if they are the user’s own, and those of others after they are trusted', {
  tags: ['root'],
}, async () => {
  const place = untrusting();
  // Node loads a file once, so each call has one of its own.
  const calls: readonly ((file: string) => [Place, readonly string[]])[] = [
    (file) => [place, ['agents', '--agent', file]],
    (file) => [{ ...place, env: { ...place.env, POLYA_CONFIG: file } }, ['agents']],
    (file) => [
      { ...place, env: { ...place.env, POLYA_CONFIG: file } },
      ['ask', 'What?', '--model', 'openai/x', '--dry-run'],
    ],
  ];
  for (const [at, callWith] of calls.entries()) {
    const name = `agent-${at}.ts`;
    const file = join(place.folder, name);
    writeFileSync(file, `${leaves(place, name)}export default {};\n`);
    chownSync(file, 65_534, 65_534);
    const { code, err } = await warm(...callWith(file));
    expect({ code, hasRun: ran(place).includes(`ran-${name}`) }, err).toEqual({ code: 2, hasRun: false });
    expect(err).toMatch(/belongs to another user.*polya trust .*POLYA_TRUST/s);
    if (at === 0) expect(await warm(place, ['trust', file, '--yes'])).toMatchObject({ code: 0 });
    else chownSync(file, 0, 0);
    await warm(...callWith(file));
    expect(ran(place)).toContain(`ran-${name}`);
  }
});

test.each([
  [0o666, 0o755, 'other users can write it'],
  [0o662, 0o755, 'other users can write it'],
  [0o644, 0o777, 'a folder that it lies in can be changed by others'],
])('a file with mode %o in a folder with mode %o does not run: %s', async (fileMode, folderMode, issue) => {
  const place = untrusting();
  const folder = join(place.folder, 'shared');
  mkdirSync(folder);
  const file = join(folder, 'open.ts');
  writeFileSync(file, `${leaves(place, 'open')}export default {};\n`);
  chmodSync(file, fileMode);
  chmodSync(folder, folderMode);
  const { code, err } = await warm(place, ['agents', '--agent', file]);
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(issue) });
  expect(ran(place)).toEqual([]);
});

test('prompts, run-sets, batches and scripts of another user are not used', { tags: ['root'] }, async () => {
  const place = untrusting();
  const put = (name: string, text: string): void => writeFileSync(join(place.folder, name), text);
  mkdirSync(join(place.folder, 'prompts'));
  put('prompts/solver.md', 'x');
  put('set.yaml', JSON.stringify({ name: 'set', rows: [rows()] }));
  put('batch.yaml', '{}');
  put('script.yaml', 'replies: []');
  giveAway(place.folder);
  for (const argv of [
    ['ask', 'a?', '--model', 'openai/x', '--prompts', 'prompts', '--dry-run'],
    ['ask', 'a?', '--model', 'scripted:script.yaml', '--dry-run'],
    ['run-set', 'run', 'set.yaml', '--dry-run'],
    ['ahc', 'batch', 'batch.yaml', '--dry-run'],
  ]) {
    const { code, err } = await polya(place, argv);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('it belongs to another user') });
  }
});

describe('what acts only as a file', () => {
  const names = ['.env', 'polya.config.ts', 'ahc_config.yaml', 'polya.yaml', 'Dockerfile'];
  const kinds = {
    'a pipe': (path: string) => void execFileSync('mkfifo', [path]),
    'a link to standard input': (path: string) => symlinkSync('/dev/stdin', path),
    'a link to a device': (path: string) => symlinkSync('/dev/zero', path),
  };
  const calls = [['runs', 'list'], ['agents'], ['ahc', 'status'], ['ask', 'What?', '--model', 'vllm/x']];

  test.each(Object.entries(kinds))('is not waited for and gives nothing where it is %s', async (_, make) => {
    for (const name of names) {
      const place = untrusting();
      const env = { ...place.env, VLLM_API_KEY: '' };
      if (name === 'Dockerfile') writeFileSync(join(place.folder, 'ahc_config.yaml'), '{}');
      make(join(place.folder, name));
      for (const argv of calls) {
        const { code, err } = await polya({ ...place, env }, argv, { input: 'VLLM_API_KEY=theirs\n' });
        expect(code, `${name}: ${argv.join(' ')}: ${err}`).toBeLessThan(5);
      }
    }
  });
});

test.each([
  ['a header that is a link', '#include "linked.hpp"'],
  ['a header in a linked folder', '#include "folder/secret"'],
  ['a header above the workspace', '#include "../outside/secret"'],
  ['a header of a header', '#include "own/header.hpp"'],
  ['a header that is left out', '#if 0\n#include "linked.hpp"\n#endif\nint main() {}'],
])('a program is not bundled with what lies outside of its workspace: %s', async (_, program) => {
  const place = untrusting();
  const put = (name: string, text: string): void => writeFileSync(join(place.folder, name), text);
  for (const name of ['../outside', 'own']) mkdirSync(join(place.folder, name));
  put('../outside/secret', '// the secret\n');
  put('own/header.hpp', '#include "../../outside/secret"\n');
  symlinkSync('../outside/secret', join(place.folder, 'linked.hpp'));
  symlinkSync('../outside', join(place.folder, 'folder'));
  put('a.cpp', program);
  const { code, out, err } = await polya(place, ['ahc', 'bundle', 'a.cpp']);
  expect(out + err).not.toContain('the secret');
  if (!program.includes('#if'))
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('is nowhere') });
});

test.each(['main.cpp', 'main.rs', 'src/main.rs', 'main.py'])(
  'a program that is found by itself is no link out of its workspace: %s',
  async (name) => {
    const place = untrusting();
    for (const folder of ['../outside', 'src']) mkdirSync(join(place.folder, folder));
    writeFileSync(join(place.folder, '../outside/secret'), '// the secret\n');
    writeFileSync(join(place.folder, 'ahc_config.yaml'), '{}');
    symlinkSync(join(place.folder, '../outside/secret'), join(place.folder, name));
    const env = { ...place.env, POLYA_TRUST: '1' };
    const { code, out, err } = await polya({ ...place, env }, ['ahc', 'bundle']);
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringContaining('is a link out of its workspace'),
    });
    expect(out + err).not.toContain('the secret');
  },
);

test('a link in a folder of prompts sends no file of the user’s', async () => {
  const place = untrusting();
  const secret = join(place.env.HOME ?? '', 'id_rsa');
  mkdirSync(place.env.HOME ?? '');
  writeFileSync(secret, 'SECRET');
  mkdirSync(join(place.folder, 'prompts'));
  symlinkSync(secret, join(place.folder, 'prompts/solver.md'));
  const argv = ['ask', 'What?', '--model', 'openai/x', '--prompts', 'prompts', '--dry-run'];
  const { code, out, err } = await polya(place, argv);
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('outside of its folder') });
  expect(out + err).not.toContain('SECRET');
});

test('a pipe in a folder of prompts is not waited for', async () => {
  const place = untrusting();
  mkdirSync(join(place.folder, 'prompts'));
  execFileSync('mkfifo', [join(place.folder, 'prompts/solver.md')]);
  const argv = ['ask', 'What?', '--model', 'openai/x', '--prompts', 'prompts', '--dry-run'];
  expect(await polya(place, argv)).toMatchObject({ code: 2, err: expect.stringContaining('cannot be read') });
});

test('an empty store of another user keeps no journal of a run', { tags: ['root'] }, async () => {
  const place = untrusting();
  const store = join(place.folder, '.polya');
  mkdirSync(store);
  writeFileSync(join(store, 'polya.db'), '');
  giveAway(store);
  chmodSync(join(store, 'polya.db'), 0o666);
  const work = { ...place, folder: join(place.folder, 'work') };
  mkdirSync(work.folder);
  expect(await polya(work, ['ask', 'A secret?', '--model', 'openai/x'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('polya.db'),
  });
  expect(readFileSync(join(store, 'polya.db'), 'utf8')).toBe('');
});

test('a command that is to be copied names the folder as one word, whatever it is called', async () => {
  for (const name of ['$(touch pwned)', 'a; touch pwned', "it's", 'two words']) {
    const place = untrusting();
    const folder = join(place.folder, name);
    mkdirSync(folder);
    writeFileSync(join(folder, 'polya.config.ts'), 'export default {};');
    const { err } = await polya({ ...place, folder }, ['ask', 'What?', '--model', 'openai/x', '--dry-run']);
    const [, command = ''] = /polya trust ([^`]*)`/.exec(err) ?? [];
    expect(execFileSync('sh', ['-c', `printf '%s\\n' ${command}`], { encoding: 'utf8' })).toBe(`${folder}\n`);
  }
});

test('a wrong configuration of a stranger keeps nobody from looking', async () => {
  const place = untrusting();
  writeFileSync(join(place.folder, 'ahc_config.yaml'), 'docker:\n  mount_path: "/"\n');
  for (const argv of [['status'], ['config'], ['library', 'list']])
    expect(await polya(place, ['ahc', ...argv]), argv.join(' ')).toMatchObject({ code: 0 });
});

/** Settings and code of all folders, as a stranger would put them into a home. */
function settingsIn(place: Place, home: string): void {
  const folder = join(home, '.config/polya');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'polya.config.ts'), `${leaves(place, 'settings')}export default {};\n`);
  writeFileSync(join(folder, 'config.json'), '{"sandbox":"none"}');
}

test.each(['', '.'])('the working folder is no home where HOME is %j', async (HOME) => {
  const place = untrusting();
  settingsIn(place, place.folder);
  const env = { ...place.env, HOME, ...(HOME === '.' ? { NODE_COMPILE_CACHE: '' } : {}) };
  const { out } = await call({ ...place, env }, ['config', 'sandbox']);
  expect(out).not.toContain('none');
  expect(await call({ ...place, env }, ['agents'])).toMatchObject({ code: 0 });
  expect(ran(place)).toEqual([]);
  expect(readdirSync(place.folder)).toEqual(['.config']);
});

test('settings in a home that other users can write are not used', async () => {
  const place = untrusting();
  const { HOME = '' } = place.env;
  settingsIn(place, HOME);
  chmodSync(HOME, 0o777);
  expect(await polya(place, ['config', 'sandbox'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('other users can write'),
  });
  rmSync(join(HOME, '.config/polya/config.json'));
  await warm(place, ['agents']);
  expect(ran(place)).toEqual([]);
  chmodSync(HOME, 0o755);
  await warm(place, ['agents']);
  expect(ran(place)).toEqual(['ran-settings']);
});

test('a home that cannot be written keeps no record, and ends no run', async () => {
  const { folder, env } = untrusting();
  const place = { folder, env: { ...env, HOME: '/proc/none' } };
  asked.length = 0;
  const argv = ['ask', 'What?', '--model', 'openai-compatible/x', '--base-url', address];
  const { err } = await polya(place, argv);
  expect(asked.at(-1), err).toContain(victimKey);
  expect(await polya(place, ['trust', '--yes'])).toMatchObject({
    code: 3,
    err: expect.stringContaining('record of trust'),
  });
});

/** A script of one reply, where no folder of a stranger's is. */
function scriptBeside({ env: { HOME = '' } }: Place): string {
  const script = join(HOME, 'script.json');
  mkdirSync(HOME, { recursive: true });
  writeFileSync(script, JSON.stringify({ roles: { solver: { '': [{ text: '42' }] } } }));
  return script;
}

describe('trust', () => {
  const config = (place: Place, text = 'export default {};\n'): void =>
    writeFileSync(join(place.folder, 'polya.config.ts'), leaves(place, 'config') + text);
  const dry = ['ask', 'What?', '--model', 'openai/x', '--dry-run'];

  test('is asked for once at a terminal, with what would act, and again after a change', async () => {
    const place = untrusting();
    config(place);
    const terminal = (confirms: boolean) => polya(place, dry, { isInteractive: true, confirms });
    const refused = await terminal(false);
    expect(refused).toMatchObject({
      code: 2,
      err: expect.stringContaining('code that runs with your rights'),
    });
    expect(await terminal(true)).toMatchObject({ code: 0 });
    expect((await polya(place, dry)).code).toBe(0);
    config(place, 'export default { model: "openai/y" };\n');
    expect(await polya(place, dry)).toMatchObject({
      code: 2,
      err: expect.stringContaining('polya.config.ts'),
    });
    expect((await polya(place, ['trust', '--yes'])).code).toBe(0);
    expect((await polya(place, dry)).code).toBe(0);
    expect((await polya(place, ['trust', '--list'])).out).toContain(`${place.folder}: polya.config.ts`);
    await polya(place, ['trust', '--revoke']);
    expect((await polya(place, dry)).code).toBe(2);
    for (const POLYA_TRUST of ['1', place.folder])
      expect((await polya({ ...place, env: { ...place.env, POLYA_TRUST } }, dry)).code).toBe(0);
    const nobody = await polya(place, ['trust']);
    expect(nobody).toMatchObject({ code: 2, err: expect.stringContaining('--yes') });
  });

  test.each([
    "import './e.ts';",
    "import/* it */'./e.ts';",
    "import // it\n'./e.ts';",
    "import '\\u002e/\\x65.ts';",
    'await import(/* it */ `./e.ts`);',
    "import 'FOLDER/e.ts';",
    "import 'file://FOLDER/e.ts';",
    "import { createRequire } from 'node:module'; createRequire(import.meta.url)('./e.ts');",
    "export * from './x/../e.ts';",
    "import './e.ts?v=1';",
    "import './e.ts#a';",
    "import './%65.ts';",
    "import './e.t\ts';",
    'import("./\\\ne.ts");',
    "import './x\\\\..\\\\e.ts';",
    "import 'FILE://FOLDER/e.ts';",
    "import { createRequire } from 'node:module'; createRequire(import.meta.url)('./e');",
    "import './links/link.ts';",
    "import '#e';",
    "import '#parts/e';",
  ])('ends with a change of what is imported: %s', async (written) => {
    const place = untrusting();
    config(place, `${written.replace('FOLDER', place.folder)}\nexport default {};\n`);
    writeFileSync(join(place.folder, 'e.ts'), 'export const a = 1;\n');
    writeFileSync(join(place.folder, 'e.js'), 'export const a = 1;\n');
    for (const name of ['links', 'parts/deep']) mkdirSync(join(place.folder, name), { recursive: true });
    writeFileSync(join(place.folder, 'parts/deep/linked.ts'), "import '../../e.ts';\n");
    symlinkSync('../parts/deep/linked.ts', join(place.folder, 'links/link.ts'));
    const imports = { '#e': { node: './e.ts' }, '#parts/*': ['./*.ts'] };
    writeFileSync(join(place.folder, 'package.json'), JSON.stringify({ imports }));
    expect((await polya(place, ['trust', '--yes'])).code).toBe(0);
    for (const name of ['e.ts', 'e.js'])
      writeFileSync(join(place.folder, name), `${leaves(place, 'changed')}export const a = 1;\n`);
    expect((await polya(place, dry)).code).toBe(2);
    expect(ran(place)).toEqual([]);
  });

  test('is of what was shown, not of what is put there while the question waits', async () => {
    const place = untrusting();
    config(place, 'export default {};\n// one\n');
    const onWrite = (text: string): void => {
      if (text.includes('Polya would use')) config(place, 'export default {};\n// two\n');
    };
    await polya(place, dry, { isInteractive: true, confirms: true, onWrite });
    expect(await polya(place, dry)).toMatchObject({
      code: 2,
      err: expect.stringContaining('polya.config.ts'),
    });
    expect(ran(place)).toEqual([]);
  });

  test('is asked about in a folder whose name would forge the answer', async () => {
    const place = untrusting();
    const folder = join(place.folder, 'a\nTrusted: yes');
    mkdirSync(folder);
    writeFileSync(join(folder, 'polya.config.ts'), 'export default {};');
    const { err } = await polya({ ...place, folder }, dry, { isInteractive: true, confirms: false });
    expect(err.split('\n').filter((line) => line.startsWith('Trusted: yes'))).toEqual([]);
  });

  test('is not given by itself to root in a folder of a user’s, as with sudo and in containers', {
    tags: ['root'],
  }, async () => {
    const place = untrusting();
    config(place);
    for (const owner of [1234, 65_534]) {
      for (const path of [place.folder, join(place.folder, 'polya.config.ts')]) chownSync(path, owner, owner);
      expect(await polya(place, dry)).toMatchObject({
        code: 2,
        err: expect.stringContaining('You have not trusted'),
      });
    }
    expect(ran(place)).toEqual([]);
  });

  test('is not asked for at a terminal of CI, where nobody answers', () => {
    const place = untrusting();
    config(place);
    const command = `${launcher} ask What? --model openai/x --dry-run`;
    const env = { ...place.env, CI: 'true', PATH: process.env.PATH };
    const options = { cwd: place.folder, env, encoding: 'utf8' } as const;
    const { status, stdout } = spawnSync('script', ['-qec', command, '/dev/null'], options);
    expect({ status, stdout }).toEqual({ status: 2, stdout: expect.stringContaining('POLYA_TRUST') });
  });

  test('of a folder is not that of a clone below it', async () => {
    const place = untrusting();
    config(place);
    await polya(place, ['trust', '--yes']);
    const nested = { ...place, folder: join(place.folder, 'clone') };
    mkdirSync(nested.folder);
    writeFileSync(join(nested.folder, '.env'), 'OPENAI_API_KEY=x\n');
    expect((await polya(place, dry)).code).toBe(0);
    expect(await polya(nested, dry)).toMatchObject({ code: 2, err: expect.stringContaining('clone') });
  });

  test('is not read from a record that others can write', async () => {
    const place = untrusting();
    config(place);
    await polya(place, ['trust', '--yes']);
    const records = join(place.env.HOME ?? '', '.config/polya/trusted');
    const [record = ''] = readdirSync(records);
    chmodSync(join(records, record), 0o666);
    expect(await polya(place, dry)).toMatchObject({
      code: 2,
      err: expect.stringContaining('cannot be used'),
    });
  });

  test('comes with a store that a run of the user makes, and not with what appears there later', async () => {
    const place = untrusting();
    const script = scriptBeside(place);
    const ask = ['ask', 'What?', '--model', `scripted:${script}`];
    for (const argv of [ask, ask, ['runs', 'replay', 'last'], ['runs', 'fork', 'last']])
      expect(await polya(place, argv), argv.join(' ')).toMatchObject({ code: 0 });
    const store = join(place.folder, '.polya');
    const other = untrusting();
    await storeWithAddress(other);
    rmSync(store, { recursive: true });
    cpSync(join(other.folder, '.polya'), store, { recursive: true });
    const replaced = await polya(place, ['runs', 'replay', 'last']);
    expect(replaced).toMatchObject({ code: 2, err: expect.stringContaining('polya.db') });
    expect(await polya(place, ['runs', 'list'])).toMatchObject({ code: 0 });
    writeFileSync(join(place.folder, '.env'), 'OPENAI_API_KEY=x\n');
    expect(await polya(place, ask)).toMatchObject({ code: 2, err: expect.stringContaining('.env') });
  });

  test.each(['polya.db-wal', 'polya.db-journal'])(
    'is not that of a %s that appears beside a trusted store',
    async (name) => {
      const place = untrusting();
      const script = scriptBeside(place);
      const ask = ['ask', 'What?', '--model', `scripted:${script}`];
      expect(await polya(place, ask)).toMatchObject({ code: 0 });
      const store = join(place.folder, '.polya/polya.db');
      const copy = join(place.folder, '../copy.db');
      cpSync(store, copy);
      using database = new DatabaseSync(copy);
      database.exec('PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; VACUUM');
      cpSync(`${copy}-wal`, join(place.folder, '.polya', name));
      for (const argv of [['runs', 'fork', 'last'], ask])
        expect(await polya(place, argv)).toMatchObject({ code: 2, err: expect.stringContaining(name) });
    },
  );

  test('of a store that other users can replace is never given by itself', async () => {
    const place = untrusting();
    chmodSync(place.folder, 0o777);
    const script = join(place.folder, 'script.json');
    writeFileSync(script, JSON.stringify({ roles: { solver: { '': [{ text: '42' }] } } }));
    expect((await polya(place, ['ask', 'What?', '--model', `scripted:${script}`])).code).toBe(0);
    expect((await polya(place, ['runs', 'replay', 'last'])).code).toBe(2);
  });
});

describe('a key goes to no address that a file names', () => {
  const isRefused = { code: 2, err: expect.stringMatching(/polya trust --address openai-compatible=http/) };

  test('of a journal or a run-set, also where its folder is trusted, until the user names the address', async () => {
    const place = untrusting();
    await storeWithAddress(place);
    const text = JSON.stringify({ name: 'set', rows: [{ ...rows(), baseUrls: address }] });
    writeFileSync(join(place.folder, 'set.yaml'), text);
    await polya(place, ['trust', '--yes']);
    asked.length = 0;
    const calls = [
      ['runs', 'resume', 'last'],
      ['resume'],
      ['runs', 'fork', 'last'],
      ['run-set', 'run', 'set.yaml'],
    ];
    for (const argv of calls) expect(await polya(place, argv), argv.join(' ')).toMatchObject(isRefused);
    expect(asked).toEqual([]);
    const named = await polya(place, ['trust', '--address', `openai-compatible=${address}`]);
    expect(named).toMatchObject({ code: 0 });
    await polya(place, ['runs', 'resume', 'last']);
    expect(asked.at(-1)).toContain(victimKey);
  });

  test('of the same host with another path, where gateways serve another owner', async () => {
    const place = untrusting();
    await storeWithAddress(place);
    await polya(place, ['trust', '--yes']);
    asked.length = 0;
    const env = { ...place.env, OPENAI_COMPATIBLE_BASE_URL: `${address}/of-the-owner` };
    expect(await polya({ ...place, env }, ['runs', 'resume', 'last'])).toMatchObject(isRefused);
    expect(asked).toEqual([]);
    env.OPENAI_COMPATIBLE_BASE_URL = `${address}/`;
    await polya({ ...place, env }, ['runs', 'resume', 'last']);
    expect(asked.at(-1)).toContain(victimKey);
  });

  test('and an address that the user types is remembered for its resume', async () => {
    const place = untrusting();
    asked.length = 0;
    await polya(place, ['ask', 'What?', '--model', 'openai-compatible/x', '--base-url', address]);
    await polya(place, ['runs', 'resume', 'last']);
    expect(asked.filter((line) => line.includes(victimKey)).length).toBeGreaterThan(1);
  });
});

test('a page in a store that is not trusted only shows it', async () => {
  const place = untrusting();
  await storeWithAddress(place);
  const { err } = await polya(place, ['view', '--no-open'], {
    onWrite: (text, interrupt) => text.includes('Ctrl-C') && setImmediate(interrupt),
  });
  expect(err).toContain('read-only');
  expect(existsSync(join(place.folder, '.polya/polya.db'))).toBe(true);
  expect(readFileSync(join(place.folder, '.polya/polya.db')).length).toBeGreaterThan(0);
});
