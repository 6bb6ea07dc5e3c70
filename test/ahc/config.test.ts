/** The configuration of `ahc-agent`: every key's precedence, types and ranges, expansion, comments, secrets. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { initialFile, shownValue, withoutValue, withValue } from '../../src/apps/ahc/workspace/edit.ts';
import { type ConfigValue, configKeys } from '../../src/families/ahc/config/keys.ts';
import { environmentLayer, parseLayer, resolveConfig, typed } from '../../src/families/ahc/config/layer.ts';
import { nearestOf } from '../../src/text/nearest.ts';
import { coded } from '../support/coded.ts';
import { valuesOf } from './config-values.ts';

/** As it stands in a file. */
const variable = (name: string): string => `\${${name}}`;

const fileWith = (path: string, value: ConfigValue): string => withValue('file', '', path, value);

describe.each(configKeys.map(({ path }) => path))('%s', (path) => {
  const [one] = valuesOf(path);

  test('refuses what does not fit, and says what it is for', () => {
    const wrong = { nested: 'x' };
    const read = () =>
      parseLayer(
        'ahc_config.yaml',
        JSON.stringify({ [path.split('.')[0] ?? '']: { [path.split('.')[1] ?? '']: wrong } }),
      );
    expect(read).toThrow(coded('config-value-invalid'));
  });

  test('is written, and read again, from what somebody types', () => {
    const key = configKeys.find((each) => each.path === path);
    if (!key) throw new Error(path);
    const text = typeof one === 'string' ? one : JSON.stringify(one);
    expect(typed(key, text, 'the command line')).toEqual(one);
    expect(parseLayer('x', fileWith(path, one)).values.get(path)).toEqual(one);
  });
});

describe('a file', () => {
  test('that begins a workspace says what holds otherwise, and changes nothing', () => {
    const text = initialFile();
    expect([...parseLayer('x', text).values]).toEqual([]);
    for (const { path, about } of configKeys) {
      expect(text).toContain(`# ${path.split('.')[1]}:`);
      expect(text).toContain(about);
    }
    expect(parseLayer('x', initialFile({ 'contest.direction': 'minimise' })).values).toEqual(
      new Map([['contest.direction', 'minimise']]),
    );
  });

  test('keeps its comments when a value is written', () => {
    const text = '# mine\nllm:\n  model: a # the good one\n\n# end\n';
    expect(withValue('x', text, 'llm.model', 'b')).toBe('# mine\nllm:\n  model: b # the good one\n\n# end\n');
    const begun = withValue('x', initialFile(), 'evolution.population_size', 20);
    expect(begun).toContain('Programs in a generation');
    expect(parseLayer('x', begun).values).toEqual(new Map([['evolution.population_size', 20]]));
  });

  test('from which a value is taken out is what it was before: no braces are left in which the next one would be put', () => {
    const begun = initialFile();
    const one = withValue('x', begun, 'llm.model', 'a/b');
    expect(one).toContain('  # model: null\n  model: a/b\n');
    expect(withoutValue('x', one, 'llm.model')).toBe(begun);
    const two = withValue('x', one, 'llm.temperature', 0.5);
    expect(two).toContain('  # temperature: null\n  temperature: 0.5\n');
    expect(withoutValue('x', withoutValue('x', two, 'llm.model'), 'llm.temperature')).toBe(begun);
    // What an earlier version left.
    const braces = begun.replace('llm:\n', 'llm:\n  {}\n');
    expect(withValue('x', braces, 'llm.model', 'a/b')).toBe(one);
    expect(withValue('x', 'llm: {}\n', 'llm.model', 'a/b')).toMatch(/^llm: ?\n {2}model: a\/b\n$/);
    expect(withoutValue('x', 'llm: {model: a/b}\n', 'llm.model')).not.toContain('model');
    const quoted = '"llm":\n    "model": |\n      a\n      b\n    # mine\n    timeout: 3 # why\n';
    expect(withoutValue('x', quoted, 'llm.model')).toBe('"llm":\n    # mine\n    timeout: 3 # why\n');
    expect(withoutValue('x', quoted, 'llm.timeout')).toBe(
      '"llm":\n    "model": |\n      a\n      b\n    # mine\n',
    );
  });

  test('is changed by any values in any order, and undone to what it was', () => {
    const change = fc.record({
      path: fc.constantFrom(...configKeys.map(({ path }) => path)),
      at: fc.constantFrom(0, 1, null),
    });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 8 }), (changes) => {
        let text = initialFile();
        const meant = new Map<string, ConfigValue>();
        for (const { path, at } of changes) {
          const value = at === null ? null : (valuesOf(path)[at] ?? null);
          text = value === null ? withoutValue('x', text, path) : withValue('x', text, path, value);
          if (value === null) meant.delete(path);
          else meant.set(path, value);
          expect(new Map(parseLayer('x', text).values)).toEqual(meant);
        }
        for (const path of meant.keys()) text = withoutValue('x', text, path);
        expect(text).toBe(initialFile());
      }),
      { seed: 10, numRuns: 12 },
    );
  });

  test('with a key that nothing reads is pointed out, with the nearest that is', () => {
    const { warnings } = parseLayer('f', 'llm:\n  modle: x\nevolutoin:\n  a: 1\nother: 2\n');
    expect(warnings).toEqual([
      'f has llm.modle, which nothing reads; did you mean llm.model?',
      'f has evolutoin, which nothing reads; did you mean evolution?',
      'f has other, which nothing reads.',
    ]);
  });

  test.each([
    ['llm: [1', 'is not valid YAML'],
    ['llm: 3', 'llm has no keys below it'],
    ['just words', 'the file has no keys below it'],
    ['evolution:\n  population_size: 0', 'evolution.population_size in f cannot be 0'],
    ['evolution:\n  population_size: 1.5', 'cannot be 1.5'],
    ['evolution:\n  max_generations: many', 'cannot be "many"'],
    ['llm:\n  temperature: 3', 'cannot be 3'],
    ['docker:\n  mount_path: here', 'cannot be "here"'],
  ])('that is wrong says where: %j', (text, message) => {
    expect(() => parseLayer('f', text)).toThrow(message);
  });

  test('may lie in a section of a larger one', () => {
    const text = 'ahc:\n  llm:\n    model: x\nother:\n  llm: 1\n';
    expect(parseLayer('polya.yaml', text, 'ahc').values).toEqual(new Map([['llm.model', 'x']]));
    expect(parseLayer('polya.yaml', 'other: 1', 'ahc').values.size).toBe(0);
  });

  test('that cannot be read is not written', () => {
    expect(() => withValue('f', 'a: [', 'llm.model', 'x')).toThrow(coded('yaml-invalid'));
    expect(() => withValue('f', 'llm: 3', 'llm.model', 'x')).toThrow(coded('config-shape'));
  });

  test('of any text is read or refused with a reason', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 80 }), (text) => {
        try {
          parseLayer('f', text);
        } catch (error) {
          expect(error).toHaveProperty('name', 'UserError');
        }
      }),
      { seed: 4 },
    );
  });
});

describe('a variable in a value', () => {
  const layer = parseLayer(
    'f',
    `llm:\n  api_key: "${variable('KEY')}"\nevaluation:\n  jobs: "${variable('JOBS')}"\n`,
  );

  test('is expanded when the value is used, and only then', () => {
    const config = resolveConfig([layer], { KEY: 'secret', JOBS: '3' });
    expect(config.get('llm.api_key')).toBe('secret');
    expect(config.get('evaluation.jobs')).toBe(3);
    expect(config.raw('llm.api_key').value).toBe(variable('KEY'));
    const unset = resolveConfig([layer], {});
    expect(unset.get('llm.model')).toBeNull();
    expect(() => unset.get('llm.api_key')).toThrow(
      `llm.api_key is ${variable('KEY')}, and the environment has no KEY`,
    );
  });

  test('is checked once it is known', () => {
    expect(() => resolveConfig([layer], { JOBS: 'many' }).get('evaluation.jobs')).toThrow(
      coded('config-value-invalid', '"many"'),
    );
  });
});

test('a secret is shown by its end, and never stands in an error', () => {
  expect(shownValue('sk-1234567890abcdef', true)).toBe('****cdef');
  expect(shownValue('short', true)).toBe('****');
  expect(shownValue(variable('OPENAI_API_KEY'), true)).toBe(variable('OPENAI_API_KEY'));
  expect(shownValue(null, true)).toBe('(unset)');
  expect(shownValue(['a', 'b'], false)).toBe('["a","b"]');
  expect(() => parseLayer('f', 'llm:\n  api_key: {a: sk-hidden}')).toThrow(/^(?!.*sk-hidden)/s);
});

test('variables that nothing reads are pointed out', () => {
  expect(environmentLayer({ AHC_AGENT_LLM_MODLE: 'x', HOME: '/' }).warnings).toEqual([
    'The environment has AHC_AGENT_LLM_MODLE, which nothing reads; did you mean AHC_AGENT_LLM_MODEL?',
  ]);
  expect(() => environmentLayer({ AHC_AGENT_EVOLUTION_POPULATION_SIZE: 'x' })).toThrow(
    'evolution.population_size in AHC_AGENT_EVOLUTION_POPULATION_SIZE cannot be "x"',
  );
});

test('the nearest word is near', () => {
  expect(nearestOf('temprature', ['temperature', 'timeout'])).toBe('temperature');
  expect(nearestOf('xyz', ['temperature'])).toBeNull();
  expect(nearestOf('', [])).toBeNull();
  // Of those that are as near, the one that begins alike.
  expect(nearestOf('ahc0301', ['ahc001', 'ahc030', 'ahc031'])).toBe('ahc030');
});

test("the specification's own file is understood", () => {
  const text = `llm:
  provider: "openai"
  model: "gpt-4o"
  api_key: "\${OPENAI_API_KEY}"
  temperature: 0.2
  max_tokens: 4096
  timeout: 120
docker:
  image: "cpp"
  mount_path: "/workspace"
  compilation_timeout: 60
  execution_timeout: 10
evolution:
  max_generations: 30
  population_size: 10
  time_limit_seconds: 7200
  score_plateau_generations: 5
  mutation_prompts:
    - "Better: {code_snippet}"
  crossover_prompts:
    - "A: {code_A} B: {code_B}"
workspace:
  base_dir: "./workspace"
  keep_session_files: true
  max_log_size_mb: 100
algorithm_library:
  path: "internal"
past_contest_db:
  path: "internal"
`;
  const { values, warnings } = parseLayer('config.yaml', text);
  expect(warnings).toEqual([]);
  expect(values.size).toBe(
    Object.values(parse(text)).flatMap((section) => Object.keys(section as object)).length,
  );
});
