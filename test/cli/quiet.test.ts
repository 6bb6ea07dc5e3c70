/** How much of a run is shown: `-q`, the usual, `-v`. */
import { expect, test } from 'vitest';
import { Speaker } from '../../src/cli/speaker.ts';
import { day1, newPlace, polya, solvingScript } from './shell.ts';

const told = (isShort: boolean, ...texts: string[]): string[] => {
  const speaker = new Speaker(isShort);
  const lines = texts.flatMap((text) => speaker.append({ type: 'text', text }, 70));
  return [...lines, ...speaker.end()].map(({ text }) => text);
};

const program = '```cpp\n#include <cstdio>\nint main() {}\n```\n';

test('a program, a patch or data are told by their length, in however many pieces they come', () => {
  const message = `First this.\n${program}Then that.`;
  const short = ['First this.', '(2 lines of a program or of data)', 'Then that.'];
  expect(told(true, message)).toEqual(short);
  expect(told(true, ...message)).toEqual(short);
  expect(told(false, message)).toContain('#include <cstdio>');
  expect(told(true, `{"a":1,\n"b":[2]}`)).toEqual(['(2 lines of a program or of data)']);
  expect(told(true, 'So:\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\nDone.')).toEqual([
    'So:',
    '(3 lines of a program or of data)',
    'Done.',
  ]);
  expect(told(true, '~~~\na\n~~~')).toEqual(['(1 line of a program or of data)']);
  expect(told(true, 'A list:\n[1] is a footnote.')).toEqual(['A list:', '[1] is a footnote.']);
  // What is cut off within a program is one too.
  expect(told(true, 'So:\n```\na\nb')).toEqual(['So:', '(2 lines of a program or of data)']);
});

test('thoughts before data do not make prose of the data', () => {
  const speaker = new Speaker(true);
  const lines = [
    ...speaker.append({ type: 'reasoning', text: 'I think.' }, 70),
    ...speaker.append({ type: 'text', text: '{"answer":1}' }, 70),
    ...speaker.end(),
  ];
  expect(lines.map(({ text }) => text)).toEqual(['I think.', '(1 line of a program or of data)']);
});

test('-q prints the result alone, -v every step; errors are told all the same', async () => {
  const place = newPlace();
  const argv = [...day1, '--model', solvingScript(place)];
  const usual = await polya(place, [...argv, '--user', 'a']);
  const quiet = await polya(place, [...argv, '--user', 'b', '-q']);
  const all = await polya(place, [...argv, '--user', 'c', '-v']);
  expect([usual.code, quiet.code, all.code]).toEqual([0, 0, 0]);
  expect(quiet.err).toBe('');
  expect(quiet.out).toContain('solved');
  expect(usual.err).toContain('RunGeneratedCode');
  expect(usual.err).not.toMatch(
    /\b(model|tool|exec|check|grade|evaluate)-(start|request|call)\b|\{"|solver asks/,
  );
  expect(all.err).toContain('solver asks');
  const wrong = await polya(place, [...argv, '-q', '--budget', 'x']);
  expect({ code: wrong.code, err: wrong.err }).toEqual({ code: 2, err: expect.stringContaining('--budget') });
  expect(await polya(place, [...argv, '-q', '-v'])).toMatchObject({ code: 2 });
});

test('a run that fails under -q says why: it printed nothing where its server was not there', async () => {
  const place = newPlace();
  const nobody = ['--model', 'openai-compatible/x', '--base-url', 'http://127.0.0.1:9/v1'];
  const { code, out, err } = await polya(place, ['ask', '1 + 1?', '-q', ...nobody]);
  expect({ code, out }).toEqual({ code: 3, out: '' });
  expect(err).toMatch(/^polya: The model call failed \(network\)/);
});

test('a reminder was told by its name and its data', async () => {
  const place = newPlace();
  const { err } = await polya(place, ['demo', 'aoc']);
  expect(err).toContain('reminded to call a tool');
  expect(err).not.toContain('{"number"');
});
