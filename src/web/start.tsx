/** A new run, from a form that families and agents make: any agent on any problem that offers what it needs. */
import { useState } from 'preact/hooks';
import { ActionDialog } from './act.tsx';
import { EmptyState, Select } from './controls.tsx';
import { Fields, Fold, limitFields, type Parts, parseAssignments, type Typed, valuesOf } from './fields.tsx';
import { to, useKeys } from './keys.ts';
import { usePolling } from './looking.ts';
import { list } from './run-list.ts';

export function StartScreen() {
  const { found: parts, problem: failure } = usePolling<Parts>({ path: () => '/parts' });
  const [family, setFamily] = useState('qa');
  const [form, setForm] = useState(0);
  const [problem, setProblem] = useState<Typed>({});
  const [agent, setAgent] = useState('');
  const [settings, setSettings] = useState<Typed>({});
  const [model, setModel] = useState('');
  const [modelSettings, setModelSettings] = useState('');
  const [limits, setLimits] = useState<Typed>({});
  useKeys({ Escape: ['back', to('#/')] });
  if (!parts) return <EmptyState problem={failure} />;
  const selected = parts.families.find(({ name }) => name === family);
  const forms = selected?.problem ?? [];
  const fields = forms[form] ?? [];
  const matching = parts.agents.filter(({ name }) => selected?.fits[name] !== 'none');
  const part = matching.find(({ name }) => name === agent) ?? matching[0];
  const settingFields = part?.settings ?? [];
  const known = (list.value?.facets.model ?? []).map(([name]) => name).toSorted();
  const body = {
    family,
    agent: part?.name ?? '',
    problem: valuesOf(fields, problem),
    models: model.trim() === '' ? {} : { default: model.trim() },
    modelSettings: parseAssignments(modelSettings),
    settings: valuesOf(settingFields, settings),
    limits: valuesOf(limitFields, limits),
  };
  const changes = [
    `${part?.name} on a problem of ${family}`,
    ...(model.trim() === '' ? [] : [`model ${model}`]),
    ...Object.entries(settings).map(([name, value]) => `${name}: ${value}`),
    ...Object.entries(limits).map(([name, value]) => `limit ${name}: ${value}`),
  ];
  return (
    <main class="start">
      <form class="form" onSubmit={(event) => event.preventDefault()}>
        <p class="path">
          <a href="#/">Runs</a> › new
        </p>
        <h1>A new run</h1>
        <div class="fields">
          <Select
            head="Family"
            about="whose problem"
            value={family}
            options={parts.families.map(({ name }) => name)}
            onPick={(name) => {
              setFamily(name);
              setForm(0);
              setProblem({});
            }}
          />
          {forms.length > 1 && (
            <Select
              head="The problem is"
              about="how it is named"
              value={String(form)}
              options={forms.map((each, index) => [String(index), wordsOf(each)])}
              onPick={(index) => {
                setForm(Number(index));
                setProblem({});
              }}
            />
          )}
        </div>
        <Fields fields={fields.filter(({ required }) => required)} typed={problem} onType={setProblem} />
        {fields.some(({ required }) => !required) && (
          <Fold title="More of the problem">
            <Fields fields={fields.filter(({ required }) => !required)} typed={problem} onType={setProblem} />
          </Fold>
        )}
        <div class="fields">
          <Select
            head="Agent"
            about="who solves it"
            value={part?.name ?? ''}
            options={matching.map(({ name }) => name)}
            onPick={(name) => {
              setAgent(name);
              setSettings({});
            }}
          />
          <label>
            <b>Model</b> <small>of all roles</small>
            <input
              list="models"
              placeholder="openai/gpt-5.1"
              value={model}
              onInput={(event) => setModel(event.currentTarget.value)}
            />
            <small>Empty: the one of POLYA_MODEL or polya.config.ts</small>
            <datalist id="models">
              {known.map((each) => (
                <option key={each} value={each} />
              ))}
            </datalist>
          </label>
        </div>
        <Fold title={`Settings of ${part?.name}`} count={Object.keys(settings).length}>
          <Fields fields={settingFields} typed={settings} onType={setSettings} />
        </Fold>
        <details>
          <summary>Settings of the model</summary>
          <label>
            <small>one a line: effort=high, solver.temperature=0.2</small>
            <textarea
              rows={2}
              aria-label="Settings of the model"
              value={modelSettings}
              onInput={(event) => setModelSettings(event.currentTarget.value)}
            />
          </label>
        </details>
        <details open>
          <summary>Limits</summary>
          <Fields fields={limitFields} typed={limits} onType={setLimits} />
        </details>
      </form>
      <ActionDialog
        path="/runs"
        body={body}
        verb="Begin"
        changes={changes}
        onBegun={(run) => {
          location.hash = `#/runs/${run}`;
        }}
      />
    </main>
  );
}

/** A form by what it needs. */
function wordsOf(fields: Parts['families'][number]['problem'][number]): string {
  const needed = fields.filter(({ required }) => required).map(({ name }) => name);
  return (needed.length > 0 ? needed : fields.slice(0, 3).map(({ name }) => name)).join(', ');
}
