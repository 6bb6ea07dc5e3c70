/** A list of any length: only what can be seen is there, so that a hundred thousand rows scroll as ten do. */
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

type RowsProps<T> = {
  readonly items: readonly T[];
  readonly height: number;
  readonly label: string;
  readonly children: (item: T, index: number) => ComponentChildren;
  /** Kept in view. */
  readonly selected?: number;
  /** The end is shown, and stays so while the list grows. */
  readonly follow?: boolean;
  /** Stays above the rows, and scrolls sideways with them. */
  readonly head?: ComponentChildren;
  /** Which rows are drawn. */
  readonly onSee?: (first: number, last: number) => void;
  /** What an item is known by if its list is made anew; undefined: not known yet. */
  readonly keyOf?: (item: T) => unknown;
  /** Its reader has scrolled away from the end that was followed. */
  readonly onLeave?: () => void;
};

const beyond = 12;

/** For fingers: the same as in runs.css. */
const coarse = matchMedia('(pointer: coarse)').matches;

export function Rows<T>(props: RowsProps<T>) {
  const height = coarse ? 44 : props.height;
  const { items, label, children, selected = -1, follow = false, head, onLeave, onSee } = props;
  const { keyOf = (item: T): unknown => item } = props;
  const box = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState({ top: 0, rows: 60 });
  const picture = useRef(items);
  /** The first row that is seen: what comes before it does not move it. */
  const anchor = useRef<unknown>(undefined);
  const poll = (): void => {
    const { current } = box;
    if (!current) return;
    const top = Math.floor(current.scrollTop / height);
    const rows = Math.ceil(current.clientHeight / height);
    const first = picture.current[top];
    anchor.current = first === undefined ? undefined : keyOf(first);
    setSeen((before) => (before.top === top && before.rows === rows ? before : { top, rows }));
  };
  useEffect(() => {
    const { current } = box;
    if (!current) return;
    const observer = new ResizeObserver(poll);
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    picture.current = items;
    const { current } = box;
    if (!current || anchor.current === undefined) return;
    const top = Math.floor(current.scrollTop / height);
    const isAnchor = (item: T | undefined): boolean => item !== undefined && keyOf(item) === anchor.current;
    const at = isAnchor(items[top]) ? top : items.findIndex(isAnchor);
    if (at < 0) anchor.current = items[top] && keyOf(items[top]);
    else current.scrollTop += (at - top) * height;
  }, [items]);
  useLayoutEffect(() => {
    const { current } = box;
    if (!current) return;
    if (follow) current.scrollTop = current.scrollHeight;
    else if (selected >= 0) {
      const top = selected * height;
      // The head covers the first rows of what is seen.
      const bottom = top + height + current.scrollHeight - items.length * height;
      if (top < current.scrollTop) current.scrollTop = top;
      else if (bottom > current.scrollTop + current.clientHeight)
        current.scrollTop = bottom - current.clientHeight;
    }
    poll();
  }, [selected, follow, follow ? items.length : 0]);
  const onScroll = (): void => {
    poll();
    const { current } = box;
    if (!follow || !current) return;
    const lower = current.scrollHeight - current.scrollTop - current.clientHeight;
    if (lower > 2 * height) onLeave?.();
  };
  const first = Math.max(0, seen.top - beyond);
  const last = Math.min(items.length, seen.top + seen.rows + beyond);
  useEffect(() => onSee?.(first, last), [first, last]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard.
    <section class="rows" ref={box} onScroll={onScroll} aria-label={label} tabIndex={0}>
      {head}
      <div style={{ height: `${items.length * height}px` }}>
        <div style={{ transform: `translateY(${first * height}px)` }}>
          {items.slice(first, last).map((item, index) => children(item, first + index))}
        </div>
      </div>
    </section>
  );
}
