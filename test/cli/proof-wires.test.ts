/** Proofs over real HTTP, on the wire of every provider: the loop, and the grader alone. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveModels } from '../support/model-server/serve.ts';
import { root } from './process.ts';
import { newPlace, type Place, polya } from './shell.ts';

const example = (name: string) => join(root, 'examples', 'proofs', name);

/** Which reply comes depends on how many turns of the model stand in the conversation. */
const roles = {
  solver: [
    '### Summary ###\nFirst.\n\n### Detailed Solution ###\n\nFirst proof of $1 < 2$.',
    {
      text: '### Summary ###\nSecond.\n\n### Detailed Solution ###\n\nSecond proof of $1 < 2$.',
      repeat: true,
    },
  ],
  grader: [
    { object: { check: 'Step 1.', findings: [], proved: 'It.', verdict: 'complete' } },
    // The question what is left open is asked again.
    { object: { leftOpen: [] } },
  ],
  verifier: [
    {
      object: {
        check: 'Step 1.',
        findings: [
          {
            kind: 'critical-error',
            quote: 'A sum of two odd numbers is twice an odd number',
            explanation: '$1 + 3 = 4$.',
          },
        ],
        proved: 'Nothing.',
        verdict: 'error',
      },
    },
  ],
};

type Server = Awaited<ReturnType<typeof serveModels>>;
const servers: Record<string, Server> = {};

beforeAll(async () => {
  const { folder } = newPlace();
  const script = join(folder, 'script.json');
  writeFileSync(script, JSON.stringify({ roles }));
  for (const role of Object.keys(roles)) servers[role] = await serveModels({ script, role });
});

afterAll(async () => {
  for (const server of Object.values(servers)) await server.close();
});

const keys = {
  OPENAI_API_KEY: 'k',
  ANTHROPIC_API_KEY: 'k',
  GEMINI_API_KEY: 'k',
  OPENROUTER_API_KEY: 'k',
  OPENAI_COMPATIBLE_API_KEY: 'k',
};

function place(): Place {
  const { folder, env } = newPlace();
  return { folder, env: { ...env, ...keys } };
}

const wires: readonly (readonly [model: string, path: string])[] = [
  ['openai/gpt-5', '/v1'],
  ['anthropic/claude-sonnet-4-5', '/v1'],
  ['google/gemini-2.5-pro', '/v1beta'],
  ['openrouter/openai/gpt-5', '/v1'],
  ['openai-compatible/mock', '/v1'],
];

const at = (path: string) =>
  Object.entries({ default: servers.solver, grader: servers.grader }).flatMap(([role, server]) => {
    const url = `${server?.url}${path}`;
    return ['--base-url', role === 'default' ? url : `${role}=${url}`];
  });

const asRoles = (model: string) => ['--model', model, '--model', `grader=${model}`];

test.each(wires)('%s proves', async (model, path) => {
  const argv = ['proof', 'solve', example('odd-squares.md'), '--passes', '2', '--json'];
  const { code, out, err } = await polya(place(), [...argv, ...asRoles(model), ...at(path)]);
  expect(code, err).toBe(0);
  const told = JSON.parse(out);
  expect(told).toMatchObject({ outcome: 'answered', accepted: true });
  expect(told.proof).toContain('Second proof of $1 < 2$.');
  expect(told.reports).toHaveLength(2);
});

test.each(wires.slice(0, 3))('%s checks a proof', async (model, path) => {
  const files = [example('odd-squares.md'), example('odd-squares-wrong.md')];
  const url = `${servers.verifier?.url}${path}`;
  const argv = ['proof', 'verify', ...files, '--model', model, '--base-url', url, '--json'];
  const { code, out, err } = await polya(place(), argv);
  expect(code, err).toBe(1);
  expect(JSON.parse(out).grading).toMatchObject({ pass: false, findings: [{ lines: { first: 3 } }] });
});
