/** What stands beside a form that begins something: what it may cost, the command that does the same, and the last word. */
import { useEffect, useState } from 'preact/hooks';
import { formatDollars } from '../text/format.ts';
import { postJson } from './api.ts';
import { CopyButton } from './copy-button.tsx';
import { tokenWords } from './words.ts';

type Estimate = {
  readonly free: string | null;
  readonly turns: number;
  readonly tokens: number;
  readonly costUsd: number | null;
};

/** The shown part of the output of `--dry-run`. */
type Preview = {
  readonly command: string;
  readonly agent: string;
  readonly models: readonly {
    readonly role: string;
    readonly model: string;
    readonly kind: string;
    readonly label: string | null;
  }[];
  readonly limits: Readonly<Record<string, number>>;
  readonly decided: string | null;
  /** For a resumed run, a sentence. */
  readonly estimate: Estimate | string | null;
  readonly notices: readonly string[];
  readonly firstRequest: { readonly role: string; readonly messages: readonly unknown[] } | null;
};

type Props = {
  /** The path of the route. */
  readonly path: string;
  /** Without `dryRun`. */
  readonly body: object;
  /** `Fork` */
  readonly verb: string;
  readonly changes: readonly string[];
  readonly onBegun: (run: string) => void;
  readonly onCancel?: () => void;
};

export function ActionDialog({ path, body, verb, changes, onBegun, onCancel }: Props) {
  const [preview, setShown] = useState<Preview | null>(null);
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const question = JSON.stringify(body);
  // What was told is of these words alone.
  useEffect(() => {
    setShown(null);
    setProblem('');
  }, [question]);
  const send = async <T,>(dryRun: boolean, then: (told: T) => void): Promise<void> => {
    setBusy(true);
    setProblem('');
    try {
      then(await postJson<T>(path, { ...body, dryRun }));
    } catch (error) {
      setShown(null);
      setProblem(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  };
  const check = (): Promise<void> => send<Preview>(true, setShown);
  const begin = (): Promise<void> => send<{ run: string }>(false, ({ run }) => onBegun(run));
  return (
    <aside class="act">
      <h2>What changes</h2>
      {changes.length === 0 && <p class="soft">nothing</p>}
      <ul>
        {changes.map((change) => (
          <li key={change}>{change}</li>
        ))}
      </ul>
      <h2>What it may cost</h2>
      <div aria-live="polite">
        {!preview && problem === '' && (
          <p class="soft">{isBusy ? 'Looking …' : 'Show it first: that calls nothing, and costs nothing.'}</p>
        )}
        {preview && <PreviewView shown={preview} />}
        {problem !== '' && (
          <p class="bad" role="alert">
            {problem}
          </p>
        )}
      </div>
      <footer>
        {onCancel && (
          <button type="button" onClick={onCancel}>
            Cancel
          </button>
        )}
        {/* It keeps the focus while it looks: the next Tab reaches the button that begins. */}
        <button type="button" aria-busy={isBusy} onClick={() => !isBusy && check()}>
          Show, free
        </button>
        <button type="button" class="main" disabled={isBusy || preview === null} onClick={begin}>
          {preview ? `${verb}${priceOf(preview)}` : verb}
        </button>
      </footer>
    </aside>
  );
}

function PreviewView({ shown }: { readonly shown: Preview }) {
  const { command, models, estimate, notices, decided, firstRequest } = shown;
  return (
    <>
      <p class="price">{estimateText(estimate)}</p>
      {models.map(({ role, model, label }) => (
        <p key={role} class="soft">
          {role}: {model}
          {label && ` (${label})`}
        </p>
      ))}
      {[...notices, decided ?? ''].filter(Boolean).map((notice) => (
        <p key={notice}>{notice}</p>
      ))}
      <p class="soft">
        {firstRequest
          ? `The first to be asked is ${firstRequest.role}, with ${firstRequest.messages.length} messages.`
          : 'No model is asked at first.'}
      </p>
      <h2>
        The same in the terminal
        <span class="space" />
        <CopyButton words={command} />
      </h2>
      <pre class="command">{command}</pre>
    </>
  );
}

function estimateText(estimate: Preview['estimate']): string {
  if (estimate === null) return 'no model is asked';
  if (typeof estimate === 'string') return estimate;
  const { free, turns, tokens, costUsd } = estimate;
  if (free) return free;
  const cost =
    costUsd === null ? 'unknown: no price is known for this model' : `about ${formatDollars(costUsd)}`;
  return `${cost}; about ${tokenWords(tokens)} tokens if it takes ${turns} turns`;
}

/** On the button that pays. */
function priceOf({ models, estimate }: Preview): string {
  if (!models.some(({ kind }) => kind === 'live')) return ', free';
  if (typeof estimate === 'object' && typeof estimate?.costUsd === 'number')
    return ` and spend about ${formatDollars(estimate.costUsd)}`;
  return ' and pay what it costs';
}
