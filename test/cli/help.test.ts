/** Help, and what is told of words that name nothing. */
import { expect, test } from 'vitest';
import { ahcAgent, newPlace, polya } from './shell.ts';

const heading = async (...words: string[]) => {
  const { code, out, err } = await polya(newPlace(), words);
  return `${code} ${(out || err).split('\n', 1)[0]}`;
};

test('help of a command below a group was that of its group', async () => {
  for (const words of ['help aoc run', 'aoc help run', 'aoc run --help', 'aoc run -h'])
    expect(await heading(...words.split(' ')), words).toBe('0 Usage: polya aoc run [options]');
  expect(await heading('help', 'ahc', 'library', 'show')).toBe(
    '0 Usage: polya ahc library show [options] <name>',
  );
  expect(await heading('help', 'models', 'openai/gpt-5')).toMatch(/^0 Usage: polya models /);
  const { out } = await ahcAgent(newPlace(), ['help', 'library', 'show']);
  expect(out).toMatch(/^Usage: ahc-agent library show /);
});

test('help on a command that is not there ended with 0', async () => {
  for (const words of ['nosuch --help', 'help nosuch', 'aoc nosuch --help', 'aoc help nosuch'])
    expect(await heading(...words.split(' ')), words).toBe("2 polya: Unknown command 'nosuch'.");
  const { err } = await polya(newPlace(), ['runs', 'shwo', '--help']);
  expect(err).toContain('Did you mean show?');
});

test('a misspelled option is told before one that is missing, which it may have been meant for', async () => {
  const { code, err } = await polya(newPlace(), ['aoc', 'run', '--lagn', 'python']);
  expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining('Did you mean --lang?') });
  expect(await heading('aoc', 'run')).toMatch(/^2 polya: Required option '--lang/);
});

test('the commands stand in groups, each once', async () => {
  const { out } = await polya(newPlace(), ['--help']);
  const titles = [...out.matchAll(/^(\w+):$/gm)].map(([, title]) => title);
  expect(titles).toEqual(['Options', 'Begin', 'Solve', 'Look', 'Build']);
});

test('options of all commands stand in one line of help, and with --verbose in full', async () => {
  const short = (await polya(newPlace(), ['qa', 'run', '--help'])).out;
  expect(short).toMatch(/^ {2}--samples <number> /m);
  expect(short).not.toMatch(/^ {2}--budget /m);
  expect(short).toMatch(/^Common options .*--budget.*--json/m);
  expect((await polya(newPlace(), ['qa', 'run', '--help', '--verbose'])).out).toMatch(
    /^ {2}--budget <usd> /m,
  );
});
