/** What a run may use: changed while it goes on, or when it is resumed. */
import { useEffect, useState } from 'preact/hooks';
import type { Header } from '../core/event.ts';
import type { Json } from '../core/json.ts';
import { ActionDialog } from './act.tsx';
import { done, get } from './api.ts';
import { CommandForm } from './command-dialog.tsx';
import { typed } from './controls.tsx';
import { Dialog } from './dialog.tsx';
import { Fields, limitFields, type Typed, valuesOf } from './fields.tsx';
import { defaultLimits } from './fork-dialog.tsx';

type Props = { readonly run: string; readonly onClose: () => void };

/** By the option of the command. A fork alone has a time of its own. */
const options: Readonly<Record<string, string>> = {
  costUsd: '--budget',
  tokens: '--max-tokens',
  toolCalls: '--max-tool-calls',
};
const fields = limitFields.filter(({ name }) => Object.hasOwn(options, name));

export function LimitsDialog({ run, onClose }: Props) {
  const { changed, form } = useLimits(run);
  const words = Object.entries(changed).map(([name, value]) => ` ${options[name]} ${value}`);
  return (
    <CommandForm
      title="What this run may use"
      about="It keeps to it within a second, and after a resume too. What is spent already counts; its agent may still plan with the limits that it began with."
      command={typed(`polya runs limit ${run}${words.join('')}`)}
      act={{ verb: 'Set', onAct: () => done(`/runs/${run}/limits`, changed) }}
      onClose={onClose}
    >
      {form}
    </CommandForm>
  );
}

export function ResumeDialog({ run, onClose }: Props) {
  const { changed, form } = useLimits(run);
  return (
    <Dialog label="Resume" onClose={onClose}>
      <div class="form">
        <h1>Resume</h1>
        <p>
          The run goes on from its last event, as it was begun. What it has been told by models and tools is
          not asked for again. It lives in a process of its own: closing this page does not end it. One that
          ended at a limit of its own goes on in a fork (F), which has limits of its own.
        </p>
        <h2>What it may use</h2>
        {form}
      </div>
      <ActionDialog
        path={`/runs/${run}/resume`}
        body={{ limits: changed }}
        verb="Resume"
        changes={Object.entries(changed).map(([name, value]) => `limit ${name}: ${value}`)}
        onBegun={onClose}
        onCancel={onClose}
      />
    </Dialog>
  );
}

/** Fields for those that may be changed, with what holds now. */
function useLimits(run: string) {
  const [defaults, setUsual] = useState<Readonly<Record<string, Json>>>({});
  const [typed, setTyped] = useState<Typed>({});
  useEffect(() => {
    // Without what holds now they can be changed all the same.
    get<Pick<Header, 'limits'>>(`/runs/${run}/header`).then(
      (header) => setUsual(defaultLimits(header)),
      () => undefined,
    );
  }, [run]);
  return {
    changed: valuesOf(fields, typed),
    form: <Fields fields={fields} typed={typed} usual={defaults} onType={setTyped} />,
  };
}
