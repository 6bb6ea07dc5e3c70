/** What waits for a person in all runs: asked by an agent, or by a model whose place a person takes. */
import { useRef, useState } from 'preact/hooks';
import type { QuestionItem } from '../notes/page-items.ts';
import { done } from './api.ts';
import { Command } from './controls.tsx';
import { type ScreenProps, to, useKeys } from './keys.ts';
import { usePolling } from './looking.ts';
import { State } from './states.tsx';
import { formatAgo, fullDate } from './words.ts';

const lookEveryMs = 1_000;

const keyOf = ({ run, seq }: QuestionItem): string => `${run}/${seq}`;

type Waiting = { readonly questions: readonly QuestionItem[] };

export function Questions({ isReadOnly }: ScreenProps) {
  const [answeredCount, setAnswered] = useState(0);
  /** Typed answers that were not sent, by their question. */
  const [drafts, setDrafts] = useState<Readonly<Record<string, string>>>({});
  const list = useRef<HTMLElement>(null);
  const keysOf = ({ questions }: Waiting) => questions.map(keyOf).join();
  const { found, problem } = usePolling<Waiting>({
    path: () => '/questions',
    everyMs: lookEveryMs,
    again: [answeredCount],
    isAlike: (before, now) => keysOf(before) === keysOf(now),
  });
  const questions = found?.questions ?? null;
  const move = (by: number): void => {
    const fields = [...(list.current?.querySelectorAll<HTMLElement>('article') ?? [])];
    const at = fields.findIndex((field) => field.contains(document.activeElement));
    fields[Math.min(fields.length - 1, Math.max(0, at + by))]?.focus();
  };
  useKeys({
    j: ['next', () => move(1)],
    k: ['previous', () => move(-1)],
    Enter: [
      'answer it',
      () => document.activeElement?.querySelector<HTMLElement>('textarea, button')?.focus(),
    ],
    Escape: ['back', to('#/')],
  });
  if (!questions) return <main class="empty">{problem}</main>;
  const waiting = new Set(questions.map(keyOf));
  const missing = Object.entries(drafts).map(
    ([key, text]) =>
      text !== '' &&
      !waiting.has(key) && (
        <p key={key} class="bad" role="alert">
          It was answered elsewhere, or its run has ended. You had written: {text}
        </p>
      ),
  );
  if (questions.length === 0) {
    return (
      <main class="empty">
        <h1>Nothing waits for you</h1>
        {missing}
        <p>
          Runs whose model is <code>manual:http</code> ask here, and so do agents that have a question.{' '}
          <Command>polya ask "How much is 6 times 7?" --model manual:http</Command> asks at once.
        </p>
      </main>
    );
  }
  return (
    <main class="questions" ref={list}>
      <h1>
        {questions.length === 1 ? 'One question waits for you' : `${questions.length} questions wait for you`}
      </h1>
      {problem !== '' && <p class="bad">{problem}</p>}
      {missing}
      {questions.map((question) => (
        <Question
          key={keyOf(question)}
          question={question}
          isReadOnly={isReadOnly}
          onDone={() => setAnswered((times) => times + 1)}
          onDraft={(text) => setDrafts((before) => ({ ...before, [keyOf(question)]: text }))}
        />
      ))}
    </main>
  );
}

type Props = {
  readonly question: QuestionItem;
  readonly isReadOnly: boolean;
  readonly onDone: () => void;
  readonly onDraft: (text: string) => void;
};

function Question({ question, isReadOnly, ...acts }: Props) {
  const { run, seq, title, problem, agent, place, kind, text, before, images, schema, tools } = question;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a question is reached by the keyboard.
    <article class="question" tabIndex={0} aria-label={`${title}, event ${seq}`}>
      <h2>
        <State name="waits" label="waits for you" />
        <a href={`#/runs/${run}/${seq}`}>{title}</a>
        <code>{problem}</code>
        <span class="soft">
          {kind === 'model' ? `in the place of the model: ${place}` : `${agent} asks`}
          {kind === 'question' && place !== '' && `, ${place}`}
        </span>
        <span class="space" />
        <small title={fullDate(question.atMs)}>{formatAgo(question.atMs, Date.now())}</small>
      </h2>
      {before !== '' && <Fold head="What was said before" words={before} />}
      <pre class="asked">{text}</pre>
      {images.map((source, at) => (
        <img key={String(at)} class="picture" src={source} alt={`${at + 1}, shown with the question`} />
      ))}
      {schema !== null && <Fold head="The answer must be JSON of this schema" words={schema} isOpen />}
      {tools.length > 0 && (
        <Fold
          head={`Tools that can be called: {"toolCalls": [{"name": "…", "args": {}}]}`}
          words={tools.join('\n\n')}
        />
      )}
      {!question.isAlive && (
        <p class="soft">The run is not at work: it reads the answer when it is resumed.</p>
      )}
      {isReadOnly ? (
        <p class="soft">This page only shows: it was started with --read-only.</p>
      ) : (
        <Answer question={question} {...acts} />
      )}
    </article>
  );
}

function Fold({ head, words, isOpen = false }: { head: string; words: string; isOpen?: boolean }) {
  return (
    <details class="fold" open={isOpen}>
      <summary>
        <b>{head}</b>
      </summary>
      <pre class="prose">{words}</pre>
    </details>
  );
}

function Answer({ question, onDone, onDraft }: Omit<Props, 'isReadOnly'>) {
  const { run, seq, choices, command } = question;
  const [text, setText] = useState('');
  const [rejection, setRefusal] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  const send = async (answer: string): Promise<void> => {
    if (answer.trim() === '' || isSending) return;
    setSending(true);
    onDraft('');
    const refused = await done(`/runs/${run}/questions/${seq}`, { answer: answerIn(answer, question) });
    setSending(false);
    setRefusal(refused);
    if (refused === null) onDone();
    else onDraft(text);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        send(text);
      }}
    >
      {choices.length > 0 && (
        <p class="choices">
          {choices.map((choice) => (
            <button key={choice} type="button" disabled={isSending} onClick={() => send(choice)}>
              {choice}
            </button>
          ))}
        </p>
      )}
      <textarea
        rows={4}
        value={text}
        aria-label="Answer"
        placeholder="Answer …"
        onInput={({ currentTarget: { value } }) => {
          setText(value);
          onDraft(value);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send(text);
        }}
      />
      <p class="send">
        <button type="submit" class="main" disabled={text.trim() === '' || isSending}>
          Answer <kbd>Ctrl Enter</kbd>
        </button>
        <code class="soft">{command}</code>
      </p>
      {rejection !== null && (
        <p class="bad" role="alert">
          {rejection}
        </p>
      )}
    </form>
  );
}

/** In a model's place an answer may be more than a text: calls of tools, as JSON. */
function answerIn(answer: string, { kind, schema }: QuestionItem): unknown {
  if (kind === 'question' || schema !== null || !/^\s*\{/.test(answer)) return answer;
  try {
    return JSON.parse(answer);
  } catch {
    return answer;
  }
}
