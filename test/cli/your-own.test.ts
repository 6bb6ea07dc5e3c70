/**
 * What users bring, as they bring it: files in a folder that has nothing of Polya's, and the real program, since loading
 * code is Node's business and not that of the tests' own loader.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { Header } from '../../src/core/event.ts';
import { call, lastJournal, root } from './process.ts';
import { newPlace, type Place, polya } from './shell.ts';
import { warmProgram } from './warm.ts';

const agentCode = `
import { defineAgent, requireReply, textOf } from 'polya';
import { z } from 'zod';
import { greeting } from './words.ts';

export default defineAgent({
  name: 'mine',
  settings: z.object({ tries: z.int().min(1).max(9).default(2).describe('how often it asks') }),
  needs: ['parse'],
  async solve(problem, run, { tries }) {
    for (let attempt = 0; attempt < tries; attempt += 1) {
      const messages = [{ role: 'user', content: greeting + problem.spec.brief.task }] as const;
      const answer = problem.parse(textOf(requireReply(await run.generate('solver', { messages })).message));
      if (answer.type !== 'misfit') return { end: 'answered', answer };
    }
    return { end: 'gave-up' };
  },
});
`;

const familyCode = `
import { defineFamily } from 'polya';
import { z } from 'zod';

export default defineFamily({
  name: 'sums',
  reference: z.object({ a: z.int(), b: z.int() }),
  detail: z.object({ sum: z.int() }),
  offers: ['parse'],
  load: async ({ a, b }) => ({
    id: 'sums/' + a + '-' + b,
    title: a + ' + ' + b,
    statement: 'How much is it?',
    brief: { task: 'Add ' + a + ' and ' + b + '.' },
    detail: { sum: a + b },
  }),
  open: ({ detail }) => ({
    parse: (reply) => (/\\d/.test(reply) ? { type: 'text', text: reply.trim() } : { type: 'misfit', feedback: 'No number.' }),
    grade: async ({ answer }) => ({ correct: answer?.type === 'text' && Number(answer.text) === detail.sum, explanation: 'It is ' + detail.sum + '.' }),
  }),
});
`;

const configCode = `
import { scriptedModel } from 'polya';
import mine from './mine.ts';
import sums from './sums.ts';

export default {
  agents: [mine],
  families: [sums],
  models: { canned: scriptedModel({ id: 'canned', script: ({ index }) => ['well …', '13'][index] }) },
  model: 'canned',
};
`;

function write({ folder }: Place, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}

/** A folder with an agent, a family and a script, and no configuration. */
function withFiles(): Place {
  const place = newPlace();
  write(place, {
    'mine.ts': agentCode,
    'words.ts': `export const greeting: string = 'Please. ';\n`,
    'sums.ts': familyCode,
    'replies.json': JSON.stringify({ roles: { solver: { '': ['well …', '13'] } } }),
  });
  return place;
}

function withConfig(): Place {
  const place = withFiles();
  write(place, { 'polya.config.ts': configCode });
  return place;
}

const sum = ['--problem', 'a=6', '--problem', 'b=7'];
const byFile = ['run', '--family', './sums.ts', ...sum, '--agent', './mine.ts', '--model'];
const byName = ['run', '--family', 'sums', ...sum, '--agent', 'mine'];

const node = join(root, 'node_modules/node/bin/node');
/** `call` where a process of its own matters; what follows it in a test goes here. */
const warm = warmProgram();

async function headerOf(place: Place): Promise<Header> {
  const event = (await lastJournal(place))?.events.findLast(
    ({ kind }) => kind === 'run-start' || kind === 'run-fork',
  );
  if (event?.kind === 'run-start' || event?.kind === 'run-fork') return event.body;
  throw new Error('There is no journal.');
}

describe.concurrent('an agent and a family in files', () => {
  test('run, and their journal is replayed, forked, shown and compared without their names', async () => {
    const place = withFiles();
    const run = await call(place, [...byFile, 'scripted:replies.json']);
    expect(run, run.err).toMatchObject({
      code: 0,
      out: expect.stringMatching(/solved[\s\S]+The sum|It is 13/),
    });
    const { code = [], agent, problem } = await headerOf(place);
    expect({ agent: agent.name, family: problem.family }).toEqual({ agent: 'mine', family: 'sums' });
    expect(code.map(({ file, brings }) => ({ file, brings }))).toEqual([
      { file: 'mine.ts', brings: ['agent'] },
      { file: 'sums.ts', brings: ['family'] },
    ]);
    const replay = await warm(place, ['runs', 'replay', 'last']);
    expect(replay).toMatchObject({ code: 0, err: '', out: expect.stringContaining('the same end: solved') });
    const shown = await warm(place, ['runs', 'show', 'last']);
    expect(shown.out).toMatch(/code +agent from mine\.ts/);
    const fork = await warm(place, ['runs', 'fork', 'last', '--at', '1', '--set', 'tries=1']);
    expect(fork).toMatchObject({ code: 1, out: expect.stringContaining('gave-up') });
    const parent = (await headerOf(place)).fork?.run ?? '';
    const difference = await warm(place, ['runs', 'diff', parent, 'last']);
    expect(difference, difference.err).toMatchObject({ code: 0, out: expect.stringMatching(/tries/) });
  });

  test('a run that was stopped is resumed', async () => {
    const place = withFiles();
    const stopped = await warm(place, [...byFile, 'scripted:none.json', '--max-tool-calls', '3']);
    expect(stopped.code).toBe(2);
    // The second reply is missing: the model is unavailable, and the run can go on when it is there.
    write(place, { 'short.json': JSON.stringify({ roles: { solver: { '': ['well …'] } } }) });
    const broken = await warm(place, [...byFile, 'scripted:short.json']);
    expect(broken.code).toBeGreaterThan(0);
    write(place, { 'short.json': JSON.stringify({ roles: { solver: { '': ['well …', '13'] } } }) });
    const forked = await warm(place, ['runs', 'fork', 'last', '--at', '3']);
    expect(forked, forked.err).toMatchObject({ code: 0 });
  });

  test('changed code is told of in a line, and goes on; a relative import counts', async () => {
    const place = withFiles();
    await warm(place, [...byFile, 'scripted:replies.json']);
    write(place, { 'words.ts': `// A remark.\nexport const greeting: string = 'Please. ';\n` });
    const same = await call(place, ['runs', 'replay', 'last']);
    expect(same).toMatchObject({ code: 0, out: expect.stringContaining('the same end') });
    expect(same.err.trim().split('\n')).toHaveLength(1);
    expect(same.err).toMatch(/code of the agent in mine\.ts has changed/);
    write(place, { 'words.ts': `export const greeting: string = 'Quick. ';\n` });
    const other = await call(place, ['runs', 'replay', 'last']);
    expect(other.code).toBe(4);
    expect(other.err).toMatch(/has changed[\s\S]+diverges/);
  });

  test('a file that is gone is named, and another may have what was in it', async () => {
    const place = withFiles();
    await call(place, [...byFile, 'scripted:replies.json']);
    renameSync(join(place.folder, 'mine.ts'), join(place.folder, 'moved.ts'));
    const gone = await warm(place, ['runs', 'replay', 'last']);
    expect(gone).toMatchObject({
      code: 2,
      err: expect.stringMatching(/mine\.ts, which is not there[\s\S]+--agent/),
    });
    const found = await warm(place, ['runs', 'replay', 'last', '--agent', './moved.ts']);
    expect(found).toMatchObject({ code: 0, err: '' });
    write(place, {
      'polya.config.ts': `import mine from './moved.ts';\nexport default { agents: [mine] };\n`,
    });
    expect(await warm(place, ['runs', 'replay', 'last'])).toMatchObject({ code: 0 });
  });

  test('fit what they need: else nothing is begun', async () => {
    const place = withFiles();
    const argv = [...byFile.with(byFile.indexOf('./mine.ts'), 'ensemble'), 'scripted:replies.json'];
    expect(await warm(place, argv)).toMatchObject({ code: 2, err: expect.stringContaining('equal') });
    expect(await lastJournal(place)).toBeNull();
  });

  test('settings stand in --help, and a dry run shows the first request', async () => {
    const place = withFiles();
    const help = await warm(place, ['run', '--agent', './mine.ts', '--help']);
    expect(help).toMatchObject({
      code: 0,
      out: expect.stringMatching(/tries +whole number, 1 to 9 +2 +how often it asks/),
    });
    const dry = await warm(place, [
      ...byFile,
      'scripted:replies.json',
      '--dry-run',
      '--agent-setting',
      'tries=3',
    ]);
    expect(dry).toMatchObject({ code: 0, out: expect.stringContaining('Please. Add 6 and 7.') });
    expect(await lastJournal(place)).toBeNull();
  });

  test('answer questions of a data set, several of them', async () => {
    const place = withFiles();
    write(place, {
      'set.jsonl': `{"question": "6 + 7?", "answer": "13"}\n`,
      'answers.json': JSON.stringify({ roles: { solver: { '': [{ text: 'Answer: 13', repeat: true }] } } }),
    });
    const model = ['--model', 'scripted:answers.json'];
    const run = await warm(place, ['qa', 'run', 'set.jsonl', '--agent', './mine.ts,single-call', ...model]);
    expect(run, run.err).toMatchObject({ code: 0, out: expect.stringContaining('mine') });
    const alone = await warm(place, ['qa', 'ask', '6 + 7?', '--agent', './mine.ts', ...model]);
    expect(alone, alone.err).toMatchObject({ code: 0, out: '13\n' });
  });

  test('that were given to the library as objects are replayed with the file', async () => {
    const place = withFiles();
    write(place, {
      'library.ts': `
import { openPolya, scriptedModel } from 'polya';
import mine from './mine.ts';
import sums from './sums.ts';
const script = scriptedModel({ id: 'canned', script: () => '13' });
const polya = await openPolya({ agents: [mine], families: [sums], models: { canned: script } });
const run = await polya.run({ family: 'sums', problem: { a: 6, b: 7 }, agent: 'mine', model: 'canned' });
console.log(run.outcome);
await polya.close();
`,
    });
    const hook = pathToFileURL(join(root, 'src/open/user-code/register.ts')).href;
    const made = await call(place, ['--import', hook, 'library.ts'], node);
    expect(made, made.err).toMatchObject({ code: 0, out: 'solved\n' });
    expect((await headerOf(place)).code).toBeUndefined();
    expect(await warm(place, ['runs', 'replay', 'last'])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/There is no family sums|There is no agent mine/),
    });
    const argv = ['runs', 'replay', 'last', '--agent', './mine.ts', '--family', './sums.ts'];
    const replay = await warm(place, argv);
    expect(replay, replay.err).toMatchObject({ code: 0, out: expect.stringContaining('the same end') });
  });
});

describe.concurrent('polya.config.ts', () => {
  test('names agents, families, models and the model of all runs, from any folder below it', async () => {
    const place = withConfig();
    const below = { ...place, folder: join(place.folder, 'deep', 'down') };
    mkdirSync(below.folder, { recursive: true });
    const run = await call(below, [...byName, '--json']);
    expect(run, run.err).toMatchObject({ code: 0 });
    expect(JSON.parse(run.out)).toMatchObject({
      agent: 'mine',
      code: [
        { file: 'mine.ts', brings: ['agent'] },
        { file: 'sums.ts', brings: ['family'] },
        { file: 'polya.config.ts', brings: ['model'] },
      ],
    });
    // The journals are beside it.
    expect(await warm(place, ['runs', 'replay', 'last'])).toMatchObject({ code: 0 });
  });

  test('code that did not change is not called changed: a price in the configuration, a file that is named too', async () => {
    const place = withConfig();
    expect(await call(place, byName)).toMatchObject({ code: 0 });
    const config = configCode.replace(
      "model: 'canned',",
      "model: 'canned',\n  prices: { 'ollama/*': { input: 0, output: 0 } },",
    );
    write(place, { 'polya.config.ts': config });
    const replay = ['runs', 'replay', 'last'];
    for (const argv of [replay, [...replay, '--agent', './mine.ts'], [...replay, '--family', './sums.ts']]) {
      const replayed = await warm(place, argv);
      expect(replayed, replayed.err).toMatchObject({ code: 0 });
      expect(replayed.err).not.toMatch(/of the (agent|family)/);
    }
    const named = await warm(place, ['run', '--family', 'sums', ...sum, '--agent', './mine.ts']);
    expect(named, named.err).toMatchObject({ code: 0, err: expect.not.stringContaining('has changed') });
  });

  test('is for run-sets and their resume too', async () => {
    const place = withConfig();
    write(place, {
      'set.yaml':
        'name: sums\ndefaults: { family: sums, agent: mine }\nrows:\n  - problem: { a: 6, b: 7 }\n  - problem: { a: 6, b: 8 }\n',
    });
    const set = await warm(place, ['run-set', 'run', 'set.yaml', '--json']);
    expect(JSON.parse(set.out).rows.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      'solved',
      'wrong',
    ]);
    renameSync(join(place.folder, 'polya.config.ts'), join(place.folder, 'elsewhere.ts'));
    const named = ['run-set', 'run', 'set.yaml', '--agent', 'elsewhere.ts', '--json'];
    const byOption = await warm(place, named);
    expect(JSON.parse(byOption.out).rows).toHaveLength(2);
  });

  test('comes after the flag and the environment', async () => {
    const place = withConfig();
    const modelOf = async (argv: readonly string[], env = {}): Promise<string | undefined> => {
      const run = await warm({ ...place, env: { ...place.env, ...env } }, [...byName, ...argv]);
      expect(run, run.err).toMatchObject({ code: 0 });
      return (await headerOf(place)).models.default?.spec;
    };
    const file = join(place.folder, 'replies.json');
    expect(await modelOf([])).toBe('canned');
    expect(await modelOf([], { POLYA_MODEL: 'scripted:replies.json' })).toBe(`scripted:${file}`);
    expect(await modelOf(['--model', 'canned'], { POLYA_MODEL: 'scripted:replies.json' })).toBe('canned');
  });

  test('of the user is for all folders, and the project’s goes before it', async () => {
    const place = withFiles();
    const own = join(place.env.HOME ?? '', '.config', 'polya');
    mkdirSync(own, { recursive: true });
    const model = (reply: string) => `{ canned: scriptedModel({ id: 'canned', script: () => '${reply}' }) }`;
    writeFileSync(
      join(own, 'polya.config.ts'),
      `import { scriptedModel } from 'polya';\nexport default { models: ${model('1')}, model: 'canned' };\n`,
    );
    const argv = ['run', '--family', './sums.ts', ...sum, '--agent', './mine.ts'];
    expect(await warm(place, argv)).toMatchObject({ code: 1, out: expect.stringContaining('wrong') });
    write(place, {
      'polya.config.ts': `import { scriptedModel } from 'polya';\nexport default { models: ${model('13')} };\n`,
    });
    expect(await warm(place, argv)).toMatchObject({ code: 0 });
  });

  test('tells prices', async () => {
    const place = withFiles();
    write(place, {
      'polya.config.ts': `export default { prices: { 'openai/*': { input: 1, output: 7 } } };\n`,
    });
    const env = { ...place.env, OPENAI_API_KEY: 'nobody-asks-with-it' };
    const dry = await warm({ ...place, env }, [
      ...byFile,
      'openai/not-known-to-anybody',
      '--dry-run',
      '--json',
    ]);
    expect(dry, dry.err).toMatchObject({ code: 0 });
    expect(JSON.stringify(JSON.parse(dry.out))).toContain('"outputUsdPerMillion":7');
  });

  test('is read by nobody who reads journals, however broken it is', async () => {
    const place = withConfig();
    await call(place, byName);
    write(place, { 'polya.config.ts': 'throw new Error("nobody may load this");\n' });
    const reading = [
      ['runs', 'list'],
      ['runs', 'show', 'last'],
      ['cost'],
      ['runs', 'export', '--all', '--format', 'json'],
    ];
    for (const argv of reading)
      expect(await warm(place, argv), argv.join(' ')).toMatchObject({ code: 0, err: '' });
    // What needs none of it goes on too.
    const ask = await warm(place, ['ask', 'Well?', '--model', 'scripted:replies.json']);
    expect(ask).toMatchObject({ code: 0 });
    expect((await headerOf(place)).code).toBeUndefined();
    expect(await warm(place, ['runs', 'replay', 'last'])).toMatchObject({ code: 0 });
  });

  test('works in a folder whose package says that it is CommonJS', async () => {
    const place = withConfig();
    write(place, { 'package.json': '{ "type": "commonjs" }' });
    const run = await call(place, byName);
    expect(run, run.err).toMatchObject({ code: 0 });
    expect(run.err).not.toContain('Warning');
  });
});

describe.concurrent('a mistake is one message before anything is made', () => {
  type Mistake = readonly [what: string, files: Readonly<Record<string, string>>, said: RegExp];
  const defined = agentCode.replace("import { greeting } from './words.ts';", "const greeting = '';");
  const inConfig = (exported: string): Readonly<Record<string, string>> => ({
    'mine.ts': `${defined.replace('export default', 'const mine =')}\nexport default ${exported};\n`,
  });
  const mistakes: readonly Mistake[] = [
    ['a file that is not there', {}, /There is no file .*mine\.ts/],
    [
      'a misspelled import',
      { 'mine.ts': `import { defineAgnet } from 'polya';\nexport default defineAgnet({});\n` },
      /mine\.ts:1 imports defineAgnet[\s\S]+Did you mean defineAgent\?/,
    ],
    [
      'a syntax error',
      { 'mine.ts': `export const a = 1;\nexport default { agents: [ };\n` },
      /mine\.ts:2 is no TypeScript that can be run/,
    ],
    [
      'what Node cannot take away',
      { 'mine.ts': 'enum A { B }\nexport default A;\n' },
      /mine\.ts:1 [\s\S]+without enum/,
    ],
    [
      'a file that is not there, imported',
      { 'mine.ts': `import './nothing.ts';\nexport default {};\n` },
      /imports what is not there[\s\S]+nothing\.ts/,
    ],
    [
      'a package that is not there',
      { 'mine.ts': `import 'left-pad-of-nobody';\nexport default {};\n` },
      /imports what is not there[\s\S]+left-pad-of-nobody/,
    ],
    [
      'a schema that is none',
      { 'mine.ts': defined.replace(/z\.object\(.*\)/, '{ tries: 2 }') },
      /agent mine has `settings` that are no zod schema/,
    ],
    [
      'no default export',
      { 'mine.ts': defined.replace('export default', 'export const mine =') },
      /no default export[\s\S]+export default mine;/,
    ],
    [
      'nothing exported',
      { 'mine.ts': 'const a = 1;\nvoid a;\nexport {};\n' },
      /no default export[\s\S]+defineAgent/,
    ],
    [
      'a module that throws',
      { 'mine.ts': `\nconst o: { a?: { b: number } } = {};\nexport default o.a!.b;\n` },
      /mine\.ts:3 throws when it is loaded/,
    ],
    [
      'a module that throws no error',
      { 'mine.ts': `throw 'words';\n` },
      /throws when it is loaded[\s\S]+words/,
    ],
    [
      'a module that waits for ever',
      { 'mine.ts': 'await new Promise(() => {});\nexport default {};\n' },
      /waits for something that never comes/,
    ],
    ['a misspelled key', inConfig('{ agnets: [mine] }'), /agnets[\s\S]+Did you mean agents\?/],
    ['agents that are no list', inConfig('{ agents: mine }'), /`agents` are no list/],
    ['two of one name', inConfig('{ agents: [mine, mine] }'), /two agents named mine/],
    [
      'the name of one of ours',
      { 'mine.ts': defined.replace("'mine'", "'ensemble'") },
      /an agent named ensemble, and one of that name comes with Polya/,
    ],
    ['a name that is none', { 'mine.ts': defined.replace("'mine'", "'my agent'") }, /name that is none/],
    ['a need that nothing meets', { 'mine.ts': defined.replace("['parse']", "['prase']") }, /needs prase/],
    [
      'a function alone',
      { 'mine.ts': 'export default async function solve() {}\n' },
      /default export is a function/,
    ],
    [
      'an agent without solve',
      {
        'mine.ts': `import { z } from 'zod';\nexport default { name: 'mine', settings: z.object({}), needs: [], roles: ['solver'], prompts: {} };\n`,
      },
      /has no function `solve`/,
    ],
    [
      'a model that is none',
      inConfig(`{ agents: [mine], models: { canned: 'openai/gpt' } }`),
      /model canned is none/,
    ],
    [
      'a model with the name of one of ours',
      inConfig(`{ agents: [mine], models: { 'openai/x': {} } }`),
      /model named openai\/x/,
    ],
    [
      'prices that are none',
      inConfig(`{ agents: [mine], prices: { 'openai/*': 3 } }`),
      /no usable table of prices/,
    ],
  ];

  test('whatever it is', async () => {
    const place = newPlace();
    const folders = mistakes.map(([, files], at) => {
      const folder = join(place.folder, `${at}`);
      mkdirSync(folder);
      write({ ...place, folder }, files);
      return join(folder, 'mine.ts');
    });
    const child = join(root, 'test/support/mistakes-child.ts');
    const { code, out, err } = await call(place, [child, ...folders], node);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const told: Record<string, string> = JSON.parse(out);
    for (const [at, [what, , said]] of mistakes.entries()) {
      const text = told[folders[at] ?? ''] ?? '';
      expect(text, what).toMatch(/^2\n/);
      expect(text, what).toMatch(said);
      expect(text, what).not.toMatch(/\n\s+at |node:internal|Warning/);
      expect(text.split('\n').length, what).toBeLessThanOrEqual(5);
    }
  });

  test('the program ends with 2, and makes no journal', async () => {
    const place = withFiles();
    write(place, { 'mine.ts': `import { defineAgnet } from 'polya';\nexport default defineAgnet({});\n` });
    const failed = await call(place, [...byFile, 'scripted:replies.json']);
    expect(failed).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('Did you mean defineAgent?'),
    });
    expect(failed.err.trim().split('\n').length).toBeLessThanOrEqual(3);
    const family = [...byFile.with(byFile.indexOf('./mine.ts'), './sums.ts'), 'scripted:replies.json'];
    expect(await call(place, family)).toMatchObject({
      code: 2,
      err: expect.stringContaining('sums.ts has no agent'),
    });
    expect(await lastJournal(place)).toBeNull();
  });

  test('no secret is in it', async () => {
    const place = newPlace();
    write(place, {
      'mine.ts': 'throw new Error("The key " + process.env.OPENAI_API_KEY + " is refused");\n',
    });
    const env = { ...place.env, OPENAI_API_KEY: 'sk-very-secret-1234' };
    const failed = await call({ ...place, env }, [...byFile, 'scripted:replies.json', '--json']);
    expect(failed.code).toBe(2);
    expect(failed.err + failed.out).toContain('[redacted] is refused');
    expect(failed.err + failed.out).not.toContain('sk-very-secret-1234');
  });

  test('of several agents in a file, one is named', async () => {
    const place = withFiles();
    write(place, {
      'both.ts': `import mine from './mine.ts';\nexport default { agents: [mine, { ...mine, name: 'other' }] };\n`,
    });
    const argv = (agent: string) => [
      ...byFile.with(byFile.indexOf('./mine.ts'), agent),
      'scripted:replies.json',
    ];
    expect(await warm(place, argv('both.ts'))).toMatchObject({
      code: 2,
      err: expect.stringMatching(/several agents[\s\S]+both\.ts#mine/),
    });
    const run = await warm(place, argv('both.ts#other'));
    expect(run, run.err).toMatchObject({ code: 0, out: expect.stringContaining('other') });
  });

  test.each([
    ['a file that is not there', 'nothing.json', /cannot be read/],
    ['a value of another kind', 'a=six', /do not fit/],
  ])('no problem: %s', async (_what, value, said) => {
    const place = withFiles();
    const argv = ['run', '--family', './sums.ts', '--problem', value, '--agent', './mine.ts'];
    const failed = await warm(place, [...argv, '--model', 'scripted:replies.json']);
    expect(failed, failed.err).toMatchObject({ code: 2, err: expect.stringMatching(said) });
  });
});

describe.concurrent('whatever code of the user’s does to the process', () => {
  const agentThat = (solve: string) => ({
    'mine.ts': agentCode
      .replace("import { greeting } from './words.ts';", '')
      .replace(/async solve[\s\S]*/, `${solve}\n});\n`),
  });
  const asked = `await run.generate('solver', { messages: [{ role: 'user', content: 'x' }] });`;
  const json = [...byFile, 'scripted:replies.json', '--json'];

  const odd: readonly (readonly [
    what: string,
    files: Readonly<Record<string, string>>,
    code: number,
    said: RegExp,
  ])[] = [
    ['it exits while it is loaded', { 'mine.ts': 'process.exit(0);\n' }, 2, /ended the process/],
    [
      'it exits at work',
      agentThat(`async solve(_, run) { ${asked} process.exit(0); },`),
      2,
      /ended the process/,
    ],
    [
      'it throws where nothing awaits it',
      agentThat(
        `async solve(_, run) { ${asked} ${asked} await new Promise(() => setTimeout(() => { throw new Error('late'); }, 1)); },`,
      ),
      70,
      /mine\.ts:\d+ throws: late/,
    ],
    [
      'it loads for ever',
      { 'sums.ts': familyCode.replace(/load: async[\s\S]*?\}\),/, 'load: () => new Promise(() => {}),') },
      2,
      /waits for `load` of the family sums/,
    ],
    [
      'it is read by throwing',
      { 'mine.ts': `throw { toString() { throw new Error('x'); } };\n` },
      2,
      /throws when it is loaded/,
    ],
    [
      'it writes a prompt elsewhere',
      { 'mine.ts': agentCode.replace('needs:', "prompts: { '../x': 'y' }, needs:") },
      2,
      /prompt named/,
    ],
  ];

  test.each(odd)('is told in a sentence, and as JSON: %s', async (_what, files, code, said) => {
    const place = withFiles();
    write(place, files);
    const ended = await call(place, json);
    expect(ended, ended.err).toMatchObject({ code });
    expect(JSON.parse(ended.out)).toMatchObject({ exitCode: code, error: { what: expect.any(String) } });
    expect(ended.err).toMatch(said);
    expect(ended.err).not.toMatch(/defect of Polya|unsettled/);
  });

  test('what it prints with the console is no part of the JSON', async () => {
    const place = withFiles();
    write(place, agentThat(`async solve() { console.log('I PRINT'); return { end: 'gave-up' }; },`));
    const ended = await call(place, json);
    expect(JSON.parse(ended.out)).toMatchObject({ outcome: 'gave-up' });
    expect(ended.err).toContain('I PRINT');
  });

  test('an agent that throws what cannot be read loses its row and no other', async () => {
    const place = withFiles();
    write(place, {
      'odd.ts': agentThat(`async solve() { throw Object.create(null); },`)['mine.ts'].replace(
        "'mine'",
        "'odd'",
      ),
      'set.yaml': `name: s\ndefaults: {family: sums, agent: mine, models: "scripted:replies.json", problem: {a: 6, b: 7}}\nrows: [{name: a}, {name: b, agent: odd}, {name: c}]\n`,
    });
    const files = ['--agent', './mine.ts', '--agent', './odd.ts', '--family', './sums.ts'];
    const set = await call(place, ['run-set', 'run', 'set.yaml', ...files, '--json']);
    expect(set, set.err).toMatchObject({ code: 70 });
    const { rows }: { rows: readonly { outcome: string }[] } = JSON.parse(set.out);
    expect(rows.map(({ outcome }) => outcome)).toEqual(['solved', 'error', 'solved']);
  });
});

test('code of somebody else is not run because code of ours imports it', { tags: ['root'] }, async () => {
  const place = withFiles();
  await call(place, [...byFile, 'scripted:replies.json']);
  chownSync(join(place.folder, 'words.ts'), 65_534, 65_534);
  const untrusting = { ...place, env: { ...place.env, POLYA_TRUST: '' } };
  for (const named of [[], ['--agent', './mine.ts']]) {
    const replay = await warm(untrusting, ['runs', 'replay', 'last', ...named]);
    const err = expect.stringMatching(/words\.ts.* it belongs to another user/);
    expect(replay).toMatchObject({ code: 2, err });
  }
  expect(await warm(untrusting, ['trust', './mine.ts', '--yes'])).toMatchObject({ code: 0 });
  const trusted = await warm(untrusting, ['runs', 'replay', 'last', '--agent', './mine.ts']);
  expect(trusted, trusted.err).toMatchObject({ code: 0 });
});

describe.concurrent('tables', () => {
  test('of agents and families show what fits what', async () => {
    const place = withConfig();
    const agents = JSON.parse((await warm(place, ['agents', '--json'])).out);
    const mine = agents.find(({ name }: { name: string }) => name === 'mine');
    expect(mine).toMatchObject({
      needs: ['parse'],
      fits: { sums: 'all', qa: 'all', plain: 'none', aoc: 'none' },
      settings: [
        { name: 'tries', type: 'whole number, 1 to 9', default: 2, description: 'how often it asks' },
      ],
    });
    const families = await warm(place, ['families']);
    expect(families.out).toMatch(/proof +candidate\* .*proof-grader\*/);
    expect(families.out).toMatch(/sums +parse .*mine/);
    const one = await warm(place, ['families', 'sums']);
    expect(one.out).toMatch(/a +whole number +must be given/);
    expect(await warm(place, ['agents', 'nobody'])).toMatchObject({ code: 2 });
  });
});

test('a run of what comes with Polya says nothing of code in its header', async () => {
  const place = withFiles();
  const argv = [
    'run',
    '--family',
    'qa',
    '--problem',
    '{"question": "6 + 7?", "answer": 13}',
    '--agent',
    'single-call',
  ];
  const run = await warm(place, [...argv, '--model', 'scripted:replies.json']);
  expect(run.code).toBe(1);
  expect(Object.keys(await headerOf(place))).not.toContain('code');
});

test('`polya models` lists the models of polya.config.ts, and tells where one is from', async () => {
  const place = withConfig();
  const file = join(place.folder, 'polya.config.ts');
  const listed = await warm(place, ['models']);
  expect(listed.out, listed.err).toMatch(/yours +from\n.*canned +.*polya\.config\.ts/s);
  expect((await warm(place, ['models', 'canned'])).out).toContain(file);
  expect(JSON.parse((await warm(place, ['models', '--json'])).out).own).toEqual([{ name: 'canned', file }]);
});

describe('polya init', () => {
  test('writes an agent and a family that work, each with a test that passes', async () => {
    const place = newPlace();
    const files = { agent: 'tsconfig.json\n', family: '' };
    for (const [noun, more] of Object.entries(files)) {
      const made = await warm(place, ['init', noun, `two-${noun}`]);
      const out = `two-${noun}.ts\ntwo-${noun}.test.ts\n${more}`;
      expect(made, made.err).toMatchObject({ code: 0, out });
      const tested = await call(place, ['test', `two-${noun}.test.ts`]);
      expect(tested, tested.err).toMatchObject({ code: 0, err: expect.stringMatching(/pass 2/) });
      const again = await warm(place, ['init', noun, `two-${noun}`]);
      expect(again).toMatchObject({
        code: 2,
        err: expect.stringContaining('there already; nothing was written'),
      });
    }
    // An editor knows what `polya` is, in a folder that has nothing of it.
    const tsc = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', place.folder], { encoding: 'utf8' });
    expect(tsc).toMatchObject({ stdout: '', status: 0 });
  });
});

test.each(['Two', '../x', 'a b', '-x', '', 'ensemble'])('polya init agent %j is refused', async (name) => {
  const place = newPlace();
  expect(await polya(place, ['init', 'agent', '--', name])).toMatchObject({ code: 2 });
  expect(readdirSync(place.folder)).toEqual([]);
});

test.each(['a folder', 'a data file', 'a pipe'])(
  '%s in the place of a file of code is told as that',
  async (what) => {
    const place = withFiles();
    const at = (name: string): string => join(place.folder, name);
    mkdirSync(at('agents'));
    writeFileSync(at('agent.json'), '{}');
    execFileSync('mkfifo', [at('pipe.ts')]);
    const name = { 'a folder': 'agents', 'a data file': 'agent.json', 'a pipe': 'pipe.ts' }[what] ?? '';
    const { code, err } = await polya(place, ['agents', '--agent', `./${name}`]);
    expect(code).toBe(2);
    expect(err).toContain(`${name} is no file of TypeScript or JavaScript`);
  },
);
