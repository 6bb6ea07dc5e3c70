/** A strategy as an agent of its own: the same function as in the ensemble, with nothing before it and no vote behind. */
import type { Run, Solution } from '../../core/agent.ts';
import type { Problem } from '../../core/problem.ts';
import type { SampleNote } from '../../notes/ensemble.ts';
import { type Found, Meter, type Reason, sampleOf, type Task } from './asking.ts';
import { type CallSettings, modelSettingsOf } from './settings.ts';

export async function alone(
  strategy: SampleNote['strategy'],
  { problem, run, settings }: { problem: Problem; run: Run; settings: CallSettings },
  work: (task: Task) => Promise<Found>,
): Promise<Solution> {
  const meter = new Meter();
  const modelSettings = modelSettingsOf(settings);
  const { reminders } = settings;
  const task: Task = { problem, run, modelSettings, meter, reminders, hints: [], asides: [] };
  const sample = await sampleOf(strategy, () => work(task));
  run.note('sample', { ...sample, number: 0, name: '', tokens: meter.tokens });
  const detail = sample.detail === '' ? {} : { detail: sample.detail };
  if (sample.answer) return { end: 'answered', answer: sample.answer, ...detail };
  return { end: ends[sample.failed ?? 'no-answer'], ...detail };
}

const ends: Readonly<Record<Reason, Solution['end']>> = {
  program: 'gave-up',
  steps: 'gave-up',
  'no-answer': 'malformed',
  model: 'malformed',
  refused: 'refused',
  limit: 'gave-up',
  unavailable: 'gave-up',
};
