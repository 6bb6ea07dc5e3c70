/**
 * A contest whose programs are not run but read: what stands behind `quality =` is their score. The real search works on
 * it, with replies that a script makes up; every call of the model and every evaluation leaves a line outside.
 */
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Family, Problem } from '../../../src/core/problem.ts';
import type { Script } from '../../../src/models/scripted.ts';
import { hashText } from '../../../src/run/hash.ts';

const cases = ['0000', '0001', '0002', '0003'];

export function toyContest(workspace: string): Family {
  const outputs = join(workspace, '.ahc/session-outputs');
  return {
    name: 'ahc',
    async load(reference) {
      return {
        family: 'ahc',
        id: 'toy',
        title: 'Toy',
        reference: reference as { workspace: string },
        contentHash: 'toy',
        statement: [{ type: 'text', text: 'Make quality large.' }],
        brief: { task: 'score', answerFormat: 'C++', criteria: 'the score', environment: '' },
        stages: [],
        detail: {},
      };
    },
    open: (spec): Problem => ({
      spec,
      program: {
        language: 'cpp',
        direction: 'maximise',
        scoring: 'absolute',
        template: programOf('template', 1),
        cases,
        best: {},
        timeLimitMs: 1000,
        async evaluate(source, names, { io, signal }) {
          appendFileSync(join(workspace, 'evaluations.log'), `${hashText(source)} ${names.join(',')}\n`);
          await io.clock.sleep(10, signal);
          const quality = Number(/quality = (\d+)/.exec(source)?.[1] ?? 0);
          const folder = join(outputs, hashText(source));
          mkdirSync(folder, { recursive: true });
          for (const name of names) writeFileSync(join(folder, `${name}.out`), `${quality}\n`);
          const done = names.map((name, index) => ({
            name,
            verdict: 'AC' as const,
            score: quality * 10 + index,
            cpuMs: 5,
            wallMs: 5,
            memoryBytes: 1,
            message: '',
            features: {},
          }));
          return { score: null, data: { compiled: true, message: '', cases: done, backend: 'toy' } };
        },
      },
      async grade({ answer }) {
        const quality = answer?.type === 'source' ? /quality = (\d+)/.exec(answer.source)?.[1] : undefined;
        return { score: Number(quality ?? 0), explanation: 'read' };
      },
    }),
  };
}

/** Programs that differ in more than a number. */
export function programOf(seed: string, quality: number): string {
  const lines = Array.from({ length: 12 }, (_, index) => {
    const word = hashText(`${seed} ${index}`).replaceAll(/[^A-Za-z]/g, 'x');
    return `  total ${index % 2 ? '+' : '^'}= ${word.length * index + word.charCodeAt(0)} * ${word.charCodeAt(1)};`;
  });
  return `int main() {\n  const int quality = ${quality};\n  int total = 0;\n${lines.join('\n')}\n  return total + quality;\n}\n`;
}

/** `delayMs`: how long each reply takes, or the replies of this process one after the other. */
export type ToyPace = number | ((replies: number) => number);

/** What the listener takes a message for. */
function meaningOf(prompt: string): string {
  const words = /any language:(?<words>[\s\S]*?)Parameters of the best/.exec(prompt)?.groups?.words ?? '';
  const range = /try (\w+) from (\d+) to (\d+)/.exec(words);
  if (range) {
    const [, parameter, low, high] = range;
    return JSON.stringify({ kind: 'range', parameter, low: Number(low), high: Number(high) });
  }
  return JSON.stringify({ kind: /[?？]/.test(words) ? 'question' : 'hint' });
}

/** Says whom it answered, so that a test can count who was paid twice. */
export function toyScript(workspace: string, pace: ToyPace): Script {
  let replies = 0;
  return ({ role, branch, index, request }) => {
    appendFileSync(join(workspace, 'calls.log'), `${role} ${branch}#${index}\n`);
    replies += 1;
    const delayMs = typeof pace === 'number' ? pace : pace(replies);
    if (role === 'listener') return { text: meaningOf(JSON.stringify(request.messages)), delayMs };
    if (role !== 'solver') return { text: 'No.', delayMs };
    const seed = `${branch}#${index}`;
    const quality = 10 + (hashText(seed).charCodeAt(0) % 50) + (hashText(seed).charCodeAt(1) % 50);
    return { text: `IDEA: try ${quality}\n\n\`\`\`cpp\n${programOf(seed, quality)}\`\`\`\n`, delayMs };
  };
}
