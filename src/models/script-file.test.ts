import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { UserError } from '../core/errors.ts';
import { type Message, type ModelCall, type ModelReply, textOf, toolCallsOf } from '../core/model.ts';
import { loadScript, parseScript } from './script-file.ts';
import { scriptedModel } from './scripted.ts';

type Position = Partial<Pick<ModelCall, 'role' | 'branch' | 'index' | 'attempt'>>;

function play(text: string, position: Position = {}, messages: readonly Message[] = []): Promise<ModelReply> {
  const model = scriptedModel({ id: 'scripted:test.yaml', script: parseScript(text, 'test.yaml') });
  const call = {
    role: 'solver',
    branch: '',
    index: 0,
    attempt: 0,
    signal: new AbortController().signal,
    ...position,
  };
  return model.generate({ messages, output: { name: 'any', schema: {} } }, call);
}

async function textAt(text: string, position: Position = {}): Promise<string> {
  const reply = await play(text, position);
  return reply.ok ? textOf(reply.message) : reply.error.message;
}

function mistakeIn(text: string): string {
  try {
    parseScript(text, 'bad.yaml');
  } catch (error) {
    if (error instanceof UserError) return error.message;
    throw error;
  }
  return 'no mistake';
}

describe('the example of docs/scripts.md', async () => {
  const page = await readFile(new URL('../../docs/scripts.md', import.meta.url), 'utf8');
  const example = /```yaml\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
  const message: Message = {
    role: 'tool',
    callId: '1',
    name: 'RunGeneratedCode',
    content: 'stdout:\n42\nstderr:\n',
  };

  it('runs a program, retries, submits what it printed and says so', async () => {
    const first = await play(example);
    expect(first.ok && toolCallsOf(first.message)[0]?.args?.code).toContain('sum(map(int');
    expect(await play(example, { index: 1 }, [message])).toMatchObject({
      error: { kind: 'rate-limit', retryAfterMs: 20 },
    });
    const submit = await play(example, { index: 1, attempt: 1 }, [message]);
    expect(submit.ok && toolCallsOf(submit.message)).toMatchObject([
      { name: 'SubmitAnswer', args: { answer: '42' } },
    ]);
    const end = await play(example, { index: 2 }, [
      message,
      { ...message, name: 'SubmitAnswer', content: 'Right!' },
    ]);
    expect(end.ok && textOf(end.message)).toBe('The answer was 42.');
  });

  it('answers branches and the grader', async () => {
    expect(await textAt(example, { branch: 'attempt-7/x' })).toBe('I have no idea.');
    const graded = await play(example, { role: 'grader', branch: 'deep/in', index: 99 }, [
      { role: 'user', content: 'Is it?' },
    ]);
    expect(graded).toMatchObject({ object: { verdict: 'correct', why: 'Is it?' } });
  });
});

describe('parseScript', () => {
  it('reads JSON too', async () => {
    const json = JSON.stringify({ roles: { solver: ['one', { text: 'two' }] } }, null, '\t');
    expect(await textAt(json, { index: 1 })).toBe('two');
  });

  it('refuses a script without roles', () => {
    expect(mistakeIn('roles: {}')).toContain('roles: holds no role');
  });

  it('tells how many replies a list has, and which lists there are', async () => {
    const script = 'roles: {solver: {"": [one]}}';
    expect(await textAt(script, { index: 1 })).toContain('index 1: it has 1 reply there.');
    expect(await textAt(script, { branch: 'b' })).toContain('it has 0 replies there (its branches are "").');
    expect(await textAt(script, { role: 'grader' })).toContain('(its roles are "solver").');
  });

  it('fails at every attempt where it has nothing else to say, else as often as asked', async () => {
    const always = 'roles: {solver: [{error: {kind: overloaded}}]}';
    expect(await play(always, { attempt: 9 })).toMatchObject({
      error: { kind: 'overloaded', retryable: true },
    });
    const twice = 'roles: {solver: [{text: at last, error: {kind: network, times: 2}}]}';
    expect(await play(twice, { attempt: 1 })).toMatchObject({ error: { kind: 'network' } });
    expect(await textAt(twice, { attempt: 2 })).toBe('at last');
  });

  it('leaves literal replies alone, and passes on what is no JSON object', async () => {
    expect(await textAt('roles: {solver: [{text: "{{x}} {{user}}", literal: true}]}')).toBe('{{x}} {{user}}');
    const modelReply = await play('roles: {solver: [{toolCalls: [{name: Run, raw: "{"}, {name: Stop}]}]}');
    expect(modelReply.ok && toolCallsOf(modelReply.message)).toMatchObject([
      { name: 'Run', args: null, raw: '{' },
      { name: 'Stop', args: {} },
    ]);
  });

  it('simulates latency that an abort ends', async () => {
    const model = scriptedModel({
      id: 'slow',
      script: parseScript('{delayMs: 60000, roles: {solver: [a, {text: b, delayMs: 0}]}}', 'slow.yaml'),
    });
    const departure = new AbortController();
    const call = { role: 'solver', branch: '', index: 0, attempt: 0, signal: departure.signal };
    expect((await model.generate({ messages: [] }, { ...call, index: 1 })).ok).toBe(true);
    const slow = model.generate({ messages: [] }, call);
    setTimeout(() => departure.abort(), 20);
    expect(await slow).toMatchObject({ error: { kind: 'aborted' } });
  });

  it('names the place that a request cannot fill', async () => {
    expect(await play('roles: {solver: ["{{tool.stdout}}"]}')).toMatchObject({
      error: {
        kind: 'other',
        retryable: false,
        message: expect.stringContaining('{{tool.stdout}} cannot be'),
      },
    });
  });
});

describe('mistakes', () => {
  const at = 'role "solver", branch "*", index';
  it.each([
    ['roles: {solver: [a, {text: b, wait: 1}]}', `${at} 1: Unrecognized key: "wait"`],
    ['roles: {solver: [42]}', `${at} 0: `],
    ['roles: {solver: {x: [{finish: done, text: a}]}}', 'role "solver", branch "x", index 0, finish: '],
    ['roles: {solver: [{toolCalls: [{args: {}}]}]}', `${at} 0, toolCalls.0.name: `],
    ['roles: {solver: [{toolCalls: [{name: a, args: {}, raw: b}]}]}', 'choose one'],
    ['roles: {solver: [{delayMs: 5}]}', `${at} 0: says nothing`],
    ['roles: {solver: [{error: {kind: network, times: 2}}]}', 'nothing to say afterwards'],
    ['roles: {solver: [{text: a, repeat: true}, b]}', `${at} 0, repeat: only the last`],
    ['roles: {solver: [{object: {deep: ["{{tol}}"]}}]}', `${at} 0: {{tol}} is no place`],
    ['roles: {solver: [{toolCalls: [{name: a, args: {b: "{{x}}"}}]}]}', `${at} 0: {{x}} is no place`],
    ['rolls: {}', 'rolls'],
    ['', 'the whole file'],
    ['roles: {a: [b}', 'bad.yaml is no usable script'],
    ['roles: {a: [x], a: [y]}', 'unique'],
  ])('%s', (text, expected) => {
    const message = mistakeIn(text);
    expect(message).toContain('bad.yaml');
    expect(message).toContain(expected);
  });

  it('shows the first five and counts the rest', () => {
    expect(mistakeIn(`roles: {solver: [${'{}, '.repeat(8)}]}`)).toContain('; and 3 more.');
  });

  it('says which file cannot be read', async () => {
    await expect(loadScript('/nowhere/replies.yaml')).rejects.toThrow(
      /The script \/nowhere\/replies\.yaml cannot be read\. There is nothing of that name/,
    );
  });
});
