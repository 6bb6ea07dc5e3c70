/** `polya aoc run`, in process, against the practice site and the real sandbox. */
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { dryRunShape, runShape } from './schemas.ts';
import { day1, newPlace, type Place, polya, solvingScript } from './shell.ts';

const solve = (place: Place, ...more: string[]) => [...day1, '--model', solvingScript(place), ...more];
const script = {
  role: 'default',
  kind: 'script',
  label: 'script: replies written ahead, no model was asked',
};

describe('a run', () => {
  test('solves both parts, and says that no model was asked', async () => {
    const place = newPlace();
    const answer = await polya(place, solve(place));
    expect(answer.code).toBe(0);
    expect(answer.out).toMatch(/^Run \d{8}-\d{6}-\w{4}: solved\n/);
    expect(answer.out).toContain('script: replies written ahead, no model was asked');
    expect(answer.out).toMatch(/part1 +solved +3 +3 .*free \(script\)/);
    expect(answer.out).toMatch(/total +5 +5 /);
    expect(answer.err).toMatch(/^Estimate: free \(script\)\n/);
    expect(answer.err).toContain('“I read first.”');
    expect(answer.err).toMatch(/✔ part1 is solved\n.*part2 begins\n/);
    expect(answer.err).toMatch(/See its journal: \.\/polya runs show/);
    expect(answer.err).not.toContain('\x1b');
    expect(existsSync(join(place.folder, '.polya', 'polya.db'))).toBe(true);
  });

  test('as JSON: one document, nothing else on standard output', async () => {
    const place = newPlace();
    const { code, out } = await polya(place, solve(place, '--json', '--max-minutes', '5', '--seed', '3'));
    const run = runShape.parse(JSON.parse(out));
    expect(code).toBe(0);
    expect(run).toMatchObject({
      state: 'ended',
      outcome: 'solved',
      models: [script],
      limits: { toolCalls: 50, wallMs: 300_000 },
      settings: { reminders: 2 },
      possiblyBilled: 0,
    });
    expect(run.stages.map(({ stage, solved }) => [stage, solved])).toEqual([
      ['part1', true],
      ['part2', true],
    ]);
    expect(run.totals).toMatchObject({ costUsd: 0, toolCallsByName: { SubmitAnswer: 2 } });
  });

  test('ends at a limit with 1', async () => {
    const place = newPlace();
    const { code, out, err } = await polya(place, solve(place, '--max-tool-calls', '2'));
    expect(code).toBe(1);
    expect(out).toMatch(/: limit \(tool calls\)\n/);
    expect(out).toMatch(/part1 +open /);
    expect(err).toContain('the limit of 2 (tool calls) is reached');
  });

  test('a script that ends early is no defect of Polya', async () => {
    const place = newPlace();
    writeFileSync(join(place.folder, 'short.yaml'), 'roles: { solver: [ { text: Hello, repeat: true } ] }\n');
    const argv = [...day1, '--model', 'scripted:short.yaml', '--reminders', '1'];
    expect(await polya(place, argv)).toMatchObject({ code: 1, out: expect.stringMatching(/: stopped\n/) });
    writeFileSync(join(place.folder, 'none.yaml'), 'roles: { solver: [] }\n');
    const ended = await polya(place, [...day1, '--model', 'scripted:none.yaml']);
    expect(ended).toMatchObject({ code: 1, out: expect.stringMatching(/: error\n/) });
    writeFileSync(
      join(place.folder, 'auth.yaml'),
      'roles: { solver: [ { error: { kind: auth, message: No key. } } ] }\n',
    );
    const unavailable = await polya(place, [...day1, '--model', 'scripted:auth.yaml']);
    expect(unavailable).toMatchObject({
      code: 3,
      err: expect.stringMatching(/Go on with it: .* runs resume/),
    });
  });

  test('what a model says cannot reach the terminal’s controls', async () => {
    const place = newPlace();
    const text = 'Hi \\x1b]0;gotcha\\x07\\x1b[2J \\u202Eback';
    writeFileSync(
      join(place.folder, 'evil.yaml'),
      `roles: { solver: [ { text: "${text}", repeat: true } ] }\n`,
    );
    const { out, err } = await polya(place, [...day1, '--model', 'scripted:evil.yaml']);
    expect(err).toContain('“Hi ␛]0;gotcha␇␛[2J <U+202E>back”');
    const shown = await polya(place, ['runs', 'show', 'last', '--full']);
    const json = await polya(place, ['runs', 'show', 'last', '--full', '--json']);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
    const controls = /[\x00-\x09\x0b-\x1f\u202e]/;
    for (const told of [out, err, shown.out, json.out]) expect(told).not.toMatch(controls);
    expect(JSON.stringify(JSON.parse(json.out))).toContain('\\u001b]0;gotcha');
  });

  test('on a terminal: colours and a status line; neither with --no-color', async () => {
    const place = newPlace();
    const coloured = await polya(place, solve(place), { isTerminal: true });
    expect(coloured.err).toContain('\x1b[32m✔ part1 is solved');
    expect(coloured.err).toContain('\r\x1b[2K');
    expect(coloured.err).toMatch(/part1 · .+ · 1 model call · /);
    expect(coloured.out).toContain('\x1b[32msolved');
    const plain = await polya(place, [...solve(place), '--no-color'], { isTerminal: true });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
    expect(plain.err + plain.out).not.toMatch(/\x1b\[\d*m/);
  });
});

describe('a dry run', () => {
  test('shows the first request, calls nothing and leaves nothing', async () => {
    const place = newPlace();
    const answer = await polya(place, [...day1, '--model', 'scripted/aoc-practice-day1', '--dry-run']);
    expect(answer.code).toBe(0);
    expect(answer.out).toMatch(/^Dry run: nothing was called/);
    expect(answer.out).toMatch(/limits +50 tool calls/);
    expect(answer.out).toContain('estimate        free (script)');
    expect(answer.out).toMatch(/- role: system\n +content: \|-\n +Solve day 1 of year 2000/);
    expect(answer.out).toContain('name: SubmitAnswer');
    expect(readdirSync(place.folder)).toEqual([]);
    expect(existsSync(place.env.HOME ?? '')).toBe(false);
  });

  test('as JSON, with an unknown price', async () => {
    const place = newPlace();
    Object.assign(place.env, {
      OPENAI_COMPATIBLE_BASE_URL: 'http://192.0.2.1/v1',
      OPENAI_COMPATIBLE_API_KEY: 'none',
    });
    const { code, out } = await polya(place, [
      ...day1,
      '--model',
      'openai-compatible/some',
      '--dry-run',
      '--json',
    ]);
    const dry = dryRunShape.parse(JSON.parse(out));
    expect(code).toBe(0);
    expect(dry.estimate).toMatchObject({ free: null, costUsd: null, turns: 12 });
    expect(dry.firstRequest).toMatchObject({ role: 'solver' });
    const text = await polya(place, [...day1, '--model', 'openai-compatible/some', '--dry-run']);
    expect(text.out).toMatch(/estimate +cost unknown .*about [\d,]+ tokens if it takes 12 turns/);
    expect(readdirSync(place.folder)).toEqual([]);
  });

  test('says when no model would be asked', async () => {
    const place = newPlace();
    const { out } = await polya(place, [
      ...day1,
      '--model',
      'scripted/aoc-practice-day1',
      '--dry-run',
      '--max-tokens',
      '10',
    ]);
    expect(out).toContain('No model would be asked: limit (tokens).');
  });
});

describe('prompts', () => {
  test('are exported, changed, and used', async () => {
    const place = newPlace();
    const dry = (...more: string[]) =>
      polya(place, [...day1, '--model', 'scripted/aoc-practice-day1', '--dry-run', '--json', ...more]);
    const hashOf = async (...more: string[]) =>
      dryRunShape.parse(JSON.parse((await dry(...more)).out)).promptsHash;
    const exported = await polya(place, ['agents', '--export-prompts', 'mine']);
    expect(exported.code).toBe(0);
    expect(exported.out).toContain(join(place.folder, 'mine', 'system.md'));
    expect(await hashOf('--prompts', 'mine')).toBe(await hashOf());

    writeFileSync(join(place.folder, 'mine', 'system.md'), 'Mind {{task}}\n');
    expect(await hashOf('--prompts', 'mine')).not.toBe(await hashOf());
    expect((await dry('--prompts', 'mine')).out).toContain('Mind Solve day 1');

    const again = await polya(place, ['agents', '--export-prompts', 'mine']);
    expect(again).toMatchObject({ code: 2, err: expect.stringContaining('says something else') });
    const blocked = await polya(place, ['agents', '--export-prompts', 'mine/system.md/deeper']);
    expect(blocked).toMatchObject({ code: 2, err: expect.stringContaining('cannot be written') });
  });
});
