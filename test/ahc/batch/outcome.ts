/** Sessions of a batch that have come to their end, written by hand. */
import type { BatchOutcome } from '../../../src/apps/ahc/batch/result.ts';
import { evaluation } from '../session/journals.ts';

export const header = (kind: 'live' | 'script') => ({ default: { spec: 'a/b', kind } }) as never;

export function outcome(combination: number, repeat: number, more: Partial<BatchOutcome> = {}): BatchOutcome {
  return {
    ...{
      session: `s${combination}-${repeat}`,
      folder: '/f',
      problem: 'p',
      workspace: '/w',
      combination,
      repeat,
    },
    text: combination === 0 ? '' : 'islands=2',
    direction: 'maximise',
    scoring: 'relative',
    ...{
      cases: evaluation([50 + combination * 40 + repeat]).cases,
      isHeldOut: true,
      isDone: true,
      isCutShort: false,
    },
    outcome: 'scored',
    why: null,
    best: 'x',
    score: 1.5,
    generations: 1,
    tokens: 10,
    knownTokens: 10,
    costUsd: 0.5,
    knownCostUsd: 0.5,
    aliveMs: 1000,
    models: header('live'),
    ...more,
  };
}
