/** Talking to sessions in real processes: confirmed line by line through a pipe, told from elsewhere, left and come back to. */
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ahcAgent, polya } from '../../cli/shell.ts';
import { begin, bench, ended, until, usual } from './sessions.ts';

const generations = 'evolution.max_generations';
const talkTo = ['ahc', 'solve', '--interactive', '--session-id'];

describe('a session that is talked to', () => {
  test('has four things confirmed, hears what is said, and is left running and stopped', async () => {
    const here = bench();
    const place = { ...here, env: { ...here.env, VISUAL: 'edit', OPENAI_API_KEY: 'sk-never-to-be-shown' } };
    const confirmed = { agentSettings: { ...usual.agentSettings, confirm: true } };
    const begun = await begin(here, 'night', { [generations]: 1_000_000 }, confirmed);
    await until(here, 'night', ({ asks }) => asks);
    const early = await polya(place, [...talkTo, 'night'], { input: '' });
    expect([early.code, early.out]).toEqual([0, expect.stringContaining('It waits for you to confirm')]);
    expect((await polya(here, ['ahc', 'status', 'night'])).out).toMatch(/waits +for you to confirm/);

    const input = [
      ...['n the grid is small', 'what?', 'y'],
      ...['9', '2,1', 'e', 'y', ''],
      ...['y', 'もっと山登り法に近い改善を試してみて', 'what is the weakness of the best solution?'],
      ...['yes', '/nothing'],
    ].join('\n');
    const edits: string[] = [];
    const talk = await polya(place, [...talkTo, 'night'], {
      input,
      onSpawn: ([, , command = '', , path = '']) => {
        edits.push(command);
        const source = readFileSync(path, 'utf8');
        writeFileSync(path, source.replace(/quality = \d+/, 'quality = 999'));
        return 0;
      },
    });
    expect([talk.code, talk.err]).toEqual([0, expect.stringContaining('Said; it hears it')]);
    expect(talk.err).toContain('Nothing waits to be confirmed now');
    expect(edits).toEqual(['edit "$1"']);
    for (const told of [
      'The analysis of the problem',
      '"what?" is no reply to this.',
      'There is no number 9: 1 to',
      '  1. Simulated annealing',
      'A first program',
      'quality = 999',
      'The start',
      '“もっと山登り法に近い改善を試してみて”',
      'Taken as hint',
      '“what is the weakness of the best solution?”\nNo.',
      'There is no such command: /stop',
      `goes on in the background, in process ${begun.pid}`,
      'solve --interactive --session-id night',
    ])
      expect(talk.out).toContain(told);
    expect(talk.out + talk.err).not.toContain('sk-never-to-be-shown');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: nothing is coloured where nobody sees colours.
    expect(talk.out).not.toMatch(/\x1b/);

    const answer = await polya(here, ['ahc', 'tell', '現在のベスト解の弱点はどこだと思う？']);
    expect([answer.code, answer.out]).toEqual([0, 'No.\n']);
    const hint = await ahcAgent(here, ['tell', 'night', 'try quality from 100 to 900', '--json']);
    expect(JSON.parse(hint.out)).toMatchObject({
      session: 'night',
      is_heard: true,
      became: 'range',
      by: 'model',
    });
    const sent = await polya(here, ['ahc', 'tell', 'Use swaps.', '--hint', '--no-wait']);
    expect([sent.code, sent.out]).toEqual([0, expect.stringContaining('Said to the session night')]);
    // A hint is told when it is heard; the candidates that are made for it, one an island, come later.
    const ownIn = ({ hints }: { hints: { text: string }[] }) =>
      hints.find(({ text }) => text.includes('山登り'));
    const seen = await until(
      here,
      'night',
      (now) =>
        now.hints.some((each: { text: string }) => each.text === 'Use swaps.') &&
        Object(ownIn(now)).directed >= 2,
    );
    expect(seen).toMatchObject({ status: 'running', asks: false });
    expect(ownIn(seen)).toMatchObject({ directed: 2 });
    expect(Object(ownIn(seen)).made).toBeGreaterThanOrEqual(2);

    const left = await polya(here, [...talkTo, 'night'], {
      isTerminal: true,
      input: 'hello\n',
      onWrite: (_text, interrupt) => interrupt(),
    });
    expect([left.code, left.out]).toEqual([130, expect.stringContaining('goes on in the background')]);
    const stopped = await polya(here, [...talkTo, 'night'], { input: '/stop\n' });
    expect([stopped.code, stopped.out]).toEqual([0, expect.stringContaining('has ended: stopped.')]);
    expect(await ended(here, begun)).toMatchObject({ status: 'stopped' });

    const late = await polya(here, ['ahc', 'tell', 'night', 'Too late.']);
    expect([late.code, late.err]).toEqual([2, expect.stringContaining('does not run: it is stopped')]);
    expect(await polya(here, ['ahc', 'tell', 'Too late.'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('No session runs here'),
    });
  });

  test('is not begun, and nothing is said, where the words contradict themselves', async () => {
    const here = bench();
    for (const [words, told] of [
      [['tell', 'a', 'b', 'c'], 'in quotes'],
      [['tell', ' '], 'the text is empty'],
      [['tell', 'x', '--hint', '--question'], 'exclude each other'],
      [['tell', 'none', 'x'], 'none'],
      [['solve', '--interactive', '--json'], '--interactive and --json'],
      [['solve', '--interactive', '--foreground'], '--interactive and --foreground'],
    ] as const)
      expect(await polya(here, ['ahc', ...words])).toMatchObject({
        code: 2,
        err: expect.stringContaining(told),
      });
  });
});
