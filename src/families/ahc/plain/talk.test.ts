import { describe, expect, test } from 'vitest';
import { talkingProgram } from './cpp.ts';
import { talksOf } from './talk.ts';
import { understand } from './understanding.ts';

describe('a plain talk', () => {
  const talksFor = (format: string, inputs = ['5 3']) => {
    const question = { format, statement: '', inputs, samples: [], isInteractive: true };
    const understood = understand(question);
    return talksOf(question, understood).map((talk) => ({
      ...talk,
      source: talkingProgram(understood, talk),
    }));
  };
  const menu = 'Input and Output\n\n```\nN M\n```\n\n```\n? i j\n# i j\n!\n```\n\n$0 \\leq i, j < N$\n';

  test('hears of both in one section, whatever begins a line there', () => {
    const both =
      '入出力\n\nまず次が与えられる。\n\n```\nN M\n```\n\n出力は次のいずれかである。\n\n```\n? i j\n!\n```\n';
    const [first] = talksFor(both);
    expect(first?.source).toMatch(/cin >> N >> M;[\s\S]*cout << "!"/);
  });

  test('ends at once where a line of the menu stands for itself', () => {
    const [first] = talksFor(menu);
    expect(first?.told).toBe('ends at once with !');
    expect(first?.source).toMatch(/cin >> N >> M;[\s\S]*cout << "!" << '\\n';\s+cout << flush;/);
  });

  test('says the plainest line as often as the statement says, and hears one for each', () => {
    const days =
      '入出力\n\n```\nN M\n```\n\n各日について、次を出力する。これを $N$ 日繰り返す。\n\n```\na_t b_t\n```\n\n$1 \\leq a_t \\leq M$\n';
    const [after, before] = talksFor(days);
    expect(after?.told).toBe('says a_t b_t and hears a line, N times');
    expect(after?.source).toMatch(
      /row < N; row\+\+\) \{\s+cout << 1 << ' ' << 0 << '\\n';\s+cout << flush;\s+if \(!getline/,
    );
    expect(before).toMatchObject({ listens: 'before', turns: { names: ['N'] } });
  });

  test('says a letter of the alphabet until the judge says no more, where no number is told', () => {
    const letters = 'Input and Output\n\nIn each round, print `F` or `B`.\n';
    const talks = talksFor(letters, ['']);
    expect(talks.map(({ told }) => told)).toContain('hears a line and says F, until the judge says no more');
    expect(talks.at(-1)?.told).toBe('reads the input and says nothing');
  });
});
