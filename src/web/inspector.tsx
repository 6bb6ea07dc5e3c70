/** One event whole: what was sent and said, a program with what it printed, else the event as it stands in the journal. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Json, JsonObject } from '../core/json.ts';
import type { EventItem } from '../notes/page-items.ts';
import { field, isObject, list, text } from '../text/json.ts';
import { type FoundEvent, fetchEvent } from './api.ts';
import { copyText, notCopied } from './copy-button.tsx';
import { inWords, plain } from './events.ts';
import { Hidden, toVisibleEvent, type VisibleEvent } from './hidden.tsx';
import { useKeys } from './keys.ts';
import { formatDuration } from './words.ts';

type Props = { readonly run: string; readonly seq: number | null; readonly events: readonly EventItem[] };

export function Inspector({ run, seq, events }: Props) {
  const [isRaw, setRaw] = useState(false);
  const box = useRef<HTMLElement>(null);
  const item = events.find((event) => event.seq === seq);
  const other = item && pairedEvent(item, events);
  const numbers = [seq, other?.seq].filter((each) => typeof each === 'number').toSorted((a, b) => a - b);
  const { whole, problem } = useFullEvents(numbers.map((number) => [run, number]));
  const found = whole.filter((each) => each !== null);
  // A conversation opens at its end; what comes later moves nothing.
  useEffect(() => {
    const { current } = box;
    const isTalk = found.some(({ event }) => event.kind === 'model-request');
    const last = isTalk && current?.querySelector('.fold[open]');
    if (current)
      current.scrollTop = last
        ? last.getBoundingClientRect().top - current.getBoundingClientRect().top + current.scrollTop - 40
        : 0;
  }, [found[0]?.event.seq]);
  // What is read and copied is what is shown.
  const visible = found.map(toVisibleEvent);
  /** Null until it was tried. */
  const [isCopied, setCopied] = useState<boolean | null>(null);
  useEffect(() => setCopied(null), [seq]);
  const copy = async (): Promise<void> => setCopied(await copyText(JSON.stringify(visible, null, 2)));
  useKeys({
    '.': ['the event as it stands in the journal', item && (() => setRaw(!isRaw))],
    y: ['copy the event', item && (() => void copy())],
  });
  if (!item) {
    return (
      <aside class="inspector">
        <p class="soft">Choose an event at the left, or a bar above.</p>
      </aside>
    );
  }
  return (
    <aside ref={box} class="inspector" aria-label={`Event ${item.seq}`}>
      <h2 class="at-hand">
        Event {item.seq}{' '}
        <small>
          {item.branch || 'main'} · {item.kind}
        </small>
        <span class="space" />
        <button type="button" aria-pressed={isRaw} onClick={() => setRaw(!isRaw)}>
          Raw <kbd>.</kbd>
        </button>
        <button type="button" onClick={copy}>
          {isCopied ? 'Copied' : 'Copy'} <kbd>Y</kbd>
        </button>
      </h2>
      {problem !== '' && <p class="bad">{problem}</p>}
      {isCopied === false && <p role="status">{notCopied}</p>}
      <Hidden places={found.flatMap(({ hidden }) => hidden)} />
      {isRaw ? (
        <pre>{JSON.stringify(visible, null, 2)}</pre>
      ) : (
        visible.map((event) => <FullEvent key={event.seq} event={event} />)
      )}
    </aside>
  );
}

/** Events by their runs and numbers, in their order: null where there is no number. Until they have come, those before. */
export function useFullEvents(named: readonly (readonly [run: string, seq: number | undefined])[]) {
  const [all, setWhole] = useState<readonly (FoundEvent | null)[]>([]);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    let isCurrent = true;
    Promise.all(named.map(([run, seq]) => (seq === undefined ? null : fetchEvent(run, seq)))).then(
      (found) => {
        if (!isCurrent) return;
        setWhole(found);
        setProblem('');
      },
      (error) => isCurrent && setProblem(String(error.message)),
    );
    return () => {
      isCurrent = false;
    };
  }, [JSON.stringify(named)]);
  return { whole: all, problem };
}

/** The other half of an effect. */
function pairedEvent(item: EventItem, events: readonly EventItem[]): EventItem | undefined {
  if (item.ordinal === null) return undefined;
  return events.find(
    (each) =>
      each !== item &&
      each.branch === item.branch &&
      each.ordinal === item.ordinal &&
      each.attempt === item.attempt &&
      each.effect === item.effect,
  );
}

function FullEvent({ event }: { readonly event: VisibleEvent }) {
  const { body } = event;
  const result = field(body, 'result');
  switch (event.kind) {
    case 'model-request':
      return (
        <>
          {list(body, 'messages').map((message, index, all) => (
            <Message key={String(index)} message={message} isOpen={index === all.length - 1} />
          ))}
        </>
      );
    case 'model-response':
      return result ? <Message message={field(result, 'message') ?? null} isOpen /> : <Failed body={body} />;
    case 'exec-start':
      return (
        <>
          <Fold head={`Program, ${text(body, 'language')}`} words={text(body, 'source')} isOpen isCode />
          {text(body, 'stdin') !== '' && <Fold head="Input" words={text(body, 'stdin')} isOpen isCode />}
        </>
      );
    case 'exec-end':
      return result ? <Steps result={result} /> : <Failed body={body} />;
    case 'tool-call':
      return <Fold head={text(body, 'name')} words={plain(field(body, 'args') ?? null)} isOpen isCode />;
    case 'tool-result':
      return result ? (
        <Fold head="Result" words={text(result, 'text')} isOpen isCode />
      ) : (
        <Failed body={body} />
      );
    case 'note':
      return <Fold head={text(body, 'kind')} words={inWords(field(body, 'data') ?? null)} isOpen isCode />;
    case 'check-start':
    case 'grade-start':
      return <Answer answer={field(body, 'answer')} />;
    case 'run-start':
    case 'run-fork':
      return <StartDetails body={body} />;
    case 'run-end':
      return <Ended body={body} />;
    default:
      return <Fold head={event.kind} words={inWords(body)} isOpen isCode />;
  }
}

/** The statement first; then all that the run was begun with, each by its name. */
function StartDetails({ body }: { readonly body: Json }) {
  const { statement, ...problem } = objectOf(field(body, 'problem'));
  return (
    <>
      <Message message={{ role: 'statement', content: statement ?? [] }} isOpen />
      {Object.entries({ ...objectOf(body), problem }).map(([name, value]) => (
        <Fold key={name} head={name} words={plain(value ?? null)} isCode />
      ))}
    </>
  );
}

function Answer({ answer }: { readonly answer: Json | undefined }) {
  const grids = list(answer, 'attempts').flatMap((created, test) =>
    (Array.isArray(created) ? created : []).map(
      (grid, attempt) => `Test ${test + 1}, attempt ${attempt + 1}:\n${inWords(grid)}`,
    ),
  );
  const words = text(answer, 'text') || text(answer, 'source') || grids.join('\n\n');
  return <Fold head="Answer" words={words} isOpen isCode={text(answer, 'type') !== 'text'} />;
}

/** What was handed in, and how it was graded; then the rest. */
function Ended({ body }: { readonly body: Json }) {
  const { solution, grade, ...rest } = objectOf(body);
  const { answer, ...how } = objectOf(solution);
  return (
    <>
      {answer && <Answer answer={answer} />}
      {grade && <Fold head="Grade" words={inWords(grade)} isOpen isCode />}
      {/* Without an answer, the cause is what there is to read. */}
      <Fold head={text(body, 'outcome')} words={inWords({ ...rest, ...how })} isOpen={!answer} isCode />
    </>
  );
}

function objectOf(value: Json | undefined): JsonObject {
  return value !== undefined && isObject(value) ? value : {};
}

function Failed({ body }: { readonly body: Json }) {
  const message = text(field(body, 'error'), 'message') || text(body, 'status');
  return <p class="bad">{message}</p>;
}

function Message({ message, isOpen }: { readonly message: Json; readonly isOpen: boolean }) {
  const content = field(message, 'content');
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : list(message, 'content');
  return (
    <>
      {parts.map((part, index) => {
        const type = text(part, 'type');
        const role = text(message, 'role');
        if (type === 'image') {
          const source = `data:${text(part, 'mediaType')};base64,${text(part, 'data')}`;
          return (
            <img
              key={String(index)}
              class="picture"
              src={source}
              alt={`shown to the model: part ${index + 1}`}
            />
          );
        }
        if (type === 'tool-call') {
          return (
            <Fold
              key={String(index)}
              head={`calls ${text(part, 'name')}`}
              words={plain(field(part, 'args') ?? null)}
              isOpen={isOpen}
              isCode
            />
          );
        }
        const head = type === 'reasoning' ? `${role}, thinking` : role;
        const words = text(part, 'text') || plain(part);
        return <Fold key={String(index)} head={head} words={words} isOpen={isOpen && role !== 'system'} />;
      })}
    </>
  );
}

function Steps({ result }: { readonly result: Json }) {
  return (
    <>
      {['compile', 'run'].map((name) => {
        const step = field(result, name);
        if (!step) return null;
        const verdict = text(step, 'verdict');
        const cpu = field(step, 'cpuMs');
        const wall = field(step, 'wallMs');
        const times = [
          typeof wall === 'number' ? `wall ${formatDuration(wall)}` : '',
          typeof cpu === 'number' ? `CPU ${formatDuration(cpu)}` : '',
        ].filter(Boolean);
        return (
          <div key={name}>
            <p>
              <b class={verdict === 'ok' ? 'good' : 'bad'}>
                {name}: {verdict}
              </b>{' '}
              <span class="soft">{times.join(', ')}</span>
            </p>
            <Fold head="Standard output" words={text(field(step, 'stdout'), 'text')} isOpen isCode />
            <Fold head="Standard error" words={text(field(step, 'stderr'), 'text')} isOpen isCode />
          </div>
        );
      })}
    </>
  );
}

type FoldProps = {
  readonly head: string;
  readonly words: string;
  readonly isOpen?: boolean;
  readonly isCode?: boolean;
};

/** As much as a fold shows at once. */
const mostLines = 24;
const mostCharacters = 4_000;

function Fold({ head, words, isOpen = false, isCode = false }: FoldProps) {
  if (words === '') return <p class="soft">{head}: nothing</p>;
  const lines = words.split('\n').length;
  const [isComplete, setWhole] = useState(false);
  return (
    <details class="fold" open={isOpen}>
      <summary>
        <b>{head}</b> <span class="cut soft">{words.slice(0, 200)}</span>
        <small>{lines === 1 ? '1 line' : `${lines} lines`}</small>
      </summary>
      <pre class={`${isCode ? 'code' : 'prose'} ${isComplete ? 'whole' : ''}`}>{words}</pre>
      {(lines > mostLines || words.length > mostCharacters) && (
        <button type="button" aria-pressed={isComplete} onClick={() => setWhole(!isComplete)}>
          {isComplete ? 'Fold it' : `Unfold all ${lines === 1 ? 'of it' : `${lines} lines`}`}
        </button>
      )}
    </details>
  );
}
