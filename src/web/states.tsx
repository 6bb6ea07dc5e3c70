/** How a run stands, by shape, colour and word. */
import type { RunStateName } from '../notes/run-list.ts';

/** `queued`: a row of a run-set whose run has not begun. */
export type StateName = RunStateName | 'queued';

/** In a box of 14 by 14; drawn anew each time: an element that is kept keeps all that Preact ever drew around it. */
const shapes: Readonly<Record<StateName, () => preact.JSX.Element>> = {
  waits: () => (
    <>
      <path class="fill" d="M1 2h12v8H7l-3 3v-3H1z" />
      <path class="mark" d="M5.5 4.5a1.5 1.5 0 1 1 2 1.4c-.4.2-.5.4-.5.9M7 8.4v.2" />
    </>
  ),
  running: () => (
    <>
      <circle class="ring" cx="7" cy="7" r="5" />
      <path class="arc" d="M7 2a5 5 0 0 1 5 5" />
    </>
  ),
  interrupted: () => (
    <>
      <circle class="line" cx="7" cy="7" r="5" />
      <path class="line" d="M5.5 5v4M8.5 5v4" />
    </>
  ),
  queued: () => <circle class="dashed" cx="7" cy="7" r="5" />,
  solved: () => (
    <>
      <circle class="fill" cx="7" cy="7" r="6" />
      <path class="mark" d="M4 7.2l2 2 4-4.4" />
    </>
  ),
  answered: () => (
    <>
      <circle class="line" cx="7" cy="7" r="5" />
      <circle class="fill" cx="7" cy="7" r="2" />
    </>
  ),
  doubtful: () => (
    <>
      <circle class="line" cx="7" cy="7" r="5" />
      <path class="line" d="M7 4v3.6M7 9.4v.2" />
    </>
  ),
  scored: () => <path class="fill" d="M2 8h2.4v4H2zM5.8 5h2.4v7H5.8zM9.6 2H12v10H9.6z" />,
  wrong: () => (
    <>
      <path class="fill" d="M7 .5L13.5 7 7 13.5.5 7z" />
      <path class="mark" d="M5 5l4 4M9 5l-4 4" />
    </>
  ),
  'gave-up': () => <circle class="line" cx="7" cy="7" r="5" />,
  limit: () => (
    <>
      <rect class="line" x="2" y="2" width="10" height="10" rx="1.5" />
      <path class="fill" d="M2 7h10v4a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1z" />
    </>
  ),
  error: () => (
    <>
      <path class="fill" d="M7 1l6.5 12H.5z" />
      <path class="mark" d="M7 5.4v3.4M7 10.8v.2" />
    </>
  ),
  stopped: () => <rect class="fill" x="2.5" y="2.5" width="9" height="9" rx="1" />,
};

export function State({ name, label }: { readonly name: StateName; readonly label?: string }) {
  return (
    <svg
      class={`state ${name}`}
      viewBox="0 0 14 14"
      width="14"
      height="14"
      role="img"
      aria-label={label ?? name}
      aria-hidden={label === ''}
    >
      {shapes[name]()}
    </svg>
  );
}

export function adoptStyleSheet(sheet: string): void {
  const style = new CSSStyleSheet();
  style.replaceSync(sheet);
  document.adoptedStyleSheets.push(style);
}
