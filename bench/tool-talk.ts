/**
 * A long conversation of realistic sizes for the real tool loop: in each turn the model says something and calls one of
 * four tools with code in its arguments, and the tool answers. Everything is drawn from the number of the turn.
 */
import { z } from 'zod';
import type { JsonObject } from '../src/core/json.ts';
import type { Model } from '../src/core/model.ts';
import type { EffectContext, Tool, ToolResult } from '../src/core/problem.ts';
import { scriptedModel } from '../src/models/scripted.ts';
import { between, chanceFrom, codeOf, proseOf } from './speech.ts';

/** Ends the stage, and with it the run, at the last turn. */
export function talkTools(turns: number): Tool[] {
  const call = async (_args: JsonObject, { past }: EffectContext): Promise<ToolResult> => {
    const turn = past.length + 1;
    const text = proseOf(between(chanceFrom(turn * 3), 200, 2000), chanceFrom(turn * 5));
    const data = { status: 'ok', exitCode: 0, wallMs: turn };
    return { text, data, ...(turn === turns ? { advance: { to: null, statement: 'The end.' } } : {}) };
  };
  return [
    tool(
      'Run',
      'Runs a whole Python program in the sandbox and returns its status, stdout and stderr.',
      call,
    ),
    tool('ReadStatement', 'Returns the statement of the puzzle as it stands now, as Markdown.', call),
    tool('Submit', 'Submits an answer to the open part. A wrong one locks the account for a minute.', call),
    tool('DownloadInput', 'Downloads your puzzle input and shows its size and an excerpt.', call),
  ];
}

export const talkingModel: Model = scriptedModel({
  id: 'bench',
  script: ({ index }) => {
    const text = proseOf(between(chanceFrom(index * 7), 200, 1500), chanceFrom(index * 11));
    const code = codeOf(between(chanceFrom(index * 13), 500, 3000), chanceFrom(index * 17));
    return { text, toolCalls: [{ name: 'Run', args: { year: 2031, day: 7, lang: 'python', code } }] };
  },
});

function tool(name: string, description: string, call: Tool['call']): Tool {
  const parameters = z.object({
    year: z.int().describe('The year of the puzzle.'),
    day: z.int().describe('The day of the puzzle, 1 to 25.'),
    lang: z.string().optional().describe('Always python in this run.'),
    code: z.string().optional().describe('The whole source of the program.'),
  });
  return { name, description, parameters, repeat: 'safe', call };
}
