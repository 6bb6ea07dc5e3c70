/** A program and its tester, each in a cell of its own, that talk over pipes: both are told truthfully how they ended. */
import { describe, expect, test } from 'vitest';
import type { BatchRequest, Case, CaseResult, Tester } from '../../src/core/sandbox.ts';
import { until } from '../support/until.ts';
import type { Bench } from './bench.ts';

/** Guesses the number by halving; the tester says `less`, `more` or `yes`. */
const guesser = `
low, high = 0, int(input())
while True:
    guess = (low + high) // 2
    print(guess, flush=True)
    answer = input()
    if answer == 'yes': break
    if answer == 'less': high = guess - 1
    else: low = guess + 1`;

/**
 * The secret comes as an argument. It says on stderr how often it was guessed, and lets the program end first: on a busy
 * machine, what it may live on is over before Python has come to its end.
 */
const stdioTester = `
import sys
secret, rounds = int(sys.argv[-1]), 0
print(1000, flush=True)
while True:
    guess = int(input()); rounds += 1
    print('yes' if guess == secret else 'less' if guess > secret else 'more', flush=True)
    if guess == secret: break
sys.stdin.read()
print('Score =', rounds, file=sys.stderr)`;

/** Starts the program itself, as contests' testers do; the secret is its own stdin. */
const relayTester = `
import subprocess, sys
secret, rounds = int(sys.stdin.read()), 0
child = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
def say(text): child.stdin.write(text + '\\n'); child.stdin.flush()
say('1000')
while True:
    line = child.stdout.readline()
    if not line: sys.exit('the program ended')
    guess = int(line); rounds += 1
    say('yes' if guess == secret else 'less' if guess > secret else 'more')
    if guess == secret: break
child.stdin.close()
assert child.stdout.read() == ''
child.wait()
print('rounds', rounds)
print('Score =', rounds, file=sys.stderr)`;

export function pairTests({ sandbox, isolates, scope }: Bench): void {
  const never = new AbortController().signal;
  const tester = (source: string, talks: Tester['talks'], more: Partial<Tester> = {}): Tester => ({
    program: { language: 'python', source },
    talks,
    ...more,
  });
  const play = async (
    source: string,
    against: Tester,
    cases: readonly Case[],
    more: Partial<BatchRequest> = {},
  ) => {
    const results: CaseResult[] = [];
    const program = { language: 'python', source } as const;
    const request = { program, tester: against, cases, ...more };
    const ended = await sandbox.batch(request, (result) => void results.push(result), never);
    expect(ended.finished).toBe(cases.length);
    return results.sort((a, b) => a.index - b.index);
  };
  const one = async (source: string, against: Tester, more: Partial<BatchRequest> = {}) => {
    const [result] = await play(source, against, [{ name: 'one', args: ['7'] }], more);
    if (result?.tester === undefined) throw new Error('There is no word of the tester.');
    return { step: result.step, tester: result.tester };
  };

  describe('an interactive pair', () => {
    test('talks over stdin and stdout, case after case, on several workers', async () => {
      const cases = [500, 1, 999, 250, 7].map((n) => ({ name: `${n}`, args: [`${n}`] }));
      const results = await play(guesser, tester(stdioTester, 'stdio'), cases, { workers: 2 });
      expect(results.map(({ name, step }) => [name, step.verdict])).toEqual(
        cases.map(({ name }) => [name, 'ok']),
      );
      expect(results[0]?.tester).toMatchObject({ verdict: 'ok', stderr: { text: 'Score = 1\n' } });
      expect(results[4]?.tester?.stderr.text).toMatch(/^Score = \d+\n$/);
    });

    test('or the tester starts what stands for the program, and has a stdin and stdout of its own', async () => {
      const cases = [500, 3].map((n) => ({ name: `${n}`, stdin: `${n}` }));
      const results = await play(guesser, tester(relayTester, 'relay'), cases, { workers: 1 });
      for (const { step, tester: counterpart } of results) {
        expect(step).toMatchObject({ verdict: 'ok', stdout: { text: '' } });
        expect(counterpart?.stderr.text).toMatch(/^Score = \d+\n$/);
        expect(counterpart).toMatchObject({
          verdict: 'ok',
          stdout: { text: expect.stringMatching(/^rounds/) },
        });
      }
    });

    if (isolates)
      test('neither finds the other, nor more of the pipes than its own ends', async () => {
        const look = `
import os
for path in ['/run/polya/pipes', '/proc']:
    try: print(path, sum(name.isdigit() for name in os.listdir(path)), file=sys.stderr)
    except OSError as error: print(path, error.strerror, file=sys.stderr)
print(sorted(os.listdir('/proc/self/fd')), os.listdir('.'), file=sys.stderr)`;
        const { step, tester: counterpart } = await one(
          `import sys\n${look}`,
          // Its end would soon be that of the other, which may still be looking.
          tester(`import sys\n${look}\nsys.stdin.read()`, 'stdio'),
        );
        const seen = "/run/polya/pipes Permission denied\n/proc 2\n['0', '1', '2', '3'] ['main.py']\n";
        expect([step.stderr.text, counterpart.stderr.text]).toEqual([seen, seen]);
      });

    if (scope === 'differences') return;

    test('each side is told apart: a program that crashes, a tester that finds fault', async () => {
      const crashed = await one('raise SystemExit(9)', tester(stdioTester, 'stdio'));
      expect(crashed.step).toMatchObject({ verdict: 'exit', exitCode: 9 });
      expect(crashed.tester.verdict).not.toBe('ok');
      const wrong = await one(
        `import os; input(); print('nonsense', flush=True)\nwhile os.read(0, 99): pass\nos._exit(0)`,
        tester(stdioTester, 'stdio'),
      );
      expect(wrong.step.verdict).toBe('ok');
      expect(wrong.tester).toMatchObject({ verdict: 'exit', exitCode: 1 });
      expect(wrong.tester.stderr.text).toContain('invalid literal');
      const relayed = await one(
        'raise SystemExit(9)',
        tester(relayTester.replace('sys.stdin.read()', '7'), 'relay'),
      );
      expect(relayed).toMatchObject({ step: { exitCode: 9 }, tester: { exitCode: 1 } });
    });

    test('a program that has ended before its relay is started keeps nobody waiting', async () => {
      const late = `
import subprocess, sys, time
time.sleep(0.3)
child = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
print(repr(child.stdout.read()), child.wait())`;
      const { step, tester: counterpart } = await one(`print('last words')`, tester(late, 'relay'));
      expect(step).toMatchObject({ verdict: 'ok' });
      expect(counterpart).toMatchObject({ verdict: 'ok', stdout: { text: "'last words\\n' 0\n" } });
    });

    test('a deadlock is ended by the time limit, and the other side hears of it', async () => {
      const waiting = 'input(); input()';
      const listener = `
import sys
said = sys.stdin.read()
print('heard', repr(said), file=sys.stderr)`;
      const { step, tester: counterpart } = await one(waiting, tester(listener, 'stdio'), {
        limits: { wallMs: 500 },
      });
      expect(step.verdict).toBe('wall');
      expect(counterpart).toMatchObject({ verdict: 'ok', stderr: { text: "heard ''\n" } });
    });

    test('the end of a tester’s speech reaches a program that waits for it, through the relay too', async () => {
      const adder = 'import sys; print(sum(map(int, sys.stdin.read().split())), flush=True)';
      const asking = `
import subprocess, sys
child = subprocess.run(sys.argv[1:], input='1 2 3', stdout=subprocess.PIPE, text=True)
print(child.stdout.strip(), child.returncode)`;
      const relayed = await one(adder, tester(asking, 'relay'));
      expect(relayed.step.verdict).toBe('ok');
      expect(relayed.tester).toMatchObject({ verdict: 'ok', stdout: { text: '6 0\n' } });
      const closing = `
import os, sys
print('1 2 3', flush=True); os.close(1)
print(input(), file=sys.stderr)`;
      expect((await one(adder, tester(closing, 'stdio'))).tester.stderr.text).toBe('6\n');
    });

    test('much is said both ways at once without a standstill', async () => {
      const talker = `
import sys, threading
def write():
    for n in range(30000): print(n, 'x' * 40)
    sys.stdout.flush()
thread = threading.Thread(target=write); thread.start()
print(sum(1 for _ in zip(range(30000), sys.stdin)), file=sys.stderr)
thread.join()`;
      const relaying = `
import subprocess, sys, threading
child = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
def write():
    for n in range(30000): child.stdin.write('y' * 40 + '\\n')
    child.stdin.close()
thread = threading.Thread(target=write); thread.start()
print(sum(1 for _ in child.stdout))
thread.join()`;
      const { step, tester: counterpart } = await one(talker, tester(relaying, 'relay'));
      expect(step).toMatchObject({ verdict: 'ok', stderr: { text: '30000\n' } });
      expect(counterpart).toMatchObject({ verdict: 'ok', stdout: { text: '30000\n' } });
    });

    test('a program does not go on when its tester has ended', async () => {
      const begun = performance.now();
      const cases = [{ name: 'a' }, { name: 'b' }];
      const [{ step, tester: counterpart }, next] = await Promise.all([
        one('import time; time.sleep(60)', tester('', 'stdio'), { limits: { wallMs: 30_000 } }),
        play('import time; time.sleep(60)', tester('', 'stdio'), cases, { workers: 1 }),
      ]);
      expect(counterpart.verdict).toBe('ok');
      expect(step.verdict).toBe('cancelled');
      expect(performance.now() - begun).toBeLessThan(25_000);
      expect(next.map((each) => each.step.verdict)).toEqual(['cancelled', 'cancelled']);
    });

    test('a tester that does not compile is told, and nothing is played', async () => {
      const broken = { program: { language: 'cpp', source: 'int main() {' }, talks: 'stdio' } as const;
      const program = { language: 'python', source: '' } as const;
      const ended = await sandbox.batch(
        { program, tester: broken, cases: [{ name: 'one' }] },
        () => {},
        never,
      );
      expect(ended).toMatchObject({ compile: null, testerCompile: { verdict: 'exit' }, finished: 0 });
    });

    test('an abort ends both', async () => {
      const controller = new AbortController();
      const marker = `pair-${process.pid}-${performance.now()}`;
      const program = { language: 'python', source: 'input()' } as const;
      const counterpart = tester('input()', 'stdio', { args: [marker] });
      let asked = 0;
      const cases = (function* () {
        for (; ; asked++) yield { name: `${asked}` };
      })();
      const running = sandbox.batch({ program, tester: counterpart, cases }, () => {}, controller.signal);
      await until(() => asked > 0);
      await new Promise((resolve) => setTimeout(resolve, 300));
      controller.abort();
      expect(await running).toMatchObject({ finished: 0, stopped: true });
    });

    test('what the tester should hear from the program is no place for a case’s input', async () => {
      const cases = [{ name: 'one', stdin: 'x' }];
      await expect(play('', tester('', 'stdio'), cases)).rejects.toThrow(/has input for its tester's stdin/);
    });
  });
}
