import { expect, test } from 'vitest';
import { screenFileVariables } from './variables.ts';

const pair = { OPENAI_API_KEY: 'of-file', OPENAI_BASE_URL: 'https://file.example/v1' };

test.each([
  ['a key', { OPENAI_API_KEY: 'k' }, {}, ['OPENAI_API_KEY']],
  ['a session', { AOC_SESSION: 's' }, {}, ['AOC_SESSION']],
  ['a key with its address', pair, {}, ['OPENAI_API_KEY', 'OPENAI_BASE_URL']],
  ['an address alone', { OPENAI_BASE_URL: 'https://file.example' }, {}, []],
  ['an address with an empty key', { ...pair, OPENAI_API_KEY: ' ' }, {}, []],
  [
    'an address with the key of another provider',
    { OPENAI_BASE_URL: 'https://x', GEMINI_API_KEY: 'k' },
    {},
    ['GEMINI_API_KEY'],
  ],
  ['an address beside a key of the environment', pair, { OPENAI_API_KEY: 'own' }, []],
  [
    'an address beside another name of that key in the environment',
    { GEMINI_API_KEY: 'k', GEMINI_BASE_URL: 'https://file.example' },
    { GOOGLE_API_KEY: 'own' },
    [],
  ],
  ['a host of a server on this machine without a key', { OLLAMA_HOST: 'file.example' }, {}, []],
  [
    'behaviour of Polya',
    { POLYA_SANDBOX: 'none', POLYA_CONFIG: '/x', POLYA_TRUST: '1', POLYA_HOME: '/x' },
    {},
    [],
  ],
  [
    'behaviour of others',
    {
      PAGER: '/x',
      NODE_OPTIONS: '--import /x',
      NODE_EXTRA_CA_CERTS: '/x',
      HTTPS_PROXY: 'http://x',
      PATH: '/x',
      HOME: '/x',
    },
    {},
    [],
  ],
] as const)('%s in .env', (_, file, own, names) => {
  expect(Object.keys(screenFileVariables(file, own).accepted)).toEqual(names);
});

test('what means something and is not used is named with its reason; what means nothing to Polya is not', () => {
  const { rejected } = screenFileVariables(
    { PAGER: 'x', NODE_ENV: 'x', DATABASE_URL: 'x', OPENAI_BASE_URL: 'x' },
    {},
  );
  expect(rejected.map(({ name }) => name)).toEqual(['PAGER', 'NODE_ENV', 'OPENAI_BASE_URL']);
  expect(rejected[2]?.reason).toContain('OPENAI_API_KEY');
});
