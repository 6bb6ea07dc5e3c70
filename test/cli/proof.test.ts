/** The commands on proofs, as a user types them: solve, verify, show; alone and as a set; what is wrong, and what it costs. */
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { typed } from '../support/typed.ts';
import { root } from './process.ts';
import { newPlace, type Place, polya } from './shell.ts';

const example = (name: string) => join(root, 'examples', 'proofs', name);
const theorem = example('odd-squares.md');
const script = ['--model', 'scripted/proof-odd-squares'];
const solve = (...more: string[]) => ['proof', 'solve', theorem, ...script, ...more];

const graded = (verdict: string, ...findings: readonly object[]) => ({
  object: { check: 'It was read.', findings, proved: 'Something.', verdict },
});
const finding = { kind: 'justification-gap', quote: 'By $x^2', explanation: 'Why?' };
const judged = (holds: boolean) => ({ object: { findings: [{ number: 1, why: 'So it is.', holds }] } });

/** A solver that leaves its proof as it is, before this grader. */
function scripted({ folder }: Place, grader: readonly object[], more: object = {}): string {
  const file = join(folder, `script.json`);
  const always = (text: string) => [{ text, repeat: true }];
  const roles = {
    solver: always('### Summary ###\nDone.\n\n### Detailed Solution ###\n\nBy $x^2 \\ge 0$.'),
    grader,
    reviewer: [{ ...judged(true), repeat: true }],
    ...more,
  };
  writeFileSync(file, JSON.stringify({ roles }));
  return `scripted:${file}`;
}

const no = [{ ...graded('gaps', finding), repeat: true }];
const yes = [{ ...graded('complete'), repeat: true }];

describe('one run', () => {
  test('fails, is corrected, passes five times, and is accepted', async () => {
    const place = newPlace();
    const { code, out, err } = await polya(place, solve());
    expect(code, err).toBe(0);
    expect(err).toMatch(/attempt 1, iteration 4: 4 passes, 0 errors in a row/);
    expect(err).toMatch(/Every report: .*proof show /);
    expect(out).toContain('passes  ·▂▃▅▆█  of 5');
    expect(out).toMatch(/The accepted proof\n\n### Summary ###[\s\S]*each leaves the remainder/);
    expect(out).toContain('script: replies written ahead');
    const shown = await polya(place, ['proof', 'show', 'last']);
    expect(shown.out.match(/Report of grader 1/g)).toHaveLength(6);
    expect(shown.out).toContain('Report of grader 1, attempt 1, at the beginning: not passed');
    const told = JSON.parse((await polya(place, ['proof', 'show', 'last', '--json'])).out);
    expect(told).toMatchObject({ accepted: true, standing: 'accepted', outcome: 'answered' });
    expect(told.attempts[0].counters.map(({ passes }: { passes: number }) => passes)).toEqual([
      0, 1, 2, 3, 4, 5,
    ]);
  });

  test('that is not accepted hands in what came farthest, and ends with 1', async () => {
    const place = newPlace();
    const more = { reviewer: [{ ...judged(false), repeat: true }] };
    const model = scripted(place, no, more);
    const limits = ['--errors', '2', '--max-attempts', '2', '--passes', '3'];
    const { code, out } = await polya(place, ['proof', 'solve', theorem, '--model', model, ...limits]);
    expect(code).toBe(1);
    expect(out).toMatch(/gave-up/);
    expect(out).toMatch(/Attempt 2/);
    expect(out.match(/too many failed verifications in a row/g)).toHaveLength(2);
    expect(out).toContain('No proof was accepted. The best partial result');
    const used = await polya(
      place,
      typed`proof solve ${theorem} --model ${model} --iterations 1 --max-attempts 1`,
    );
    expect(used.out, 'told apart from errors').toContain('its iterations are used up');
  });

  test('at a limit says how far it came, and ends with 1', async () => {
    const { code, out } = await polya(newPlace(), solve('--max-model-calls', '7'));
    expect(code).toBe(1);
    expect(out).toContain('a limit of the run was reached');
    expect(out).toMatch(/result .*Attempt 1 ended in its iteration 2, with 2 passes/);
  });

  test('takes hints before and while it lives, with the turn from which they hold', async () => {
    const place = newPlace();
    await polya(place, solve('--hint', 'Try remainders.', '--hint', 'Modulo 4.'));
    expect((await polya(place, ['proof', 'show', 'last'])).out).toContain(
      'Hints\n  from the beginning: Try remainders.\n  from the beginning: Modulo 4.\n',
    );
    await polya(place, ['runs', 'fork', 'last', '--at', '15', '--hint', 'Look at $a^2$.']);
    const { out } = await polya(place, ['proof', 'show', 'last']);
    expect(out).toContain('attempt 1, iteration 0, from its turn "correct" on: Look at $a^2$.');
  });

  test('is accepted with doubts where a reviewer overrules what was found: the code, the words and JSON say so', async () => {
    const place = newPlace();
    const grader = [graded('gaps', finding), graded('complete'), { object: { leftOpen: [] } }];
    const rebuttal = { text: '### Rebuttal ###\nIt is well known.', repeat: true };
    const first = { text: '### Summary ###\nDone.\n\n### Detailed Solution ###\n\nBy $x^2 \\ge 0$.' };
    const model = scripted(place, grader, {
      solver: [first, { text: 'unchanged' }, rebuttal],
      reviewer: [judged(false)],
    });
    const argv = typed`proof solve ${theorem} --model ${model} --passes 1`;
    const { code, out } = await polya(place, argv);
    expect(code).toBe(5);
    expect(out).toMatch(/: doubtful\n[\s\S]*accepted with doubts[\s\S]*Why\?/);
    expect(out).toContain('The proof, accepted with doubts');
    expect(out).toMatch(/justification gap, overruled \(So it is\.\): “By \$x\^2” Why\?/);
    const told = JSON.parse((await polya(place, ['proof', 'show', 'last', '--json'])).out);
    expect(told).toMatchObject({ outcome: 'doubtful', standing: 'doubtful', accepted: false });
    expect(told.findings).toMatchObject([{ answer: 'overruled', explanation: 'Why?' }]);
    const quiet = await polya(place, [...argv, '-q']);
    expect([quiet.code, quiet.out]).toEqual([5, expect.stringContaining('doubtful')]);
    const { runs } = JSON.parse((await polya(place, ['runs', 'list', '--json'])).out);
    expect(runs[0]).toMatchObject({ outcome: 'doubtful' });
  });

  test('goes on after it was stopped, with the same counters', async () => {
    const place = newPlace();
    const onWrite = (text: string, interrupt: () => void) => {
      if (text.includes('iteration 2: 2 passes')) interrupt();
    };
    const slow = join(place.folder, 'slow.yaml');
    const source = readFileSync(join(root, 'examples', 'scripts', 'proof-odd-squares.yaml'), 'utf8');
    writeFileSync(slow, `delayMs: 20\n${source}`);
    const stopped = await polya(place, ['proof', 'solve', theorem, '--model', `scripted:${slow}`], {
      onWrite,
    });
    expect(stopped.code, stopped.err).toBe(130);
    expect(stopped.out).toContain('No proof was accepted yet. The last draft');
    expect(stopped.err).toMatch(/Go on with it: .*runs resume/);
    const { code, out } = await polya(place, ['runs', 'resume', 'last']);
    expect(code).toBe(0);
    expect(out, 'in the words of the command that began it').toMatch(/The accepted proof\n\n### Summary/);
    expect((await polya(place, ['proof', 'show', 'last'])).out).toContain('passes  ·▂▃▅▆█  of 5');
  });

  test('takes the settings of graders, a rubric, prompts, and whatever else the agent has', async () => {
    const place = newPlace();
    const shown = async (...more: string[]) =>
      JSON.parse((await polya(place, solve('--dry-run', '--json', ...more))).out);
    const rubric = ['--rubric', example('odd-squares-rubric.yaml')];
    const { settings, problem } = await shown('--graders', '3', '--vote', 'unanimous', ...rubric);
    expect(settings).toMatchObject({ graders: 3, vote: 'unanimous', grading: 'points', passes: 5 });
    expect(problem.contentHash).not.toBe((await shown()).problem.contentHash);
    const others = ['--pool', '2', '--review', '--agent-setting', 'judging=published'];
    expect((await shown(...others)).settings).toMatchObject({
      pool: 2,
      review: true,
      grading: 'verdict',
      judging: 'published',
    });
    expect(existsSync(join(place.folder, '.polya')), 'nothing was made').toBe(false);
  });

  test('is estimated before the first paid call, by its settings', async () => {
    const { folder, env } = newPlace();
    const place = {
      folder,
      env: {
        ...env,
        OPENAI_COMPATIBLE_BASE_URL: 'http://127.0.0.1:9/v1',
        OPENAI_COMPATIBLE_API_KEY: 'none',
        POLYA_PRICES: 'p.yaml',
      },
    };
    writeFileSync(join(folder, 'p.yaml'), 'openai-compatible/x: { input: 1, output: 10 }\n');
    const estimateOf = async (...more: string[]) => {
      const argv = typed`proof solve ${theorem} --model openai-compatible/x --dry-run --json ${more}`;
      return JSON.parse((await polya(place, argv)).out).estimate;
    };
    const usual = await estimateOf();
    expect(usual.turns).toBe(24);
    expect(usual.costUsd).toBeGreaterThan(5);
    expect(usual.costUsd).toBeLessThan(10);
    expect((await estimateOf('--graders', '3')).turns).toBe(56);
    expect((await estimateOf('--agent-setting', 'judging=published')).turns).toBe(40);
    expect((await estimateOf('--max-model-calls', '10')).turns).toBe(10);
    const short = await estimateOf('--setting', 'max_output_tokens=1000');
    expect(short.costUsd).toBeLessThan(usual.costUsd / 5);
  });
});

describe('several runs', () => {
  test('share a budget, and the first accepted proof ends the others', async () => {
    const place = newPlace();
    const { code, out, err } = await polya(place, solve('--agents', '3', '--concurrency', '1', '--json'));
    expect(code, err).toBe(0);
    const told = JSON.parse(out);
    expect(told).toMatchObject({
      ended: 'answered',
      stopWhen: 'answered',
      stopWithin: 'problem',
      concurrency: 1,
    });
    expect(told.rows.map(({ state }: { state: string }) => state)).toEqual(['ended', 'missing', 'missing']);
    expect(err).toMatch(new RegExp(`An accepted proof: .*proof show ${told.id}-1`));
    const shown = await polya(place, ['proof', 'show', told.id]);
    expect(shown.out).toMatch(/agent 1 +\S+-1 +answered +1 +·▂▃▅▆█ +5/);
    expect(shown.out).toMatch(/agent 3 +\S+-3 +not begun/);
    expect(shown.out).toMatch(new RegExp(`Accepted proofs:\n.*proof show ${told.id}-1\n`));
    const json = JSON.parse((await polya(place, ['proof', 'show', told.id, '--json'])).out);
    expect(json.rows.map((row: { proof: { accepted: boolean } | null }) => row.proof?.accepted)).toEqual([
      true,
      undefined,
      undefined,
    ]);
  });

  test('may be after several problems: each wants a proof of its own', async () => {
    const place = newPlace();
    const file = example('several.md');
    const any = join(place.folder, 'any.yaml');
    const source = readFileSync(join(root, 'examples', 'scripts', 'proof-odd-squares.yaml'), 'utf8');
    writeFileSync(any, source.replace(/^onlyFor:.*\n/m, ''));
    const argv = typed`proof solve ${file} --problem all --agents 2 --concurrency 1 --model scripted:${any}`;
    const { code, out, err } = await polya(place, [...argv, '--json']);
    expect(code, err).toBe(0);
    const { rows, ended } = JSON.parse(out);
    expect(ended).toBe('answered');
    expect(
      rows.map(({ name, outcome }: { name: string; outcome: string | null }) => [name, outcome]),
    ).toEqual([
      ['problem 1, agent 1', 'answered'],
      ['problem 1, agent 2', null],
      ['problem 2, agent 1', 'answered'],
      ['problem 2, agent 2', null],
    ]);
  });
});

describe('verify', () => {
  const verify = typed`proof verify ${theorem} ${example('odd-squares-wrong.md')} --model scripted/proof-check`;

  test('lists errors and gaps with the lines of the file', async () => {
    const place = newPlace();
    const { code, out, err } = await polya(place, verify);
    expect(code, err).toBe(1);
    expect(out).toContain('Verdict: not passed, 1 critical error, 1 justification gap');
    expect(out).toMatch(/1 +critical error +3 +A sum of two odd numbers/);
    expect(out).toMatch(/2 +justification gap +5 +A square that is even/);
    const told = JSON.parse((await polya(place, ['proof', 'show', 'last', '--json'])).out);
    expect(told).toMatchObject({ standing: 'failed', accepted: false, attempts: [] });
    expect(told.grading.findings[0]).toMatchObject({ kind: 'critical-error', lines: { first: 3, last: 3 } });
    expect(told.reports).toHaveLength(1);
    const page = (await polya(place, ['proof', 'show', 'last', '--format', 'markdown'])).out;
    expect(page).toContain('### 1. critical error, line 3\n\n> A sum of two odd numbers');
    const fork = await polya(place, ['runs', 'fork', 'last']);
    expect(told.outcome, 'told apart from one that passed').toBe('rejected');
    expect(fork.code, 'as the run that it is of').toBe(1);
    expect(fork.out).toContain('Verdict: not passed, 1 critical error');
  });

  test('ends with 0 where the proof passes', async () => {
    const place = newPlace();
    const model = scripted(place, yes);
    const argv = ['proof', 'verify', theorem, example('odd-squares-wrong.md'), '--model', model];
    const { code, out, err } = await polya(place, argv);
    expect(code, err).toBe(0);
    expect(out).toContain('Verdict: passed\nNothing was found.');
    expect(out).toMatch(/^Run \S+: passed\n/);
    expect((await polya(place, [...argv, '--dry-run'])).code).toBe(0);
  });
});

describe('score: proofs have none', () => {
  test('a run that answers a question is no proof', async () => {
    const place = newPlace();
    const model = scripted(place, yes, { default: [{ text: '\\boxed{4}', repeat: true }] });
    const asked = await polya(place, typed`qa ask ${'What is 2 + 2?'} --agent single-call --model ${model}`);
    expect(asked.code, asked.err).toBe(0);
    const { code, out, err } = await polya(place, ['proof', 'score', 'last']);
    expect(code).toBe(2);
    expect(err).toContain('proves nothing');
    expect(out).not.toContain('1 of 1');
  });

  test('many proofs beside labels: who accepted what is wrong, with intervals by proof', async () => {
    const place = newPlace();
    const verify = async (name: string, accepts: boolean) => {
      writeFileSync(join(place.folder, name), `By parity, in ${name}.`);
      const model = scripted(place, accepts ? yes : [graded('error', quote)]);
      return polya(place, ['proof', 'verify', theorem, name, '--model', model]);
    };
    const quote = { kind: 'critical-error', quote: 'By parity', explanation: 'No.' };
    expect((await verify('good.md', true)).code).toBe(0);
    expect((await verify('fooled.md', true)).code).toBe(0);
    expect((await verify('bad.md', false)).code).toBe(1);
    const { runs } = JSON.parse((await polya(place, ['runs', 'list', '--json'])).out);
    const ids = runs.map(({ id }: { id: string }) => id);
    const forms = {
      'labels.yaml': 'good.md: right\nfooled.md: wrong\nbad.md: 2\nnone.md: right\n',
      'labels.csv': 'proof,label\ngood.md,right\nfooled.md,wrong\nbad.md,2\nnone.md,right\n',
      'labels.json': '{"good.md": true, "fooled.md": false, "bad.md": 2, "none.md": "right"}',
    };
    for (const [name, text] of Object.entries(forms)) {
      writeFileSync(join(place.folder, name), text);
      const { code, out, err } = await polya(place, ['proof', 'score', ...ids, '--labels', name]);
      expect(code, err).toBe(0);
      expect(err).toContain('No run here is of none.md.');
      expect(out).toMatch(/2 of 3 \(21–94 %\) +1 of 1 \(21–100 %\) +1 of 2 \(9–91 %\)/);
      expect(out).toMatch(/accepted, and wrong: fooled\.md \(/);
    }
    const told = JSON.parse((await polya(place, ['proof', 'score', ...ids, '--json'])).out);
    expect(told.systems[0]).toMatchObject({
      accepted: { count: 2, of: 3 },
      rightAccepted: { of: 0, interval: null },
    });
    expect(told.runs.map((run: { isAccepted: boolean }) => run.isAccepted).sort()).toEqual([
      false,
      true,
      true,
    ]);
  });

  test('of a run-set too; labels that say nothing are refused', async () => {
    const place = newPlace();
    const { out } = await polya(place, solve('--agents', '2', '--concurrency', '1', '--json'));
    const told = JSON.parse((await polya(place, ['proof', 'score', JSON.parse(out).id, '--json'])).out);
    expect(told.systems).toMatchObject([{ accepted: { count: 1, of: 1 } }]);
    for (const text of ['good.md: perhaps', '- a', 'a: [']) {
      writeFileSync(join(place.folder, 'labels.yaml'), text);
      const { code, err } = await polya(place, ['proof', 'score', 'last', '--labels', 'labels.yaml']);
      expect([code, err]).toEqual([2, expect.stringContaining('holds no labels')]);
    }
  });
});

test('the demo proves a theorem and checks a wrong proof, and says that a script does', async () => {
  const { code, out, err } = await polya(newPlace(), ['demo', 'proof']);
  expect(code, err).toBe(0);
  expect(out).toMatch(/-1 +verify-loop +answered +solver 3, grader 7, reviewer 1\b/);
  expect(out).toMatch(/-2 +proof-grader +rejected +grader 1/);
  expect(out).toContain('Played by scripts');
  expect(err).toMatch(/iteration 4: 4 passes, 0 errors in a row[\s\S]*not passed, 2 findings/);
  for (const line of out.split('\n').slice(3, 6)) expect(line.length).toBeLessThanOrEqual(100);
});

test('documents are written, and replace nothing unasked', async () => {
  const place = newPlace();
  await polya(place, solve());
  const argv = ['proof', 'show', 'last', '--format', 'markdown', '--out', 'out.md'];
  expect((await polya(place, argv)).code).toBe(0);
  expect(readFileSync(join(place.folder, 'out.md'), 'utf8')).toMatch(
    /^# Two odd squares\n[\s\S]*## The accepted proof\n\n> ### Summary ###/,
  );
  const again = await polya(place, argv);
  expect([again.code, again.err]).toEqual([2, expect.stringContaining('exists already')]);
  expect((await polya(place, [...argv, '--force'])).code).toBe(0);
});

describe('what pandoc makes of a proof', () => {
  const documentOf = (place: Place, format: string, PATH: string) =>
    polya(
      { ...place, env: { ...place.env, PATH } },
      typed`proof show last --format ${format} --out out.${format}`,
    );

  test('is asked of it with the Markdown, which holds no HTML and no TeX but formulas', async () => {
    const place = newPlace();
    await polya(place, solve());
    // A stand-in that writes how it was called, and what it was given.
    const program = join(place.folder, 'pandoc');
    writeFileSync(program, '#!/bin/sh\nprintf "%s\\n" "$@"\ncat\n');
    chmodSync(program, 0o755);
    const path = `${place.folder}:${process.env.PATH}`;
    for (const [format, option] of [
      ['html', '--mathml'],
      ['latex', '--to=latex'],
      ['pdf', '--pdf-engine=xelatex'],
    ] as const) {
      const { code, err } = await documentOf(place, format, path);
      expect(code, err).toBe(0);
      const made = readFileSync(join(place.folder, `out.${format}`), 'utf8');
      expect(made).toContain('--from=commonmark+tex_math_dollars+pipe_tables-raw_html\n');
      expect(made).toContain(`${option}\n`);
      expect(made).toContain('\n# Two odd squares\n');
    }
    writeFileSync(program, '#!/bin/sh\ncat >/dev/null\necho xelatex not found >&2\nexit 47\n');
    expect(await documentOf(place, 'latex', path)).toMatchObject({
      code: 3,
      err: expect.stringMatching(/could not make the latex[\s\S]*xelatex not found/),
    });
  });

  test('needs pandoc: the error says how to install it, and how to call it on the Markdown', async () => {
    const place = newPlace();
    await polya(place, solve());
    const { code, err } = await documentOf(place, 'html', place.folder);
    expect(code).toBe(3);
    expect(err).toMatch(/pandoc is not installed[\s\S]*apt install pandoc[\s\S]*pandoc --from=commonmark/);
    expect(existsSync(join(place.folder, 'out.html'))).toBe(false);
  });
});

describe('what is wrong is said, and nothing is made', () => {
  const several = example('several.md');
  test.each<[string, readonly string[], RegExp]>([
    ['no model', ['proof', 'solve', theorem], /No model is named.*--model manual/s],
    ['a file that is not there', ['proof', 'solve', 'none.md', ...script], /There is no file .*none\.md/],
    ['a folder', ['proof', 'solve', '.', ...script], /cannot be read\.\s+It is a folder\./],
    ['no end of a file', ['proof', 'solve', '/dev/zero', ...script], /larger than 1 MiB/],
    [
      'which problem',
      ['proof', 'solve', several, ...script],
      /holds 2 problems:\n +1 +two odd squares\n.*--problem all/s,
    ],
    [
      'a problem that it has not',
      ['proof', 'solve', several, '--problem', '3', ...script],
      /holds no problem 3/,
    ],
    ['a rubric that is none', solve('--rubric', theorem.replace('.md', '.none')), /There is no file/],
    ['no agents', solve('--agents', '0'), /at least|from 1/],
    ['an unknown way', solve('--grading', 'stars'), /Allowed choices are verdict, points/],
    ['an unknown setting', solve('--agent-setting', 'graderz=3'), /no setting graderz.*graders/s],
    ['an empty hint', solve('--hint', ' '), /hints/],
    ['an unknown role', solve('--model', 'critic=scripted/proof-check'), /no role critic/],
    [
      'a proof that is empty',
      ['proof', 'verify', theorem, '/dev/null', ...script],
      /proof \/dev\/null cannot be used.*empty/s,
    ],
    ['a file without a format', ['proof', 'show', 'last', '--out', 'x'], /not what it is to be.*--format/s],
    [
      'a format that is none',
      ['proof', 'show', 'last', '--format', 'docx'],
      /Allowed choices are markdown, html, latex, pdf/,
    ],
    ['a PDF without a file', ['proof', 'show', 'last', '--format', 'pdf'], /Add --out/],
    ['no run', ['proof', 'show', 'last'], /There is no run last here/],
  ])('%s', async (_name, argv, reason) => {
    const place = newPlace();
    const { code, err } = await polya(place, argv);
    expect(err).toMatch(reason);
    expect(code).toBe(2);
    expect(existsSync(join(place.folder, '.polya'))).toBe(false);
  });

  test('a run that proves nothing, and a document of a set', async () => {
    const place = newPlace();
    await polya(place, ['ask', 'Why?', '--model', scripted(place, yes)]);
    expect(await polya(place, ['proof', 'show', 'last'])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/proves nothing: it is of the family plain/),
    });
    const { out } = await polya(place, solve('--agents', '2', '--json'));
    const set = JSON.parse(out).id;
    const { code, err } = await polya(place, ['proof', 'show', set, '--format', 'html']);
    expect([code, err]).toEqual([2, expect.stringContaining('a document is of one proof')]);
  });
});
