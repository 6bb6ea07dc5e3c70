/** `polya qa ask|run|score`: as people type it, by script, over a real store, a real sandbox and real files. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newPlace, type Place, polya } from '../cli/shell.ts';
import { typed } from '../support/typed.ts';

type Lines = readonly unknown[];
type Replies = Readonly<Record<string, Lines | Readonly<Record<string, Lines>>>>;

function script({ folder }: Place, name: string, roles: Replies): string {
  writeFileSync(join(folder, `${name}.json`), JSON.stringify({ roles }));
  return `scripted:${name}.json`;
}

const file = ({ folder }: Place, name: string, rows: readonly object[]): string => {
  writeFileSync(join(folder, name), rows.map((row) => JSON.stringify(row)).join('\n'));
  return name;
};

const boxed = (answer: string | number) => `We think.\n\nIt is \\boxed{${answer}}`;
const always = (text: string) => [{ text, repeat: true }];
const rows = [
  { id: 'a', question: 'What is 1 + 1?', answer: '2', subject: 'sums', level: 1 },
  { id: 'b', question: 'What is 3 + 4?', answer: '7', subject: 'sums', level: 2 },
  { id: 'c', question: 'What is 7 times 1?', answer: '7', subject: 'products', level: 1 },
  { id: 'd', question: 'What is 2 times 4?', answer: '8', subject: 'products', level: 2 },
];

/** Two chains agree, the third sample says something else. */
const planner = {
  object: { problemType: 'Math', plan: 'Add.', recommendation: 'Use Reasoning' },
  repeat: true,
};
const divided: Replies = {
  planner: [planner],
  solver: { 'chain-1': always(boxed(7)), 'chain-2': always(boxed('7.0')), 'react-1': always(boxed(9)) },
};

describe('qa ask', () => {
  test('the answer alone stands on standard output, votes and cost beside it', async () => {
    const place = newPlace();
    const model = script(place, 'divided', divided);
    const argv = ['qa', 'ask', 'What is 3 + 4?', '--answer', '7', '--model', model];
    const { code, out, err } = await polya(place, argv);
    expect(code, err).toBe(0);
    expect(out).toBe('7\n');
    expect(err).toMatch(/Estimate: free \(script\)/);
    expect(err).toMatch(/Plan: Math, use reasoning/);
    expect(err).toMatch(/chain +7 +7 +yes/);
    expect(err).toMatch(/Decision: vote/);
    expect(err).toMatch(/solved · scripted:.* \(script: replies written ahead, no model was asked\)/);
  });

  test('as JSON, with every sample and what decided', async () => {
    const place = newPlace();
    const model = script(place, 'divided', divided);
    const more = ['--agent-setting', 'votesToWin=3', '--agent-setting', 'selfCorrection=false'];
    const argv = ['qa', 'ask', 'q?', '--model', model, '--json', ...more];
    const { code, out, err } = await polya(place, argv);
    expect(code, err).toBe(0);
    const told = JSON.parse(out);
    expect(told).toMatchObject({
      answer: '7',
      right: null,
      outcome: 'answered',
      decision: { by: 'plurality' },
    });
    expect(told.settings).toMatchObject({ votesToWin: 3 });
    expect(told.members).toHaveLength(3);
    expect(told.decisive).toContain('chain');
  });

  test('any agent, wrong answers end with 1, and a dry run asks nobody', async () => {
    const place = newPlace();
    const model = script(place, 'one', { solver: always(boxed(7)) });
    const argv = ['qa', 'ask', 'q?', '--agent', 'single-call', '--answer', '8', '--model', model];
    expect(await polya(place, argv)).toMatchObject({ code: 1, out: '7\n' });
    const dry = await polya(place, [...argv, '--dry-run']);
    expect(dry.out).toContain('boxed{}');
    expect(dry.out).not.toMatch(/\b8\b.*gold/);
  });

  test('`qa` had no --sets: an inequality for a gold interval, of one question, a file and predictions', async () => {
    const place = newPlace();
    const model = script(place, 'inequality', { solver: always(boxed('-1 \\le x < 4')) });
    const gold = '[-1, 4)';
    file(place, 'sets.jsonl', [{ id: 'a', question: 'Where?', answer: gold }]);
    file(place, 'said.jsonl', [{ id: 'a', answer: '-1 <= x < 4' }]);
    const with1 = ['--agent', 'single-call', '--model', model];
    for (const argv of [
      ['qa', 'ask', 'Where?', '--answer', gold, ...with1],
      ['qa', 'run', 'sets.jsonl', ...with1],
    ]) {
      expect(await polya(place, argv)).toMatchObject({ code: 1 });
      expect(await polya(place, [...argv, '--sets'])).toMatchObject({ code: 0 });
    }
    const score = ['qa', 'score', 'said.jsonl', '--data', 'sets.jsonl', '--json'];
    const right = async (argv: readonly string[]) =>
      JSON.parse((await polya(place, argv)).out).runs[0].isRight;
    expect([await right(score), await right([...score, '--sets'])]).toEqual([false, true]);
  });

  test.each([
    [[''], /The question is empty/],
    [['q?', '--agent', 'crowd'], /There is no agent crowd/],
    [['q?', '--answer', '{'], /gold answer.*braces/],
    [['q?', '--agent-setting', 'votes=2'], /no setting votes/],
    [['q?', '--agent-setting', 'nonsense'], /"nonsense" sets nothing/],
    [['q?', '--profile', 'poem'], /profile/],
  ])('%j is refused', async (argv, message) => {
    const place = newPlace();
    const model = script(place, 'one', { solver: always(boxed(7)) });
    const { code, err } = await polya(place, ['qa', 'ask', ...argv, '--model', model]);
    expect(code).toBe(2);
    expect(err).toMatch(message);
  });
});

describe('qa run', () => {
  test('a data set is one run-set; the score tells types, strategies and what the vote did', async () => {
    const place = newPlace();
    file(place, 'sums.jsonl', rows);
    // The chain alone says 2, in the ensemble 7.
    const solver = { '': always(boxed(2)), 'chain-*': always(boxed(7)), 'react-1': always(boxed(9)) };
    const model = script(place, 'both', { planner: [planner], solver });
    const own = ['--agent-setting', 'ensemble:maxSamples=4', '--agent-setting', 'reminders=0'];
    const argv = ['qa', 'run', 'sums.jsonl', '--model', model, '--agent', 'ensemble,chain', ...own];
    const { code, out, err } = await polya(place, [...argv, '--concurrency', '2']);
    expect(code, err).toBe(1);
    expect(err).toMatch(/sums: 4 questions, 8 runs; gold answers in "answer", compared by the profile math/);
    expect(out).toMatch(/ensemble +4 +4 +2 +50\.0% \(15\.0–85\.0\)/);
    expect(out).toMatch(/chain +4 +4 +1 +25\.0%/);
    expect(out).toMatch(/ensemble: By subject\nsubject .*\nproducts +2 +1 +50\.0%/);
    expect(out).toMatch(
      /ensemble: By strategy\nstrategy +samples +answered +right +accuracy \(95 %\) +decisive/,
    );
    expect(out).toMatch(/decided by: vote 4 \(2 right\)/);
    expect(out).toMatch(/The first is ensemble\n.*\nchain +4 +50\.0% +25\.0% +-25\.0 /);
    expect(out).toMatch(/McNemar/);
    const again = await polya(place, ['qa', 'score', 'last']);
    expect(again).toMatchObject({ code: 0, out });
  });

  test('several models are compared, each with any other, in a set of a name', async () => {
    const place = newPlace();
    file(place, 'sums.jsonl', rows.slice(1, 3));
    const models = [7, 8].map((number) => script(place, `x${number}`, { solver: always(boxed(number)) }));
    const named = models.flatMap((model) => ['--model', model]);
    const argv = ['qa', 'run', 'sums.jsonl', '--agent', 'chain', '--name', 'seven or eight', ...named];
    const { code, out, err } = await polya(place, argv);
    expect(code, err).toBe(1);
    expect(out).toMatch(/chain, scripted:x7\.json +2 +2 +2 /);
    expect(out).toMatch(/chain, scripted:x8\.json +2 +2 +0 /);
    expect(out).toMatch(/The first is chain, scripted:x7\.json\n/);
    expect((await polya(place, ['run-set', 'list'])).out).toContain('seven or eight');
    const other = await polya(place, ['qa', 'score', 'last', '--against', 'x8', '--wrong']);
    expect(other.out).toMatch(/The first is chain, scripted:x8\.json\n/);
    expect(other.out).toMatch(/ {2}chain, scripted:.*x8\.json\n.*\n {2}answered 8; right is 7/);
    const unknown = await polya(place, ['qa', 'score', 'last', '--against', 'chain']);
    expect(unknown).toMatchObject({ code: 2, out: '' });
    expect(unknown.err).toMatch(/2 systems have "chain" in the name/);
    const csv = (await polya(place, ['qa', 'score', 'last', '--csv'])).out;
    expect(csv).toMatch(/^origin,run,agent,models,settings,/);
  });

  test('replies that were cut off are said to be so in the score, its tables and the list of what is wrong', async () => {
    const place = newPlace();
    file(place, 'sums.jsonl', rows.slice(0, 2));
    const cut = { text: 'It is \\boxed{', finish: 'length', repeat: true };
    const model = script(place, 'cut', { planner: [planner], solver: [cut] });
    const argv = ['qa', 'run', 'sums.jsonl', '--model', model, '--agent', 'chain,single-call,ensemble'];
    const { out } = await polya(place, argv);
    expect(out).toMatch(/chain: 2 malformed: The reply was cut off at its limit of tokens\.$/m);
    expect(out).toMatch(/single-call: 2 malformed: The reply was cut off at its limit of tokens\.$/m);
    expect(out).toMatch(/chain without an answer: the reply was cut off at its limit of tokens \(\d\)$/m);
    expect(out).toMatch(/react without an answer: the reply was cut off at its limit of tokens \(\d\)$/m);
    expect(out).not.toContain('No answer was handed in');
    const wrong = await polya(place, ['qa', 'score', 'last', '--wrong']);
    expect(
      wrong.out.match(/^ {2}The reply was cut off at its limit of tokens\. What had arr/gm),
    ).toHaveLength(4);
    const asked = await polya(place, typed`qa ask q? --answer 8 --agent chain --model ${model}`);
    expect(asked.err).toMatch(/^chain .*the reply was cut off at its limit of tokens, 1 repair$/m);
    expect(asked.err).toMatch(/^No answer: The reply was cut off at its limit of tokens\./m);
    const shown = await polya(place, ['runs', 'show', 'last']);
    expect(shown.out).toMatch(/malformed\. The reply was cut off at its limit of tokens/);
  });

  test('what is missing is gone on with, and the score says what it leaves out', async () => {
    const place = newPlace();
    file(place, 'sums.jsonl', rows);
    const model = script(place, 'one', { solver: [{ text: boxed(7), delayMs: 120, repeat: true }] });
    let ended = 0;
    const argv = typed`qa run sums.jsonl --agent single-call --model ${model} --concurrency 1`;
    const stopped = await polya(place, argv, {
      onWrite: (text, interrupt) => {
        if (!/^Row \d/.test(text)) return;
        ended += 1;
        if (ended === 2) interrupt();
      },
    });
    expect(stopped.code).toBe(130);
    expect(stopped.err).toMatch(/rows? not ended, and not in the score/);
    expect(stopped.err).toMatch(/Go on with it: .* run-set resume/);
    // Of another file, or of another version of this one, the rows that are missing are not begun.
    file(place, 'sums.jsonl', [...rows.slice(0, 3), { ...rows[3], answer: '9' }]);
    const changed = await polya(place, ['run-set', 'resume', 'last']);
    expect(changed).toMatchObject({ code: 2, err: expect.stringMatching(/has changed/) });
    file(place, 'sums.jsonl', rows);
    expect((await polya(place, ['run-set', 'resume', 'last'])).code).toBe(1);
    const score = JSON.parse((await polya(place, ['qa', 'score', 'last', '--json'])).out);
    expect(score.sources).toMatchObject([{ open: 0 }]);
    expect(score.systems[0]).toMatchObject({ runs: 4, accuracy: { right: 2 }, spent: { modelCalls: 4 } });
  });

  test('samples, selections and seeds', async () => {
    const place = newPlace();
    file(place, 'sums.jsonl', rows);
    const model = script(place, 'one', { solver: always(boxed(7)) });
    const run = async (...more: readonly string[]) => {
      const argv = ['qa', 'run', 'sums.jsonl', '--agent', 'single-call', '--model', model, '--json', ...more];
      const { out, err } = await polya(place, argv);
      expect(err).not.toMatch(/polya:/);
      return JSON.parse(out)
        .runs.map(({ problem }: { problem: string }) => problem.at(-1))
        .join('');
    };
    expect(await run('--samples', '2', '--ids', 'd,b')).toBe('bbdd');
    expect(await run('--offset', '1', '--limit', '2')).toBe('bc');
    const drawn = await run('--sample', '2', '--seed', 'x');
    expect(drawn).toHaveLength(2);
    expect(await run('--sample', '2', '--seed', 'x')).toBe(drawn);
    expect(await run('--sample', '9')).toBe('abcd');
  });

  test('nothing is asked where anything is wrong with the file, and all of it is named', async () => {
    const place = newPlace();
    file(place, 'bad.jsonl', [
      ...rows,
      { ...rows[0] },
      { id: 'e', question: '', answer: '1' },
      { id: 'f', question: 'q' },
    ]);
    const model = script(place, 'one', { solver: always(boxed(7)) });
    const argv = ['qa', 'run', 'bad.jsonl', '--agent', 'single-call', '--model', model];
    const refused = await polya(place, argv);
    expect(refused.code).toBe(2);
    expect(refused.err).toMatch(/3 lines of bad\.jsonl cannot be used:/);
    expect(refused.err).toMatch(/line 5: its id "a" stands on line 1 already/);
    expect(refused.err).toMatch(/line 6: its question is empty/);
    expect(refused.err).toMatch(/line 7: its answer is missing/);
    expect((await polya(place, ['run-set', 'list'])).out).toMatch(/No run-sets yet/);
    const skipped = await polya(place, [...argv, '--skip-flawed', '--json']);
    expect(skipped.err).toMatch(/3 lines left out; the first is line 5/);
    expect(JSON.parse(skipped.out).systems[0].runs).toBe(4);
  });

  test.each([
    [['none.jsonl'], /There is no file .*none\.jsonl/],
    [['sums.jsonl', '--answer-column', 'gold'], /no column "gold"\.[\s\S]*"id", "question", "answer"/],
    [['sums.jsonl', '--ids', 'z'], /no question "z"/],
    [['sums.jsonl', '--offset', '9'], /No question is left/],
    [['sums.jsonl', '--samples', '0'], /whole number/],
    [['sums.jsonl', '--samples', '1000', '--agent', 'a,b,c'], /12,000 runs, more than 10,000/],
    [['sums.jsonl', '--agent', 'crowd'], /There is no agent crowd/],
    [['sums.jsonl', '--agent', ''], /No agent/],
    [['sums.jsonl', '--agent-setting', 'chian:review=true'], /setting of chian/],
    [['sums.jsonl', '--json', '--csv'], /cannot be used with/],
  ])('%j is refused', async (argv, message) => {
    const place = newPlace();
    file(place, 'sums.jsonl', rows);
    const { code, err } = await polya(
      place,
      typed`qa run ${argv} --model ${script(place, 'one', { solver: ['x'] })}`,
    );
    expect(code).toBe(2);
    expect(err).toMatch(message);
  });

  test('a dry run shows the first request and keeps nothing', async () => {
    const place = newPlace();
    file(place, 'sums.jsonl', rows);
    const model = script(place, 'one', { solver: always(boxed(7)) });
    const argv = ['qa', 'run', 'sums.jsonl', '--agent', 'single-call', '--model', model, '--dry-run'];
    const { code, out } = await polya(place, argv);
    expect(code).toBe(0);
    expect(out).toMatch(/Dry run/);
    expect(out).toMatch(/What is 1 \+ 1\?/);
    expect((await polya(place, ['run-set', 'list'])).out).toMatch(/No run-sets yet/);
  });
});

describe('qa score', () => {
  test('answers from elsewhere, against a data set and against a run-set', async () => {
    const place = newPlace();
    file(place, 'sums.jsonl', rows);
    const model = script(place, 'one', { solver: always(boxed(7)) });
    await polya(place, ['qa', 'run', 'sums.jsonl', '--agent', 'single-call', '--model', model]);
    file(place, 'theirs.jsonl', [
      { id: 'a', prediction: 2 },
      { id: 'b', prediction: 'We add.\n\nThe answer is 7.' },
      { id: 'd', prediction: 'From 3 to 5 it is one step, and 7 follow.' },
    ]);
    const argv = ['qa', 'score', 'theirs.jsonl', 'last', '--data', 'sums.jsonl'];
    const { code, out, err } = await polya(place, argv);
    expect(code, err).toBe(0);
    expect(err).toMatch(/theirs\.jsonl: 1 question without a prediction, counted as wrong/);
    expect(out).toMatch(/predictions, theirs\.jsonl +4 +4 +2 +50\.0% .* – +– +–/);
    expect(out).toMatch(/single-call, \S+ +4 +4 +2 +50\.0%/);
    expect(out).toMatch(/1 malformed: unread: No answer was found/);
    expect(out).toMatch(/The first is predictions/);
    const csv = (
      await polya(place, ['qa', 'score', 'theirs.jsonl', '--data', 'sums.jsonl', '--csv'])
    ).out.split('\n');
    expect(csv[0]).toMatch(/^origin,run,agent,models,settings,problem,types,outcome,right,answer,gold/);
    expect(csv[1]).toMatch(
      /^theirs\.jsonl,a,predictions,,\{\},qa\/sums\/a,subject=sums; level=1,solved,true,2,2,/,
    );
  });

  test('one set by two of its names is not counted twice: its intervals were too narrow', async () => {
    const place = newPlace();
    file(place, 'sums.jsonl', rows);
    const model = script(place, 'one', { solver: always(boxed(7)) });
    const run = await polya(place, typed`qa run sums.jsonl --agent chain --model ${model} --json`);
    const [{ name: id }] = JSON.parse(run.out).sources;
    const { code, err } = await polya(place, ['qa', 'score', 'last', id]);
    expect(code).toBe(2);
    expect(err).toMatch(new RegExp(`${id} is ${id}, which is named twice`));
  });

  test('a negative number is a number in CSV: it had a quotation mark before it', async () => {
    const place = newPlace();
    file(place, 'less.jsonl', [
      { question: 'What is 2 - 7?', answer: '-5' },
      { question: 'Say it.', answer: '=1+1' },
    ]);
    file(place, 'theirs.jsonl', [{ id: '1', prediction: '-1,000.5' }]);
    const argv = ['qa', 'score', 'theirs.jsonl', '--data', 'less.jsonl', '--csv'];
    const { out } = await polya(place, argv);
    expect(out).toMatch(/,wrong,false,"-1,000\.5",-5,/);
    expect(out, 'a formula stays text').toMatch(/,wrong,false,,'=1\+1,/);
  });

  test.each([
    [['theirs.jsonl'], /theirs.jsonl answers is not named/],
    [['theirs.jsonl', '--data', 'sums.jsonl'], /Line 1 of theirs\.jsonl answers "z", which is no question/],
    [['theirs.jsonl', '--data', 'sums.jsonl', '--prediction-column', 'x'], /no column "x"/],
    [['bad.jsonl', '--data', 'sums.jsonl'], /line 2: its id "a" stands on line 1 already/],
    [['nowhere'], /nowhere is no file, and there are no run-sets/],
    [['theirs.jsonl', 'theirs.jsonl'], /named twice/],
  ])('%j is refused', async (argv, message) => {
    const place = newPlace();
    file(place, 'sums.jsonl', rows);
    file(place, 'theirs.jsonl', [{ id: 'z', prediction: '1' }]);
    file(place, 'bad.jsonl', [
      { id: 'a', prediction: '1' },
      { id: 'a', prediction: '2' },
    ]);
    const { code, err } = await polya(place, ['qa', 'score', ...argv]);
    expect(code).toBe(2);
    expect(err).toMatch(message);
  });
});

test('the demo asks three questions: one needs a repair, one the fallback', async () => {
  const place = newPlace();
  const { code, out, err } = await polya(place, ['demo', 'ensemble']);
  expect(code, err).toBe(0);
  expect(out).toMatch(/Digits +solved +36 /);
  expect(out).toMatch(/Queue +solved +8 /);
  expect(out).toMatch(/Rope +solved +\\frac\{10\}\{3\} /);
  expect(err).toMatch(/The model is a SCRIPT/);
  expect(err).toMatch(/\[program-1\] program says 36 \(1 repair\)/);
  expect(err).toMatch(/\[chain-1-review\] chain says 8 \(review: changed\)/);
  expect(err).toMatch(/plan: Logic, use reasoning/);
  expect(err).toMatch(/vote: .*no answer|vote: .*none/i);
  expect(err).toMatch(/decision by self-correction/);
  const score = JSON.parse((await polya(place, ['qa', 'score', 'last', '--json'])).out);
  // Each question has a script of its own, and so is a system of its own.
  const told = score.systems.map((system: System) => ({
    right: system.accuracy.right,
    by: system.vote.decidedBy.map(({ by }) => by).join(),
    decisive: system.strategies.flatMap(({ strategy, decisive }) => (decisive > 0 ? strategy : [])),
  }));
  // Without the program that was repaired 36 would have had one vote; without the chains 8 would have had none.
  expect(told).toEqual([
    { right: 1, by: 'vote', decisive: ['program', 'chain'] },
    { right: 1, by: 'vote', decisive: ['chain'] },
    { right: 1, by: 'self-correction', decisive: [] },
  ]);
});

type System = {
  readonly accuracy: { readonly right: number };
  readonly vote: { readonly decidedBy: readonly { readonly by: string }[] };
  readonly strategies: readonly { readonly strategy: string; readonly decisive: number }[];
};
