/** What the app of a run tells of it, and the way there and back: the page knows no family, it draws blocks. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Block, Panel } from '../notes/panel.ts';
import { get } from './api.ts';
import { Blocks } from './blocks.tsx';
import { to, useKeys } from './keys.ts';
import sheet from './panels.css?inline';
import { adoptStyleSheet } from './states.tsx';

adoptStyleSheet(sheet);

type Props = {
  readonly run: string;
  readonly lastSeq: number;
  readonly isShown: boolean;
  readonly opened: number | null;
};

export function Panels({ run, lastSeq, isShown, opened }: Props) {
  const { panels, problem } = usePanels(run, lastSeq, isShown);
  const [showsDigits, setShowsDigits] = useState(false);
  const events = `#/runs/${run}`;
  const exists = isShown || panels.length > 0;
  const showsGrids = isShown && panels.some(({ aside = [], blocks }) => hasGrids([...aside, ...blocks]));
  useKeys({
    v: ['its events, or what its app tells of it', exists && to(isShown ? events : `${events}/panels`)],
    d: ['digits on the cells of grids', showsGrids && (() => setShowsDigits(!showsDigits))],
  });
  if (!exists) return null;
  const title = panels.length === 1 ? panels[0]?.title : 'Panels';
  return (
    <>
      <nav class="views" aria-label="Views of the run">
        <a href={events} aria-current={isShown ? undefined : 'page'}>
          Events {isShown && <kbd>V</kbd>}
        </a>
        <a href={`${events}/panels`} aria-current={isShown ? 'page' : undefined}>
          {title} {!isShown && <kbd>V</kbd>}
        </a>
        {showsGrids && (
          <button type="button" aria-pressed={showsDigits} onClick={() => setShowsDigits(!showsDigits)}>
            Digits on cells <kbd>D</kbd>
          </button>
        )}
      </nav>
      {isShown && opened !== null && <Opened key={opened} run={run} seq={opened} />}
      {isShown && (
        <div class={`panels ${showsDigits ? 'digits' : ''}`}>
          {problem !== '' && (
            <p class="bad" role="alert">
              {problem}
            </p>
          )}
          {panels.map((panel, at) => (
            <section key={String(at)} class="panel" aria-label={panel.title}>
              {panels.length > 1 && <h2>{panel.title}</h2>}
              <Sentence words={panel.sentence} />
              <div class={panel.aside?.length ? 'two' : ''}>
                {panel.aside && (
                  <div class="aside">
                    <Blocks run={run} blocks={panel.aside} />
                  </div>
                )}
                <div>
                  <Blocks run={run} blocks={panel.blocks} />
                </div>
              </div>
            </section>
          ))}
        </div>
      )}
    </>
  );
}

/** What a drawing opens stands before it; an event of which nothing more is told is shown as it is. */
function Opened({ run, seq }: { readonly run: string; readonly seq: number }) {
  const [panel, setPanel] = useState<Panel | null>(null);
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    const event = `#/runs/${run}/${seq}`;
    get<{ readonly panels: readonly Panel[] }>(`/runs/${run}/panels?event=${seq}`).then(
      ({ panels: [panel] }) => (panel ? setPanel(panel) : location.replace(event)),
      () => location.replace(event),
    );
    box.current?.focus();
  }, []);
  return (
    <aside ref={box} class="opened" aria-label={panel?.title} tabIndex={-1}>
      <h2>
        {panel?.title}
        <span class="space" />
        <a class="link" href={`#/runs/${run}/${seq}`}>
          event {seq}
        </a>
        <a class="button" href={`#/runs/${run}/panels`}>
          Close <kbd>Esc</kbd>
        </a>
      </h2>
      {panel && <Sentence words={panel.sentence} />}
      {panel && <Blocks run={run} blocks={panel.blocks} />}
    </aside>
  );
}

function hasGrids(blocks: readonly Block[]): boolean {
  return blocks.some((block) => block.kind === 'grids' || (block.kind === 'part' && hasGrids(block.blocks)));
}

/** The state comes first, the reason behind it. */
function Sentence({ words }: { readonly words: string }) {
  const [first = ''] = /^.*?[.!?](?=\s|$)/s.exec(words) ?? [words];
  return (
    <p class="sentence">
      <b>{first}</b>
      {words.slice(first.length)}
    </p>
  );
}

/** Of a run that goes on they are asked for again, when something is new and not at once. */
const pauseMs = 1_500;

function usePanels(run: string, lastSeq: number, isVisible: boolean) {
  const [told, setTold] = useState<{ readonly panels: readonly Panel[]; readonly problem: string }>(none);
  const [isAsking, setAsking] = useState(false);
  const asked = useRef({ seq: 0, atMs: 0 });
  // Until they are looked at it is enough to know that there are some.
  const isRequested = isVisible || told.panels.length === 0;
  useEffect(() => {
    if (!isRequested || isAsking || asked.current.seq >= lastSeq) return;
    const poll = async (): Promise<void> => {
      asked.current = { seq: lastSeq, atMs: Date.now() };
      setAsking(true);
      try {
        const { panels } = await get<{ readonly panels: readonly Panel[] }>(`/runs/${run}/panels`);
        setTold({ panels, problem: '' });
      } catch (error) {
        setTold(({ panels }) => ({
          panels,
          problem: error instanceof Error ? error.message : String(error),
        }));
      }
      setAsking(false);
    };
    const timer = setTimeout(poll, Math.max(0, asked.current.atMs + pauseMs - Date.now()));
    return () => clearTimeout(timer);
  }, [run, lastSeq, isRequested, isAsking]);
  return told;
}

const none = { panels: [], problem: '' };
