/**
 * The tools of the practice contests, built with the machine's own cargo. That they build in the sandbox is tested where
 * that is done.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { filesOf, practiceContest, practiceContestIds } from '../../src/practice/atcoder/contest.ts';
import { rustFolder } from '../support/own-rust.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe('the tools', () => {
  const folder = temporaryFolder('contest');

  test.each(practiceContestIds())('%s generate the same inputs, score, and refuse what is invalid', (id) => {
    const contest = practiceContest(id);
    const here = join(folder, id);
    for (const [path, bytes] of Object.entries(filesOf(contest, 'tools'))) {
      const file = join(here, path);
      execFileSync('mkdir', ['-p', dirname(file)]);
      writeFileSync(file, bytes);
    }
    const run = (command: string, ...args: string[]): string =>
      execFileSync(command, args, {
        cwd: here,
        encoding: 'utf8',
        // One case is played: to optimise the tools takes longer than they run.
        env: { PATH: `${rustFolder}:/usr/bin:/bin`, HOME: here, CARGO_PROFILE_RELEASE_OPT_LEVEL: '0' },
      });
    run(join(rustFolder, 'cargo'), 'build', '--release', '--offline', '--quiet');
    run('./target/release/gen', 'seeds.txt', '--dir', 'made');
    const kept = filesOf(contest, 'tools')['in/0042.txt'];
    const made = readFileSync(join(here, 'made/0042.txt'));
    if (contest.inputs === 'files') expect(Buffer.from(kept ?? []).equals(made)).toBe(true);
    else expect(kept).toBeUndefined();
    writeFileSync(join(here, 'bad.out'), 'nonsense');
    expect(run('./target/release/vis', 'made/0000.txt', 'bad.out')).toMatch(
      /is (?:no integer|none of)[\s\S]*\nScore = 0\n$/,
    );
    writeFileSync(join(here, 'empty.out'), '');
    const scorer = contest.isInteractive ? 'vis' : 'score';
    expect(run(`./target/release/${scorer}`, 'made/0000.txt', 'empty.out')).toMatch(
      /ends (?:before|without)[\s\S]*\nScore = 0\n$/,
    );
    const scores = ['weak', 'good'].map((solution) => {
      const source = join(contest.folder, 'solutions', `${solution}.cpp`);
      execFileSync('g++', ['-O2', '-std=c++20', '-o', join(here, solution), source]);
      const input = readFileSync(join(here, 'made/0000.txt'));
      // A tester starts the program that it talks to, and writes down what that says.
      const [program, args] = contest.isInteractive
        ? [join(here, 'target/release/tester'), [join(here, solution)]]
        : [join(here, solution), []];
      const output = execFileSync(program, args, { input, stdio: ['pipe', 'pipe', 'ignore'] });
      writeFileSync(join(here, 'out.txt'), output);
      return Number(/^Score = (\d+)\n$/.exec(run('./target/release/vis', 'made/0000.txt', 'out.txt'))?.[1]);
    });
    expect(readFileSync(join(here, 'vis.html'), 'utf8')).toContain('<svg');
    const [weak = 0, good = 0] = scores;
    expect(contest.direction === 'maximise' ? good > 1.5 * weak : good * 1.5 < weak).toBe(true);
  });
});
