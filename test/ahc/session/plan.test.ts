/** What of options and configuration reaches a session, and what is refused before anything is made. */

import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { foldSession } from '../../../src/apps/ahc/session/fold.ts';
import { keepWanted, recordResult } from '../../../src/apps/ahc/session/folder.ts';
import { appLogOf, lastMark, maskOf, rotatingLog } from '../../../src/apps/ahc/session/log.ts';
import { planSession } from '../../../src/apps/ahc/session/plan.ts';
import { modelEnvironment, unusedKeyWarning } from '../../../src/apps/ahc/session/settings.ts';
import { openFolder } from '../../../src/io/folder.ts';
import { openWorkspace } from '../../../src/open/families/ahc/workspace.ts';
import { hashText } from '../../../src/run/hash.ts';
import { polya } from '../../cli/shell.ts';
import { analysis } from '../../support/beginnings.ts';
import { candidate, facts, journal, note, start } from './journals.ts';
import { type Bench, bench, lines, usual } from './sessions.ts';

const configured = `llm:
  provider: openai-compatible
  model: some-model
  api_key: '\${TOY_KEY}'
  temperature: 0.25
  max_tokens: 777
evolution:
  max_generations: 7
  population_size: 5
  time_limit_seconds: 99
  score_plateau_generations: 4
  temperature: 0.75
  mutation_prompts: ["Make {code_snippet} faster"]
  crossover_prompts: ["Join {code_A} and {code_B}"]
`;

function configuredBench(text = configured): Bench {
  const here = bench();
  writeFileSync(join(here.workspace, 'ahc_config.yaml'), text);
  writeFileSync(join(here.workspace, 'problem/problem.md'), 'Deliver parcels.\n');
  return {
    ...here,
    env: { ...here.env, OPENAI_COMPATIBLE_BASE_URL: 'http://127.0.0.1:9/v1', TOY_KEY: 'sk-toy' },
  };
}

const dryRun = async (here: Bench, ...more: string[]) => {
  const { code, out, err } = await polya(here, ['ahc', 'solve', '--dry-run', '--json', ...more]);
  return { code, err, told: JSON.parse(out) };
};

describe('what is configured', () => {
  test('arrives, key by key; an option goes before it, the default of an option never', async () => {
    const here = configuredBench();
    const { code, told, err } = await dryRun(here);
    expect([code, err]).toEqual([0, '']);
    expect(told.settings).toMatchObject({
      maxGenerations: 7,
      populationSize: 5,
      timeLimitSeconds: 99,
      plateauGenerations: 4,
      temperature: 0.75,
      mutationPrompts: ['Make {code_snippet} faster'],
      crossoverPrompts: ['Join {code_A} and {code_B}'],
      operators: { crossover: 0.15 },
    });
    expect(told.models).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          role: 'default',
          model: 'openai-compatible/some-model',
          settings: { temperature: 0.25, maxOutputTokens: 777 },
        }),
        expect.objectContaining({ role: 'solver', settings: { temperature: 0.75, maxOutputTokens: 777 } }),
      ]),
    );
    const given = await dryRun(
      here,
      ...[
        '--max-generations',
        '3',
        '--population-size',
        '2',
        '--time-limit',
        '60',
        '--islands',
        '1',
        '--cases',
        '0',
      ],
      ...['--model', 'manual:http', '--budget', '2', '--set', 'heldOutCases=7'],
    );
    expect(given.told).toMatchObject({
      settings: {
        maxGenerations: 3,
        populationSize: 2,
        timeLimitSeconds: 60,
        plateauGenerations: 4,
        islands: 1,
        searchCases: null,
      },
      models: expect.arrayContaining([expect.objectContaining({ role: 'default', model: 'manual:http' })]),
      limits: { costUsd: 2 },
    });
    const overEnvironment = await dryRun({
      ...here,
      env: { ...here.env, AHC_AGENT_EVOLUTION_MAX_GENERATIONS: '8' },
    });
    expect(overEnvironment.told.settings.maxGenerations).toBe(8);
    expect(readdirSync(here.workspace)).not.toContain('session.json');
    expect(existsSync(join(here.workspace, '.polya'))).toBe(false);
  });

  test('an analysis and programs of the user are what is begun with', async () => {
    const here = configuredBench('# nothing\n');
    writeFileSync(join(here.workspace, 'problem/analysis.json'), JSON.stringify(analysis));
    writeFileSync(join(here.workspace, 'parts.hpp'), 'int part() { return 7; }\n');
    writeFileSync(join(here.workspace, 'mine.cpp'), '#include "parts.hpp"\nint main() { return part(); }\n');
    mkdirSync(join(here.workspace, 'problem/images'), { recursive: true });
    writeFileSync(join(here.workspace, 'problem/images/map.png'), Buffer.from('89504e470d0a1a0a', 'hex'));
    writeFileSync(join(here.workspace, 'other.md'), 'Another statement. ![map](images/map.png)\n');
    const script = ['--model', 'manual:http'];
    const { told } = await dryRun(here, ...script, '--from', 'mine.cpp', '--problem-file', 'other.md');
    expect(told.settings.analysis).toEqual(analysis);
    expect(told.settings.given).toEqual([
      { name: 'mine.cpp', source: expect.stringMatching(/int part\(\)[\s\S]*int main/) },
    ]);
    // A model that cannot see is refused a statement with pictures, so they may be left out.
    const blind = await dryRun(here, ...script, '--problem-file', 'other.md', '--no-images');
    expect(told.problem.contentHash).not.toBe(blind.told.problem.contentHash);
    for (const [text, words] of [
      ['[1]', 'is no JSON object'],
      ['{', 'is no JSON object'],
      ['{"title": "mine"}', 'analysis.json is no analysis of a problem'],
    ] as const) {
      writeFileSync(join(here.workspace, 'problem/analysis.json'), text);
      expect((await dryRun(here, ...script)).err).toContain(words);
    }
    writeFileSync(join(here.workspace, 'other.md'), ' \n');
    rmSync(join(here.workspace, 'problem/analysis.json'));
    expect((await dryRun(here, ...script, '--problem-file', 'other.md')).err).toContain('other.md is empty');
  });

  test('a key goes to its own provider, is looked up at use alone, and patience reaches every provider', () => {
    const text = `llm:\n  provider: openai\n  model: gpt-5\n  api_key: '\${MY_KEY}'\n  timeout: 12.5\n`;
    const here = configuredBench(text);
    const { config } = openWorkspace({ folder: here.workspace, env: { ...here.env, MY_KEY: 'sk-mine' } });
    const env = modelEnvironment(config, { A: 'b' }, { default: 'openai/gpt-5' });
    expect(env).toMatchObject({ A: 'b', OPENAI_API_KEY: 'sk-mine', POLYA_SILENCE_SECONDS: '13' });
    const other = { default: 'anthropic/claude' };
    expect(modelEnvironment(config, {}, other)).not.toHaveProperty('OPENAI_API_KEY');
    expect(unusedKeyWarning(config, other)).toContain('belongs to openai');
    expect(unusedKeyWarning(config, { default: 'openai/gpt-5' })).toBeNull();
    const unset = openWorkspace({ folder: here.workspace, env: here.env }).config;
    expect(modelEnvironment(unset, {}, { default: 'scripted/x' })).toEqual({
      POLYA_SILENCE_SECONDS: '13',
      OPENAI_COMPATIBLE_SILENCE_SECONDS: '13',
    });
    expect(() => modelEnvironment(unset, {}, { default: 'openai/gpt-5' })).toThrow(
      'the environment has no MY_KEY',
    );
  });
});

test.each<[string[], string, number]>([
  [[], 'No model is named', 2],
  [['--model', 'openai/gpt-5'], 'OPENAI_API_KEY', 2],
  [['--model', 'manual:http', '--session-name', 'tools'], 'cannot be called "tools"', 2],
  [['--model', 'manual:http', '--session-name', 'main.cpp'], 'something called main.cpp', 2],
  [['--model', 'manual:http', '--set', 'nonsense=1'], 'nonsense', 2],
  [['--model', 'manual:http', '--set', 'operators.change=1'], '--set takes whole settings', 2],
  [['--model', 'manual:http', '--cases', '7777'], 'There is no case 7777', 2],
  [['--session-id', 'gone'], 'There is no session gone', 2],
  [['--session-id', 'a', '--session-name', 'b'], 'exclude each other', 2],
  [['--interactive', '--json'], 'exclude each other', 2],
  [['--foreground', '--json'], 'prints no JSON', 2],
])('solve %j is refused: %s', async (args, words, code) => {
  const here = bench();
  writeFileSync(join(here.workspace, 'main.cpp'), 'int main() {}\n');
  const before = readdirSync(here.workspace);
  const answer = await polya(here, ['ahc', 'solve', ...args]);
  expect([answer.code, answer.err]).toEqual([code, expect.stringContaining(words)]);
  expect(readdirSync(here.workspace)).toEqual(before);
});

test('without sessions, status and stop say so; --all is for all', async () => {
  const here = bench();
  expect(await polya(here, ['ahc', 'status'])).toMatchObject({
    code: 0,
    out: 'There are no sessions here yet.\n',
  });
  expect(await polya(here, ['ahc', 'status', '--all'])).toMatchObject({
    code: 0,
    out: 'There are no sessions here yet.\n',
  });
  expect(await polya(here, ['ahc', 'status', '--json'])).toMatchObject({ code: 0, out: 'null\n' });
  expect(await polya(here, ['ahc', 'stop', '--json'])).toMatchObject({ code: 0, out: 'null\n' });
  expect(await polya(here, ['ahc', 'status', '--all', '--watch'])).toMatchObject({ code: 2 });
});

describe('logs', () => {
  /** A clock that stands: none of these is about a day that begins in the middle of it. */
  const nowMs = Date.now();
  const now = () => nowMs;

  test('are put aside by size and by day, under names of their own, and not for ever', () => {
    const { workspace } = bench();
    const file = join(workspace, 'x/session.log');
    let clockMs = nowMs;
    const log = rotatingLog(file, 100, () => clockMs);
    log.append(`${'a'.repeat(60)}\n`);
    log.append(`${'b'.repeat(60)}\n`);
    expect(readFileSync(file, 'utf8')).toMatch(/^b+\n$/);
    // Two days: a midnight that has just passed is one that the file knows.
    clockMs += 2 * 86_400_000;
    log.append('c\n');
    expect(readFileSync(file, 'utf8')).toBe('c\n');
    const seen: string[] = [];
    const isThere = (text: string): number | null => {
      seen.push(text);
      return /b/.test(text) ? text.length : null;
    };
    expect([log.last(isThere), seen]).toEqual([61, ['c\n', `${'b'.repeat(60)}\n`]]);
    for (let each = 0; each < 15; each += 1) log.append(`${'d'.repeat(99)}\n`);
    expect(readdirSync(join(workspace, 'x'))).toHaveLength(10);
  });

  test('know their last line however long it is: a resume writes no line twice', () => {
    const { workspace } = bench();
    const file = join(workspace, 'x/session.log');
    const log = rotatingLog(file, 1e9, now);
    const line = (mark: string, detail = '') =>
      log.append(`2026-11-21T17:00:00.000Z DEBUG ${mark} main#1 model-request\n${detail}`);
    line('1.116');
    line('1.117', `${'    a prompt with a program of 512 KB, twice\n'.repeat(60_000)}`);
    expect(log.last(lastMark)).toEqual([1, 117]);
    rmSync(file);
    expect(log.last(lastMark)).toBeNull();
  });

  test('of the program: from the configured level on, as text or JSON, without keys; one that cannot be written harms nobody', () => {
    const { workspace, env } = bench();
    const home = join(workspace, 'home');
    const secret = { ...env, HOME: home, OPENAI_API_KEY: 'sk-very-secret' };
    const log = (level: string, isJson = false, env: typeof secret | { HOME: string } = secret) => {
      const config = { 'logging.level': level, 'logging.json': isJson, 'workspace.max_log_size_mb': 1 };
      return appLogOf({ get: (key) => config[key as keyof typeof config] }, env);
    };
    const file = join(home, '.ahc_agent/ahc_agent.log');
    log('WARNING')('INFO', 'not this');
    log('WARNING')('ERROR', 'the key sk-very-secret\nwas refused');
    log('DEBUG', true)('DEBUG', 'as JSON');
    const [text = '', json = ''] = lines(file);
    expect(text).toMatch(/^\d{4}-.*Z ERROR \[\d+\] the key \[redacted\] was refused$/);
    expect(JSON.parse(json)).toMatchObject({ level: 'DEBUG', message: 'as JSON' });
    expect(maskOf(secret)('say sk-very-secret')).toBe('say [redacted]');
    writeFileSync(join(workspace, 'file'), '');
    const nowhere = log('WARNING', false, { HOME: join(workspace, 'file') });
    expect(() => nowhere('ERROR', 'x')).not.toThrow();
  });
});

test('outputs that do not fit are not copied first, nor kept', () => {
  const { workspace } = bench();
  const path = join(workspace, 'large');
  const source = (id: string): string => `int main() { return ${id.length}; } // ${id}`;
  const ids = ['gen01_id01', 'gen01_id02', 'gen01_id03'];
  const state = foldSession(
    journal([
      start,
      ...ids.map((id, at) =>
        note('candidate', { ...candidate(1, at + 1, { score: 9 - at }), id, source: source(id) }),
      ),
    ]),
  );
  for (const [at, id] of ids.entries()) {
    const from = join(workspace, '.ahc/session-outputs', hashText(source(id)));
    mkdirSync(from, { recursive: true });
    writeFileSync(join(from, '0000.out'), 'x'.repeat(at === 1 ? 90 : 20));
  }
  // Whoever copied it would fail at what is in the way.
  mkdirSync(join(path, 'outputs'), { recursive: true });
  writeFileSync(join(path, 'outputs/gen01_id02'), '');
  const places = { workspace: openFolder(workspace), session: openFolder(path) };
  keepWanted(places, state, facts, 60);
  expect(readdirSync(join(path, 'outputs')).sort()).toEqual(['gen01_id01', 'gen01_id03']);
});

test.each(['results.csv', 'experiments.log'])(
  'a pipe in the place of %s is told, and not waited for',
  async (name) => {
    const { workspace } = bench();
    rmSync(join(workspace, name), { force: true });
    execFileSync('mkfifo', [join(workspace, name)]);
    const written = recordResult(openFolder(workspace), ['night', 't', ''], 'end');
    await expect(written).rejects.toThrow(name);
  },
);

test('results of many at once lose no line of one another', async () => {
  const { workspace } = bench();
  const folder = openFolder(workspace);
  appendFileSync(join(workspace, 'results.csv'), 'session,started_at\n');
  await Promise.all(
    Array.from({ length: 12 }, (_, each) => recordResult(folder, [`s${each}`, 't', '"'], 'end')),
  );
  expect(lines(join(workspace, 'results.csv'))).toHaveLength(13);
});

test('a main.cpp of its user’s takes part without being named; the template, and beside --from, does not', () => {
  const here = bench();
  const { workspace, env } = here;
  const planned = (more: object = {}) => planSession({ folder: workspace, env }, { ...usual, ...more });
  const source = 'int main() { return 0; } // mine\n';
  writeFileSync(join(workspace, 'main.cpp'), source);
  const own = planned();
  expect(own.warnings.join()).toContain('main.cpp takes part');
  expect(planned({ from: ['main.cpp'] }).warnings).toEqual([]);
  writeFileSync(join(workspace, 'problem/template.cpp'), source);
  expect(planned().warnings).toEqual([]);
});
