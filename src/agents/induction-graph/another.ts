/**
 * The last call of a run whose hypotheses agree: one that reproduced the train pairs is looked at with what it makes of
 * the test inputs, and another rule is asked for that fits every train pair and makes something else of them. What it
 * gives is the second attempt; the first one, where the look finds that what was made does not follow from the rule.
 */
import type { Grid } from '../../core/problem.ts';
import { gridKey } from '../../grids/grid.ts';
import { note } from '../../notes/induction.ts';
import { deadEndOf, inText, type Line, recordGrids, requestReply } from './asking.ts';
import { executed, here, programmerMessages, wrapParts } from './programs.ts';
import { anotherForms, readAlternative } from './replies.ts';
import { bestCandidate, type Candidate, noOutputs, verify } from './state.ts';
import { instructorMessages } from './steps.ts';
import type { Hypothesis } from './vote.ts';
import { testParts } from './words.ts';

export type Another = { readonly hypothesis: Hypothesis; readonly isFirst: boolean };

/** Null where nothing else came of it. */
export async function requestAlternative(line: Line, agreed: Hypothesis): Promise<Another | null> {
  try {
    return await findAlternative(line, agreed);
  } catch (error) {
    if (deadEndOf(error)) return null;
    throw error;
  }
}

async function findAlternative(line: Line, agreed: Hypothesis): Promise<Another | null> {
  const { run, examples, settings } = line;
  const isProgram = agreed.name.startsWith('program');
  const before = bestCandidate(agreed.candidates)?.test ?? [];
  const created = before.map((grid) => ({ grid, error: null }));
  const words = run.prompt('review', { rule: agreed.rule, results: here });
  const { value } = await requestReply(line, {
    role: isProgram ? 'programmer' : 'instruction',
    messages: [
      ...(isProgram ? programmerMessages(line) : instructorMessages(line, 'checker')),
      wrapParts(`${words}${inText(line, 'reviewText')}`, testParts(examples, created, settings)),
    ],
    form: anotherForms[settings.grids],
    read: (reply) => ({ ok: true, value: readAlternative(reply, examples.queries.length) }),
  });
  const grids = value.program ? (await executed(line, value.program)).map(({ grid }) => grid) : null;
  const { train, test } = grids
    ? { train: grids.slice(0, examples.pairs.length), test: grids.slice(examples.pairs.length) }
    : { train: noOutputs(examples).train, test: value.test };
  // Instructions in words cannot be checked on the train pairs without another call.
  const { passed, score } = grids ? verify(examples, train) : { passed: true, score: 1 };
  const { follows, rule, rationale } = value;
  note(run, 'another', { follows, rule, rationale, score, test: recordGrids(line, test) });
  const isOther = test.some((grid, at) => grid && gridKey(grid) !== gridKey(before[at] ?? []));
  if (!isOther) return null;
  const candidate: Candidate = { step: 1, passed: false, score, test };
  const isComplete = test.every((grid): grid is Grid => grid !== null);
  const hypothesis = {
    name: 'another',
    status: 'completed',
    detail: '',
    steps: 1,
    rule,
    candidates: [candidate],
  } as const;
  return { hypothesis, isFirst: !follows && passed && isComplete };
}
