/** What a tool of the problem draws of a case, side by side: only when somebody asks, and as an image, in which no script runs. */
import { useState } from 'preact/hooks';
import type { Drawing, Drawings } from '../notes/panel.ts';
import { postJson, store } from './api.ts';
import { At, type BlockProps } from './block-parts.tsx';
import { typed } from './controls.tsx';

/** `drawn`: why not, where it is a text; null while it is being drawn. */
type DrawingState = { readonly label: string; readonly seq: number; readonly drawn: Drawing | string | null };

export function CaseDrawingsBlock({ run, block: { title, lacking, of, cases } }: BlockProps<Drawings>) {
  const [selected, setChosen] = useState('');
  const [shown, setShown] = useState<{ readonly name: string; readonly all: readonly DrawingState[] } | null>(
    null,
  );
  // While a search is at work, the order of the cases changes.
  const name = cases.includes(selected) ? selected : (cases[0] ?? '');
  const isBusy = shown?.all.some(({ drawn }) => drawn === null) ?? false;
  const draw = async (): Promise<void> => {
    let all: readonly DrawingState[] = of.map((each) => ({ ...each, drawn: null }));
    setShown({ name, all });
    for (const { seq } of of) {
      const picture = await postJson<Drawing>(`/runs/${run}/drawings`, { seq, case: name }).catch((error) =>
        String(error.message),
      );
      all = all.map((each) => (each.seq === seq ? { ...each, drawn: picture } : each));
      setShown({ name, all });
    }
  };
  const why =
    lacking ??
    (store.value?.isReadOnly ? typed('This page only shows: `polya ahc vis CASE FILE` draws.') : null);
  return (
    <figure class="drawings" aria-busy={isBusy}>
      <figcaption>
        <b>{title}</b>
      </figcaption>
      {why !== null ? (
        <p class="words soft">{why}</p>
      ) : (
        <p>
          <label>
            Case{' '}
            <select value={name} onChange={(event) => setChosen(event.currentTarget.value)}>
              {cases.map((each) => (
                <option key={each}>{each}</option>
              ))}
            </select>
          </label>{' '}
          <button type="button" aria-disabled={isBusy} onClick={() => !isBusy && draw()}>
            Draw {of.map(({ label }) => label).join(' and ')}
          </button>{' '}
          <span class="soft" role="status">
            {isBusy ? `Drawing case ${shown?.name} …` : shown ? `Case ${shown.name}` : 'in the sandbox, free'}
          </span>
        </p>
      )}
      {shown?.all.map(({ label, seq, drawn }) => (
        <div key={seq}>
          <At run={run} seq={seq}>
            {label}
          </At>{' '}
          {typeof drawn === 'string' ? (
            <p class="words bad" role="alert">
              {drawn}
            </p>
          ) : (
            drawn && <DrawingPicture {...drawn} label={`Case ${shown.name}, ${label}`} />
          )}
        </div>
      ))}
    </figure>
  );
}

function DrawingPicture({ about, picture, files, label }: Drawing & { readonly label: string }) {
  const [isCorrupt, setBroken] = useState(false);
  return (
    <>
      <small>{about}</small>
      {picture !== null && !isCorrupt ? (
        <img src={picture} alt={`${label}: ${about}`} onError={() => setBroken(true)} />
      ) : (
        <p class="soft">It is no picture that can be shown here.</p>
      )}
      {files.map((file) => (
        <button key={file.name} type="button" onClick={() => save(file)}>
          Save {file.name}
        </button>
      ))}
    </>
  );
}

/** By an address that no page of ours is opened at: a tool wrote it. */
function save({ name, base64 }: Drawing['files'][number]): void {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
