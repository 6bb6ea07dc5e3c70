/**
 * What its user says to a session that runs: hints hold from there on, questions are answered and change nothing,
 * settings are changed where they are valid. What came is an effect, so it holds from the same place again after a crash.
 */
import { z } from 'zod';
import type { Run } from '../../core/agent.ts';
import { LimitReached } from '../../core/errors.ts';
import { type EvolutionNotes, evolutionMailOf } from '../../core/evolution-notes.ts';
import { ask, opening } from './asking.ts';
import { Meter } from './draft.ts';
import { standingText } from './frame.ts';
import { type Search, write } from './search.ts';
import { changedSettings, modelSettingsOf } from './settings.ts';

export async function readMail(search: Search, run: Run): Promise<void> {
  for (const message of await run.inbox()) {
    const mail = evolutionMailOf(message);
    switch (mail.type) {
      case 'hint':
        takeHint(search, run, mail.text);
        break;
      case 'settings':
        takeSettings(search, run, mail.settings);
        break;
      case 'question':
        await answer(search, run, mail.text);
        break;
    }
  }
}

function takeHint(search: Search, run: Run, text: string): void {
  const hint = { number: search.hints.length + 1, text };
  search.hints.push(hint);
  write(run, 'hint', hint);
}

function takeSettings(search: Search, run: Run, settings: EvolutionNotes['changed']['settings']): void {
  const read = changedSettings.safeParse(settings);
  if (!read.success) {
    return write(run, 'rejected', { settings, because: z.prettifyError(read.error) });
  }
  const given = Object.keys(settings);
  // A default stands for what was never said, and nothing is changed by not being said.
  const changes = Object.fromEntries(Object.entries(read.data).filter(([name]) => given.includes(name)));
  search.settings = { ...search.settings, ...changes };
  write(run, 'changed', { settings });
}

/** A session without money for an answer has had a question, and goes on. */
async function answer(search: Search, run: Run, question: string): Promise<void> {
  const { problem, settings } = search;
  const { temperature: _, ...modelSettings } = modelSettingsOf(settings);
  const text = run.prompt('question', { question, standing: standingText(search) });
  try {
    const reply = await ask(run, new Meter(), {
      role: 'adviser',
      messages: [...opening(run, problem), { role: 'user', content: text }],
      settings: modelSettings,
    });
    write(run, 'answer', { question, text: reply.ok ? reply.text : reply.why });
  } catch (error) {
    if (!(error instanceof LimitReached)) throw error;
    write(run, 'answer', { question, text: `Nobody can be asked any more: ${error.message}` });
  }
}
