/**
 * The last call of a run whose hypotheses agree: one that reproduced the train pairs is looked at with what it makes of
 * the test inputs, and another rule is asked for that fits every train pair and makes something else of them. What it
 * gives is the second attempt; the first one, where the look finds that what was made does not follow from the rule.
 */
import type { Grid } from '../../core/problem.ts';
import { gridKey } from '../../grids/grid.ts';
import { note } from '../../notes/induction.ts';
import { ask, deadEndOf, inText, type Line, notedGrids } from './asking.ts';
import { around, executed, here, programmerMessages } from './programs.ts';
import { anotherForms, readAnother } from './replies.ts';
import { type Candidate, handedIn, noOutputs, verify } from './state.ts';
import { instructorMessages } from './steps.ts';
import type { Hypothesis } from './vote.ts';
import { testParts } from './words.ts';

export type Another = { readonly hypothesis: Hypothesis; readonly isFirst: boolean };

/** Null where nothing else came of it. */
export async function askForAnother(line: Line, agreed: Hypothesis): Promise<Another | null> {
  try {
    return await anotherOf(line, agreed);
  } catch (error) {
    if (deadEndOf(error)) return null;
    throw error;
  }
}

async function anotherOf(line: Line, agreed: Hypothesis): Promise<Another | null> {
  const { run, examples, settings } = line;
  const isProgram = agreed.name.startsWith('program');
  const before = handedIn(agreed.candidates)?.test ?? [];
  const made = before.map((grid) => ({ grid, error: null }));
  const words = run.prompt('review', { rule: agreed.rule, results: here });
  const { value } = await ask(line, {
    role: isProgram ? 'programmer' : 'instruction',
    messages: [
      ...(isProgram ? programmerMessages(line) : instructorMessages(line, 'checker')),
      around(`${words}${inText(line, 'reviewText')}`, testParts(examples, made, settings)),
    ],
    form: anotherForms[settings.grids],
    read: (reply) => ({ ok: true, value: readAnother(reply, examples.queries.length) }),
  });
  const grids = value.program ? (await executed(line, value.program)).map(({ grid }) => grid) : null;
  const { train, test } = grids
    ? { train: grids.slice(0, examples.pairs.length), test: grids.slice(examples.pairs.length) }
    : { train: noOutputs(examples).train, test: value.test };
  // Instructions in words cannot be checked on the train pairs without another call.
  const { passed, score } = grids ? verify(examples, train) : { passed: true, score: 1 };
  const { follows, rule, rationale } = value;
  note(run, 'another', { follows, rule, rationale, score, test: notedGrids(line, test) });
  const isOther = test.some((grid, at) => grid && gridKey(grid) !== gridKey(before[at] ?? []));
  if (!isOther) return null;
  const candidate: Candidate = { step: 1, passed: false, score, test };
  const isWhole = test.every((grid): grid is Grid => grid !== null);
  const hypothesis = {
    name: 'another',
    status: 'completed',
    detail: '',
    steps: 1,
    rule,
    candidates: [candidate],
  } as const;
  return { hypothesis, isFirst: !follows && passed && isWhole };
}
