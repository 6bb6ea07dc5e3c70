/** What earlier versions had is refused with what to use instead, before anything begins. */
import { expect, test } from 'vitest';
import { polya } from '../cli/shell.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test.each([
  [['--agent', 'evolution', '--agent-setting', 'edition=2'], 'There is one edition: leave it out.'],
  [['--agent', 'evolution', '--agent-setting', 'operators.simplify=0.2'], '`mutationPrompts`'],
  [['--agent', 'evolution', '--agent-setting', 'wordingChoice=bandit'], '`ahc-agent knowledge`'],
  [['--agent', 'portfolio'], 'There is no agent portfolio any more.'],
  [['--agent', 'edit-and-test'], '`best-of-n`'],
])('%s', async (argv, instead) => {
  const place = { folder: temporaryFolder(), env: { HOME: temporaryFolder('home'), PATH: '' } };
  const problem = ['--family', 'qa', '--problem', '{"question":"x"}', '--model', 'scripted:x.yaml'];
  const { code, out, err } = await polya(place, ['run', ...problem, ...argv]);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toContain(instead);
});

test('a command that was removed is refused with what to use instead', async () => {
  const place = { folder: temporaryFolder(), env: { HOME: temporaryFolder('home'), PATH: '' } };
  const { code, err } = await polya(place, ['models', 'mock', '--port', '0']);
  expect(code).toBe(2);
  expect(err).toContain('`--model scripted:FILE`');
});
