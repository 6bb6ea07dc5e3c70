/** Calls of the tools of Advent of Code: what their arguments mean, and what is refused before it has an effect. */
import { expect, test } from 'vitest';
import { isJsonObject, type Json, type JsonObject } from '../../src/core/json.ts';
import { answerOf, isOneValue, programOf, ToolMisuseError } from '../../src/families/aoc/arguments.ts';
import { parseToolArgs } from '../../src/models/reply.ts';
import { bare, type Case, casesOf, missesIn } from './suite.ts';

type Call = { readonly name: string; readonly args: Json };

function callOf({ reply }: Case): Call | null {
  const { toolCalls } = reply as unknown as { toolCalls: readonly Call[] };
  return toolCalls.length === 1 ? (toolCalls[0] ?? null) : null;
}

function argsOf({ args }: Call): JsonObject {
  const read = typeof args === 'string' ? parseToolArgs(args).args : args;
  if (!isJsonObject(read)) throw new ToolMisuseError('arguments', 'They cannot be read.');
  return read;
}

/** Null where it is refused. */
function meaningOf(call: Call): string | null {
  try {
    const args = argsOf(call);
    if (call.name === 'RunGeneratedCode') return programOf(args, []).source;
    const answer = answerOf(args);
    return isOneValue(answer) ? answer : null;
  } catch (error) {
    if (error instanceof ToolMisuseError) return null;
    throw error;
  }
}

// The year, the language and the number of inputs are the tools' own to judge, and are tested with them.
const ofOthers = new Set(['tool-loop-11', 'tool-loop-15', 'tool-loop-40']);

test.each(['RunGeneratedCode', 'SubmitAnswer'])('calls of %s', (name) => {
  const cases = casesOf('tool-loop').filter((each) => callOf(each)?.name === name && !ofOthers.has(each.id));
  expect(cases.length).toBeGreaterThan(10);
  const misses = missesIn(cases, (each) => {
    const call = callOf(each);
    const meant = each.takes.means;
    const read = call && meaningOf(call);
    if (!isJsonObject(meant)) return read === null;
    return read !== null && bare(read) === bare(String(meant.code ?? meant.answer));
  });
  expect(misses).toEqual([]);
});
