/** The head of a run's screen: how it stands or why it ended, its figures, and what can be done with it. */
import { useState } from 'preact/hooks';
import { withoutGold } from '../notes/note.ts';
import { stateName, stateWord } from '../notes/run-list.ts';
import { count, truncate } from '../text/format.ts';
import { Age } from './age.tsx';
import { copyStart, postAction, type Run } from './api.ts';
import { typed } from './controls.tsx';
import { hiddenShown, toggleHidden } from './hidden.tsx';
import { canResume } from './run-acts.ts';
import { State } from './states.tsx';
import { costOf, formatAgo, formatDuration, fullDate, tokensOf } from './words.ts';

/** What no model said is called that wherever a result is shown. */
function modelsOf({ models }: Run): string {
  const named = models.map(({ model, label }) => (label === null ? model : `${model} (${label})`));
  return [...new Set(named)].join(', ') || 'none';
}

/** Of its answer; all of it stands at the event of its end. */
const maxAnswerCharacters = 200;

export type RunDialog = 'fork' | 'resume' | 'limits' | 'stop' | 'replay' | 'export';

type HeaderProps = {
  readonly run: Run;
  readonly isReadOnly: boolean;
  readonly at: number | null;
  readonly onDialog: (dialog: RunDialog) => void;
};

export function Header({ run, isReadOnly, at, onDialog }: HeaderProps) {
  const { item } = run;
  const name = stateName(item);
  const [rejection, setRefusal] = useState<string | null>(null);
  const isEnded = item.state === 'ended';
  const isLive = !isReadOnly && item.state === 'running';
  const acts: readonly (readonly [isOffered: boolean, dialog: RunDialog, words: string, key: string])[] = [
    [copyStart === '', 'export', 'Export', 'E'],
    [copyStart === '' && item.state === 'ended', 'replay', 'Replay, free', 'P'],
    [!isReadOnly && canResume(item), 'resume', 'Resume …', 'R'],
    [!isReadOnly, 'fork', at === null ? 'Fork …' : `Fork from ${at} …`, 'F'],
    [isLive, 'limits', 'Limits …', 'L'],
    [isLive, 'stop', 'Stop …', 'S'],
  ];
  const send = async (what: 'tell' | 'answer', text: string): Promise<void> =>
    setRefusal(await postAction(run.id, what, text));
  const [first = '', ...rest] = whyOf(run).split(/(?<=[.!?])\s+/);
  const answer = isEnded && run.answer !== null ? truncate(run.answer, maxAnswerCharacters) : '';
  const entries: readonly (readonly [string, string])[] = [
    ['agent', item.agent],
    ['model', modelsOf(run)],
    ['host', item.host ?? ''],
    ['took', formatDuration(item.aliveMs)],
    ['', count(run.events, 'event')],
    ['', item.modelCalls === null ? '… model calls' : count(item.modelCalls, 'model call')],
    ['', run.totals.programs > 0 ? count(run.totals.programs, 'program') : ''],
    ['', `${tokensOf(item)} tokens`],
    ['cost', costOf(item)],
    ['', run.possiblyBilled > 0 && item.free === null ? `${run.possiblyBilled} possibly billed` : ''],
    ['', run.lives > 1 ? `resumed ${count(run.lives - 1, 'time')}` : ''],
  ];
  return (
    <header class="top">
      <p class="path">
        <a href="#/">Runs</a> › <code>{run.id}</code>
        {item.forkOf && (
          <>
            {' '}
            · fork of <a href={`#/runs/${item.forkOf.run}/${item.forkOf.seq}`}>{item.forkOf.run}</a> at event{' '}
            {item.forkOf.seq}
          </>
        )}
        <span class="space" />
        {item.forkOf && copyStart === '' && (
          <a class="button" href={`#/compare/${item.forkOf.run}/${run.id}`}>
            Compare with its parent <kbd>C</kbd>
          </a>
        )}
        {copyStart === '' && (
          <a class="button" href={`#/forks/${run.id}`}>
            Forks
          </a>
        )}
        {acts.map(
          ([isOffered, dialog, words, key]) =>
            isOffered && (
              <button
                key={key}
                type="button"
                class={dialog === 'fork' ? 'main' : ''}
                onClick={() => onDialog(dialog)}
              >
                {words} <kbd>{key}</kbd>
              </button>
            ),
        )}
      </p>
      <h1>
        <State name={name} label="" /> {item.title} <b class={`word ${name}`}>{stateWord(item)}</b>
      </h1>
      <p class="why">
        {answer !== '' && (
          <>
            <span class="soft">answer</span> <b class="answer">{answer}</b> ·{' '}
          </>
        )}
        <b>{first}</b> {rest.join(' ')}
      </p>
      {run.damage && (
        <p class="why bad">
          The journal is damaged at event {run.damage.seq}: {run.damage.reason}. What is before it is whole.
        </p>
      )}
      <p class="facts">
        {entries
          .filter(([, value]) => value !== '')
          .map(([label, value]) => (
            <span key={label + value}>
              {label} <b>{value}</b>
            </span>
          ))}
        <span title={`begun ${fullDate(item.createdAtMs)}`}>
          {isEnded ? 'ended' : 'begun'}{' '}
          <b>{formatAgo(isEnded ? item.lastAtMs : item.createdAtMs, Date.now())}</b>
        </span>
        {run.gold !== null && (
          <span title="Not shown to the model">
            gold answer{' '}
            <button type="button" aria-pressed={hiddenShown.value} onClick={toggleHidden}>
              <b>{hiddenShown.value ? run.gold : 'hidden'}</b> <kbd>G</kbd>
            </button>
          </span>
        )}
        {item.state === 'running' && <Age item={item} />}
      </p>
      {isLive && (
        <Words
          label={item.question === null ? 'Tell its agent something' : 'Answer'}
          command={typed(`polya runs ${item.question === null ? 'tell' : 'answer'} ${run.id}`)}
          onSend={(text) => send(item.question === null ? 'tell' : 'answer', text)}
        />
      )}
      {rejection !== null && (
        <p class="why bad" role="alert">
          {rejection}
        </p>
      )}
    </header>
  );
}

/** In a sentence: why it ended, what it asks, what it does. */
function whyOf({ item, explanation, gold }: Run): string {
  const why = (item.state === 'ended' && explanation) || item.question || item.now;
  return hiddenShown.value || item.outcome === 'solved' ? why : withoutGold(why, gold);
}

type WordsProps = {
  readonly label: string;
  readonly command: string;
  readonly onSend: (text: string) => Promise<void>;
};

function Words({ label, command, onSend }: WordsProps) {
  const [text, setText] = useState('');
  return (
    <form
      class="tell"
      onSubmit={async (event) => {
        event.preventDefault();
        await onSend(text);
        setText('');
      }}
    >
      <input
        value={text}
        aria-label={label}
        placeholder={`${label} …`}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <button type="submit" title={`${command} "…"`} disabled={text.trim() === ''}>
        Send
      </button>
    </form>
  );
}
