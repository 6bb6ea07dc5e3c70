/** A workspace as a problem: what agents read of it, and programs measured in the real sandbox by the real tools. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import type { EffectContext, ProblemSpec } from '../../src/core/problem.ts';
import { programEvaluationIn } from '../../src/core/program.ts';
import { ahcFamily } from '../../src/families/ahc/family.ts';
import { layout } from '../../src/families/ahc/layout.ts';
import { programIn } from '../../src/families/ahc/problem/grade.ts';
import { readBest } from '../../src/families/ahc/records/best.ts';
import { createIo } from '../../src/io/files.ts';
import { openFolder } from '../../src/io/folder.ts';
import { localFiles } from '../../src/io/local-files.ts';
import { ahcParts } from '../../src/open/families/ahc/parts.ts';
import { hashText } from '../../src/run/hash.ts';
import { chooseSandbox } from '../../src/sandbox/choose.ts';
import { newPlace } from '../cli/shell.ts';
import { practiceWorkspace, solutionFile } from './practice-workspace.ts';

const place = newPlace();
const path = practiceWorkspace(place.folder, { inputs: 4 });
const folder = openFolder(path);
const io = createIo({
  sandbox: chooseSandbox(),
  filesFolder: place.folder,
  identity: { tool: 'polya', version: '0' },
});
const family = ahcFamily(ahcParts(localFiles(place.folder), place.env));
const { signal } = new AbortController();
const context: EffectContext = { io, runId: 'r', stage: '', past: [], signal };
const weak = readFileSync(solutionFile('weak'), 'utf8');
const png = Buffer.from('89504e470d0a1a0a', 'hex');

const put = (name: string, content: string | Uint8Array): Promise<void> => folder.write(name, content);
await put(layout.statement, '# Parcels\n\n![the map](images/map.png) ![a drawing](images/map.svg)\n');
await put('problem/images/map.png', png);
await put('problem/images/map.svg', '<svg/>');

const load = (more: object = {}): Promise<ProblemSpec> =>
  family.load({ workspace: path, ...more }, io, signal);

async function posedProgram(more: object = {}) {
  const problem = family.open(await load(more));
  if (!problem.program || !problem.grade) throw new Error('It offers no program.');
  return { problem, task: problem.program, grade: problem.grade };
}

describe('a workspace as a problem', () => {
  test('tells agents its statement with its pictures, its rules and its limits', async () => {
    const spec = await load({ workspace: 'workspace/polya002', cases: '0-2' });
    expect(spec).toMatchObject({
      family: 'ahc',
      id: 'ahc/polya002',
      stages: [],
      reference: { workspace: path },
    });
    expect(spec.statement).toEqual([
      { type: 'text', text: expect.stringContaining('# Parcels') },
      { type: 'image', mediaType: 'image/png', data: png.toString('base64') },
    ]);
    expect(spec.brief.answerFormat).toContain('ONE complete C++20 source file');
    expect(spec.brief.criteria).toMatch(
      /lower the score.*relative: a case counts as best \/ yours.*on 3 cases/,
    );
    expect(spec.brief.environment).toMatch(
      /C\+\+20, -O2\), without.*-DONLINE_JUDGE.*Time limit: 1000 ms of CPU time a case.*512 MiB/,
    );
    expect((await load({ images: false })).statement).toHaveLength(1);
    expect(family.open(spec).program).toMatchObject({
      direction: 'minimise',
      scoring: 'relative',
      timeLimitMs: 1000,
      cases: ['0000', '0001', '0002'],
      template: '',
    });
  });

  test('is another one when its statement, rules, tools or inputs are', async () => {
    const { contentHash } = await load();
    const changes: readonly (readonly [string, string])[] = [
      [layout.statement, '# Other parcels\n'],
      [layout.config, 'contest:\n  direction: maximise\n'],
      [`${layout.crate}/src/lib.rs`, '// nothing\n'],
      [`${layout.inputs}/0001.txt`, '1 1 1\n'],
    ];
    const hashes = new Set([contentHash, (await load({ cases: '0-1' })).contentHash]);
    for (const [name, text] of changes) {
      const before = (await folder.read(name)) ?? '';
      await put(name, text);
      hashes.add((await load()).contentHash);
      await put(name, before);
    }
    expect(hashes.size).toBe(changes.length + 2);
    // What is known by now, and what its user writes, do not make it another one.
    await put(layout.solution, 'int main() {}\n');
    expect((await load()).contentHash).toBe(contentHash);
    await folder.remove(layout.solution);
  });

  test('says what is wrong with it', async () => {
    await expect(load({ workspace: place.folder })).rejects.toThrow('is no workspace');
    await expect(load({ cases: '7' })).rejects.toThrow('There is no case 7.');
    await expect(load({ problemFile: 'none.md' })).rejects.toThrow(
      `There is no statement in ${place.folder}/none.md.`,
    );
    await expect(load({ case: '7' })).rejects.toThrow('This names no contest');
  });
});

describe('its tools', () => {
  test('look up algorithms and past contests, and put headers into a program', async () => {
    const tools = family.open(await load()).tools ?? [];
    expect(tools.map(({ name }) => name)).toEqual([
      ...['library_list', 'library_search', 'library_show', 'library_inline'],
      ...['contests_search', 'contests_show', 'contests_similar'],
    ]);
    const call = (name: string, args: JsonObject) =>
      tools.find((each) => each.name === name)?.call(args, context);
    const listed = await call('library_list', {});
    const [entry] = (listed?.data?.entries ?? []) as string[];
    const source = `#include <vector>\n#include "polya/${entry}.hpp"\nint main() {}\n`;
    const made = await call('library_inline', { source });
    expect(made?.data?.included).toContain(`${entry}.hpp`);
    expect(made?.text).not.toContain(`#include "polya/`);
    expect(made?.text).toMatch(/#include <vector>[\s\S]*int main\(\) \{\}/);
    expect(await call('library_inline', { source: '#include "nowhere.hpp"\n' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('main.cpp, line 1: "nowhere.hpp" is nowhere.'),
    });
    expect((await call('contests_search', { keywords: ['grid'] }))?.text).toContain('ahc');
    const alike = await call('contests_similar', { limit: 3 });
    expect(alike?.data?.found).not.toEqual([]);
    expect(alike?.text).toContain('| alike in: ');
  });
});

describe('a reply', () => {
  const program = '#include <cstdio>\nint main() { puts("1"); }\n';
  const snippet = '#include<a>\nmain(){}\n';
  const fenced = (text: string, language = 'cpp') => `\`\`\`${language}\n${text}\`\`\`\n`;

  test.each([
    ['one block', `Here it is.\n\n${fenced(program)}`],
    [
      'pieces, then the whole',
      `${fenced('int x;\n')}and so\n${fenced(program, 'c++')}\n${fenced('1\n', 'text')}`,
    ],
    ['no language', fenced(program, '')],
    ['a test of a part behind the program', `${fenced(program)}To try it:\n${fenced(snippet)}`],
    ['tildes, and a fence of backticks inside', `~~~cpp\n${program}~~~\n`],
    ['the bare program behind words', `It is this:\n\n${program}`],
    ['Windows line ends', fenced(program).replaceAll('\n', '\r\n')],
  ])('with %s holds the program', (_name, reply) => {
    expect(programIn(reply)).toEqual({ type: 'source', language: 'cpp', source: program });
  });

  test.each([
    ['nothing', 'I cannot.', 'There is no block of code.'],
    ['a piece', fenced('int f() { return 1; }\n'), 'No block of code is a whole program'],
    ['another language', fenced('print(1)\n', 'python'), 'There is no block of code.'],
    [
      'a block that is cut off',
      `\`\`\`cpp\n${program.slice(0, program.lastIndexOf('}'))}`,
      'The block of code is not closed',
    ],
    ['too much', fenced(`${program}// ${'x'.repeat(600_000)}\n`), 'longer than the judge takes'],
  ])('with %s is told what is missing', (_name, reply, feedback) => {
    expect(programIn(reply)).toMatchObject({ type: 'misfit', feedback: expect.stringContaining(feedback) });
  });
});

describe('its programs', () => {
  test('are measured, and leave nothing in the history of its user', async () => {
    const { task, grade } = await posedProgram();
    const fresh = task.fresh?.(7, 2) ?? [];
    expect(fresh).toEqual(['seed1000007', 'seed1000008']);
    const names = ['0002', ...fresh, '0000'];
    const [measured, broken, compiled] = await Promise.all([
      task.evaluate(weak, names, context),
      task.evaluate('int main() { return x; }', ['0000'], context),
      task.evaluate(weak, [], context),
    ]);
    const { cases, ...rest } = programEvaluationIn(measured);
    expect(rest).toMatchObject({ compiled: true, message: '' });
    expect(cases.map(({ name }) => name)).toEqual(names);
    expect(cases.map(({ verdict, features }) => [verdict, Object.keys(features)])).toEqual(
      names.map(() => ['AC', ['N', 'V', 'Q', 'X_0', 'Y_0']]),
    );
    expect(cases.at(-1)).toMatchObject({ score: 51_739, features: { N: 63, V: 8 } });
    expect(measured.score).toBeCloseTo(cases.reduce((sum, { score }) => sum + (score ?? 0), 0) / 4);
    expect(programEvaluationIn(broken)).toMatchObject({ compiled: false, cases: [] });
    expect(programEvaluationIn(broken).message).toContain('was not declared');
    expect(compiled).toMatchObject({ score: null, data: { compiled: true, cases: [] } });
    const kept = `${layout.sessionOutputs}/${hashText(weak)}`;
    expect(await folder.files(kept)).toEqual(names.map((name) => `${name}.out`).sort());
    expect(await folder.read(`${kept}/0000.out`)).toMatch(/^9 1 9 13 /);
    expect(readdirSync(join(path, '.ahc')).sort()).toEqual([
      'best.json',
      'best.jsonl',
      'fresh',
      'session-outputs',
    ]);
    expect((await readBest(folder, 'minimise')).size).toBe(2);
    // The best known of two cases is now its own, of the others nothing was known.
    const source = (text: string) =>
      ({ answer: { type: 'source', language: 'cpp', source: text }, stagesDone: [] }) as const;
    const graded = await grade(source(weak), context);
    expect(graded).toMatchObject({
      score: 1e9,
      explanation: expect.stringContaining('over 4 cases; all AC'),
    });
    expect(graded.correct).toBeUndefined();
    expect(await grade(source('int main() {}'), context)).toMatchObject({
      correct: false,
      data: {
        failed: 4,
        cases: [{ name: '0000', verdict: 'WA', input: expect.stringMatching(/^63 8 48\n/) }, {}, {}, {}],
      },
    });
    expect(await grade(source('int main() { x'), context)).toMatchObject({ correct: false });
    expect(await grade({ answer: null, stagesDone: [] }, context)).toMatchObject({
      explanation: 'No program was handed in.',
    });
  });

  test('have the limits in their statement that their user corrected, and nothing else of it is changed', async () => {
    const corrected = practiceWorkspace(newPlace().folder, { inputs: 1 });
    const text = (time: string, memory: string) =>
      `# A\n\n実行時間制限: ${time} 秒 / メモリ制限: ${memory} MB\n\n## 制約\n\n実行時間制限: 2 秒\n`;
    const asked = openFolder(corrected);
    const textOf = async () => {
      const [part] = (await family.load({ workspace: corrected }, io, signal)).statement;
      return part?.type === 'text' ? part.text : '';
    };
    await asked.write(layout.statement, text('1.0', '512'));
    expect(await textOf()).toBe(text('1.0', '512'));
    await asked.append(layout.config, 'contest:\n  time_limit: 0.6\n  memory_limit: 256\n');
    expect(await textOf()).toBe(text('0.6', '256'));
  });

  test('are graded on fewer cases where there is no time for all, and that is said', async () => {
    const wide = practiceWorkspace(newPlace().folder, { inputs: 40 });
    await openFolder(wide).write(layout.statement, '# Parcels');
    const spec = await family.load({ workspace: wide }, io, signal);
    const answer = { type: 'source', language: 'cpp', source: weak } as const;
    const graded = await family.open(spec).grade?.({ answer, stagesDone: [], withinMs: 0 }, context);
    const cases = (graded?.data?.cases ?? []) as readonly JsonObject[];
    // Ten are always run; what is in flight then may still end.
    expect(cases.length).toBeGreaterThanOrEqual(10);
    expect(cases.length).toBeLessThan(40);
    expect(graded?.explanation).toContain(` over ${cases.length} of 40 cases, for want of time; all AC.`);
    expect(graded?.score).toBe(1e9);
  });

  test('that are broken off keep nobody from the processors', async () => {
    const { task } = await posedProgram();
    const stop = new AbortController();
    const endless = 'int main() { for (volatile int i = 0;;) i = i + 1; }';
    const broken = task.evaluate(endless, task.cases, { ...context, signal: stop.signal });
    const waiting = task.evaluate(weak, ['0000'], context);
    const gone = expect(broken).rejects.toThrow('enough');
    await io.sandbox.build({ language: 'cpp', source: 'int main() {}' }, signal);
    stop.abort(new Error('enough'));
    await gone;
    expect(await waiting).toMatchObject({ score: 51_739 });
    await expect(task.evaluate(weak, ['0000'], { ...context, signal: stop.signal })).rejects.toThrow(
      'enough',
    );
  });

  test('of which an input is gone are not measured on others', async () => {
    const { task } = await posedProgram();
    rmSync(join(path, layout.inputs, '0003.txt'));
    await expect(task.evaluate(weak, ['0003'], context)).rejects.toThrow('There is no case 0003.');
    writeFileSync(join(path, layout.inputs, '0003.txt'), '');
  });
});
