/** A fork at an event, with what is to be otherwise: hint, prompt, model, setting, limit. */
import { useEffect, useState } from 'preact/hooks';
import type { Header } from '../core/event.ts';
import type { EventItem } from '../notes/page-items.ts';
import { grouped } from '../text/format.ts';
import { ActionDialog } from './act.tsx';
import { get } from './api.ts';
import { Select } from './controls.tsx';
import { Dialog } from './dialog.tsx';
import { Difference } from './difference.tsx';
import { Fields, Fold, limitFields, type Parts, parseAssignments, type Typed, valuesOf } from './fields.tsx';

type RunStart = Pick<Header, 'agent' | 'models' | 'limits' | 'prompts'>;

type Props = {
  readonly run: string;
  readonly title: string;
  readonly events: readonly EventItem[];
  /** The event that is selected. */
  readonly at: number | null;
  readonly onClose: () => void;
};

export function ForkDialog({ run, title, events, at: selected, onClose }: Props) {
  const [header, setHeader] = useState<RunStart | null>(null);
  const [parts, setParts] = useState<Parts | null>(null);
  const [problem, setProblem] = useState('');
  const last = lastShared(events);
  const [at, setAt] = useState(String(Math.min(selected ?? last, last)));
  const [hint, setHint] = useState('');
  const [models, setModels] = useState<Typed>({});
  const [modelSettings, setModelSettings] = useState('');
  const [settings, setSettings] = useState<Typed>({});
  const [limits, setLimits] = useState<Typed>({});
  const [prompts, setPrompts] = useState<Typed>({});
  const [compares, setCompares] = useState(true);
  useEffect(() => {
    get<RunStart>(`/runs/${run}/header`).then(setHeader, (error) => setProblem(String(error.message)));
    // The fields of an agent of the user's own may not be known: its settings are told as they stand.
    get<Parts>('/parts').then(setParts, () => setParts({ agents: [], families: [] }));
  }, [run]);
  const agent = parts?.agents.find(({ name }) => name === header?.agent.name);
  const fields = agent?.settings ?? Object.keys(header?.agent.settings ?? {}).map(anyField);
  const changed = Object.fromEntries(
    Object.entries(prompts).filter(([name, words]) => words !== header?.prompts[name]),
  );
  const body = {
    ...(at.trim() === '' ? {} : { at: Number(at) }),
    ...(hint === '' ? {} : { hint }),
    models,
    modelSettings: parseAssignments(modelSettings),
    prompts: changed,
    settings: valuesOf(fields, settings),
    limits: valuesOf(limitFields, limits),
  };
  const shared = events.filter(({ seq }) => seq <= Number(at));
  const changes = [
    ...(hint === '' ? [] : [`hint: ${hint.length} characters`]),
    ...Object.keys(changed).map((name) => `prompt ${name}`),
    ...Object.entries(models).map(
      ([role, spec]) => `model of ${role}: ${header?.models[role]?.spec ?? 'none'} → ${spec}`,
    ),
    ...Object.entries(body.modelSettings).map(([name, value]) => `${name} of the model: ${value}`),
    ...Object.entries(settings).map(
      ([name, value]) => `${name}: ${JSON.stringify(header?.agent.settings[name] ?? null)} → ${value}`,
    ),
    ...Object.entries(limits).map(([name, value]) => `limit ${name}: ${value}`),
  ];
  const open = (fork: string): void => {
    onClose();
    location.hash = compares ? `#/compare/${run}/${fork}` : `#/runs/${fork}`;
  };
  const roles = [...new Set([...Object.keys(header?.models ?? {}), ...(agent?.roles ?? [])])];
  return (
    <Dialog label="Fork" onClose={onClose}>
      <form class="form" onSubmit={(event) => event.preventDefault()}>
        <h1>
          Fork after event{' '}
          <input
            class="short"
            type="number"
            min={1}
            max={last}
            aria-label="The last event that is shared"
            value={at}
            onInput={(event) => setAt(event.currentTarget.value)}
          />{' '}
          <small class="cut">{title}</small>
        </h1>
        <p class="soft cut">
          {grouped(shared.length)} of {grouped(events.length)} events are shared: stored once, paid once. The
          last of them: {shared.at(-1)?.text ?? 'none'}
        </p>
        {problem !== '' && <p class="bad">{problem}</p>}
        <label>
          <b>Hint</b> <small>a note that the agent reads first of all</small>
          <textarea rows={3} autoFocus value={hint} onInput={(event) => setHint(event.currentTarget.value)} />
        </label>
        {hint !== '' && <EventReading events={events} at={Number(at)} onMove={(seq) => setAt(String(seq))} />}
        {header && (
          <>
            <PromptEditor prompts={header.prompts} typed={prompts} onType={setPrompts} />
            <Fold title="Models" count={Object.keys(models).length}>
              <Fields
                fields={roles.map((role) => ({ ...anyField(role), type: 'text' }))}
                typed={models}
                usual={Object.fromEntries(
                  roles.map((role) => [role, header.models[role]?.spec ?? 'as default']),
                )}
                onType={setModels}
              />
              <label>
                <b>Settings of models</b> <small>one a line: effort=high, solver.temperature=0.2</small>
                <textarea
                  rows={2}
                  value={modelSettings}
                  onInput={(event) => setModelSettings(event.currentTarget.value)}
                />
              </label>
            </Fold>
            <Fold title={`Settings of ${header.agent.name}`} count={Object.keys(settings).length}>
              <Fields
                fields={fields.map((field) => ({ ...field, required: false }))}
                typed={settings}
                usual={definedIn(header.agent.settings)}
                onType={setSettings}
              />
            </Fold>
            <Fold title="Limits" count={Object.keys(limits).length}>
              <Fields fields={limitFields} typed={limits} usual={defaultLimits(header)} onType={setLimits} />
            </Fold>
          </>
        )}
        <label class="check">
          <input
            type="checkbox"
            checked={compares}
            onChange={(event) => setCompares(event.currentTarget.checked)}
          />{' '}
          open the comparison with its parent
        </label>
      </form>
      <ActionDialog
        path={`/runs/${run}/fork`}
        body={body}
        verb="Fork"
        changes={changes}
        onBegun={open}
        onCancel={onClose}
      />
    </Dialog>
  );
}

/** How a run was graded and ended is never shared. */
function lastShared(events: readonly EventItem[]): number {
  const ends: readonly EventItem['kind'][] = ['run-end', 'grade-start', 'grade-end'];
  return events.findLast(({ kind }) => !ends.includes(kind))?.seq ?? 1;
}

type ReadingProps = {
  readonly events: readonly EventItem[];
  readonly at: number;
  readonly onMove: (seq: number) => void;
};

/** Where the agent looks into its mailbox next: a hint after its last look stays unread. */
function EventReading({ events, at, onMove }: ReadingProps) {
  const looks = events.filter(({ effect }) => effect === 'inbox').map(({ seq }) => seq);
  const next = looks.find((seq) => seq > at);
  const last = looks.at(-1);
  if (next !== undefined)
    return <p class="soft">In its parent, the agent looked for notes next at event {next}.</p>;
  if (last === undefined)
    return <p class="warn">This agent looked for no notes: change a prompt instead of giving a hint.</p>;
  return (
    <p class="warn">
      After event {at} the parent's agent looked for no notes: the hint may stay unread.{' '}
      <button type="button" onClick={() => onMove(last - 1)}>
        Fork after {last - 1}
      </button>
    </p>
  );
}

type PromptEditorProps = {
  readonly prompts: Header['prompts'];
  readonly typed: Typed;
  readonly onType: (typed: Typed) => void;
};

function PromptEditor({ prompts, typed, onType }: PromptEditorProps) {
  const [name, setName] = useState(Object.keys(prompts)[0] ?? '');
  const before = prompts[name] ?? '';
  const now = typed[name] ?? before;
  const isChanged = (each: string): boolean => typed[each] !== undefined && typed[each] !== prompts[each];
  const count = Object.keys(typed).filter(isChanged).length;
  return (
    <details>
      <summary>
        Prompts <small>{count || ''}</small>
      </summary>
      <Select
        head="Prompt"
        value={name}
        options={Object.keys(prompts).map((each) => [each, `${each}${isChanged(each) ? ' (changed)' : ''}`])}
        onPick={setName}
      />
      <textarea
        class="prompt"
        rows={10}
        aria-label={`The prompt ${name}`}
        value={now}
        onInput={(event) => onType({ ...typed, [name]: event.currentTarget.value })}
      />
      {now !== before && <Difference a={before} b={now} />}
      <p class="soft">
        It is changed from the first line of the agent: what happened before the fork stands under the new
        prompt.
      </p>
    </details>
  );
}

function anyField(name: string) {
  return { name, type: 'any value', required: false, default: null, description: '' };
}

function definedIn(settings: Header['agent']['settings']) {
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, value ?? null]));
}

export function defaultLimits({ limits }: Pick<RunStart, 'limits'>) {
  const { costUsd = null, tokens = null, toolCalls = null, wallMs } = limits;
  return { costUsd, tokens, toolCalls, minutes: wallMs === undefined ? null : wallMs / 60_000 };
}
