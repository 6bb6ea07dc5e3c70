/** Questions of its user's: answered from where the search stands. Nothing else changes by them. */
import type { Run } from '../../../core/agent.ts';
import { ask, opening } from '../asking.ts';
import { Meter } from '../draft.ts';
import { standingText } from '../frame.ts';
import { type Search, write } from '../search.ts';
import { modelSettingsOf } from '../settings.ts';
import { orNobody } from './nobody.ts';

/** A session that nobody can answer in has had a question, and goes on. */
export async function answerTo(search: Search, run: Run, question: string): Promise<string> {
  const { problem, settings } = search;
  const { temperature: _, ...modelSettings } = modelSettingsOf(settings);
  const content = run.prompt('question', { question, standing: standingText(search) });
  const reply = await orNobody(() =>
    ask(run, new Meter(), {
      role: 'adviser',
      messages: [...opening(run, problem), { role: 'user', content }],
      settings: modelSettings,
    }),
  );
  const text = 'trouble' in reply ? `Nobody can be asked any more: ${reply.trouble}` : said(reply.value);
  write(run, 'answer', { question, text });
  return text;
}

const said = (reply: Awaited<ReturnType<typeof ask>>): string => (reply.ok ? reply.text : reply.why);
