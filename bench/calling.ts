/** The least agent: it asks a model so many times, each question short and new; and the model that answers at once. */

import { z } from 'zod';
import { defineAgent } from '../src/core/define.ts';
import type { Model, ModelRequest } from '../src/core/model.ts';
import { scriptedModel } from '../src/models/scripted.ts';

const settingsSchema = z.object({ steps: z.int() });

export const callingAgent = defineAgent({
  name: 'calling',
  settings: settingsSchema,
  needs: [],
  roles: ['solver'],
  prompts: {},
  async solve(_problem, run, { steps }) {
    for (let step = 0; step < steps; step += 1) await run.generate('solver', questionOf(step));
    return { end: 'stopped' };
  },
});

export const instantModel: Model = scriptedModel({
  id: 'bench',
  script: ({ index }) => `The answer to question ${index} is ${index * 7919}, as can be seen at once.`,
});

export function questionOf(step: number): ModelRequest {
  return { messages: [{ role: 'user', content: `Question ${step}: what is ${step} times 7919?` }] };
}
