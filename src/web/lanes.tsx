/** The branches of a run over time: model calls as bars, programs and tools as marks, its parts above, what it has used below. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { EventItem } from '../notes/page-items.ts';
import { stateName } from '../notes/run-list.ts';
import { formatDollars } from '../text/format.ts';
import type { Run } from './api.ts';
import { State } from './states.tsx';
import { costOf, formatDuration, tokensOf, tokenWords } from './words.ts';

type Span = {
  readonly seq: number;
  readonly branch: string;
  readonly effect: string;
  readonly who: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly failed: boolean;
  readonly isOpen: boolean;
  readonly tokens: number | null;
};

type Props = {
  readonly run: Run;
  readonly events: readonly EventItem[];
  readonly selected: number | null;
  readonly isLive: boolean;
  /** By the clock of the events: this much of the day's is left out of it. */
  readonly cutMs: number;
  readonly onOpen: (seq: number) => void;
};

const mostLanes = 12;
/** More would be narrower than can be seen or hit. */
const mostSpans = 400;

/** Between its parent and a fork, and between two lives of a run, it did nothing: that time is left out. */
export function aliveTimes(events: readonly EventItem[]): {
  readonly events: readonly EventItem[];
  readonly cutMs: number;
} {
  let cutMs = 0;
  let lastMs = events[0]?.atMs ?? 0;
  const shifted = events.map((event) => {
    if (event.kind === 'run-fork' || event.kind === 'run-resume') cutMs += Math.max(0, event.atMs - lastMs);
    lastMs = event.atMs;
    return cutMs === 0 ? event : { ...event, atMs: event.atMs - cutMs };
  });
  return { events: shifted, cutMs };
}

export function Lanes({ run, events, selected, onOpen, isLive, cutMs }: Props) {
  const [isComplete, setWhole] = useState(false);
  const beganMs = events[0]?.atMs ?? 0;
  const nowMs = useNow(isLive) - cutMs;
  const endMs = Math.max(events.at(-1)?.atMs ?? 0, beganMs + 1, isLive ? nowMs : 0);
  const spans = useMemo(() => spansOf(events, endMs), [events, endMs]);
  const byBranch = Map.groupBy(spans, ({ branch }) => branch);
  const branches = [...byBranch.keys()];
  const own = events.find(({ seq }) => seq === selected)?.branch;
  const visible = isComplete ? branches : decisiveBranches(byBranch, { own, isLive });
  const place = (atMs: number): number => ((atMs - beganMs) / (endMs - beganMs)) * 100;
  const at = events.find(({ seq }) => seq === selected)?.atMs;
  return (
    <section class="lanes" aria-label="Branches over time">
      <div class="axis" aria-hidden="true">
        {ticks(endMs - beganMs).map((ms) => (
          <span key={ms} style={{ left: `${place(beganMs + ms)}%` }}>
            {formatDuration(ms)}
          </span>
        ))}
        {at !== undefined && (
          <b class="at" style={{ left: `${place(at)}%`, transform: `translateX(-${place(at)}%)` }}>
            {formatDuration(at - beganMs)}
          </b>
        )}
      </div>
      <Stages run={run} events={events} place={place} endMs={endMs} />
      {visible.map((branch) => (
        <div class={`lane ${branch === own ? 'own' : ''}`} key={branch}>
          <span class="cut">{branch || 'main'}</span>
          <div>
            {(byBranch.get(branch) ?? []).slice(0, mostSpans).map((span) => (
              <button
                key={span.seq}
                type="button"
                class={`span ${span.effect} ${span.failed ? 'failed' : ''} ${span.isOpen && isLive ? 'open' : ''} ${span.seq === selected ? 'chosen' : ''}`}
                style={{
                  left: `${place(span.fromMs)}%`,
                  width: `${Math.max(0, place(span.toMs) - place(span.fromMs))}%`,
                }}
                title={wordsOf(span)}
                aria-label={wordsOf(span)}
                onClick={() => onOpen(span.seq)}
              >
                {markOf(span, place)}
              </button>
            ))}
            {branch === '' && run.item.state === 'ended' && <State name={stateName(run.item)} label="" />}
          </div>
        </div>
      ))}
      {branches.length > mostLanes && (
        <button type="button" class="more" aria-expanded={isComplete} onClick={() => setWhole(!isComplete)}>
          {isComplete ? `Only ${mostLanes} branches` : `${branches.length - mostLanes} more branches`}
        </button>
      )}
      <Used
        name="tokens"
        total={tokensOf(run.item)}
        of={({ tokens }) => tokens}
        events={events}
        place={place}
      />
      {run.item.free === null && (
        <Used
          name="cost"
          total={costOf(run.item)}
          of={({ costUsd }) => costUsd}
          events={events}
          place={place}
        />
      )}
      {at !== undefined && (
        <div class="cursor" aria-hidden="true">
          <i style={{ left: `${place(at)}%` }} />
        </div>
      )}
    </section>
  );
}

type Place = (atMs: number) => number;

/** Words that do not fit say nothing. */
function markOf(span: Span, place: Place): string {
  if (span.effect === 'model') return place(span.toMs) - place(span.fromMs) > 5 ? wordsOf(span) : '';
  return span.isOpen ? '' : span.failed ? '✕' : '✓';
}

/** The root, the branch of the chosen event and those that worked the longest; of a live run the first, so that none moves. */
function decisiveBranches(
  byBranch: ReadonlyMap<string, readonly Span[]>,
  { own, isLive }: { readonly own: string | undefined; readonly isLive: boolean },
): readonly string[] {
  const branches = [...byBranch.keys()];
  if (isLive || branches.length <= mostLanes) return branches.slice(0, mostLanes);
  const worked = (branch: string): number =>
    branch === '' || branch === own
      ? Number.POSITIVE_INFINITY
      : (byBranch.get(branch) ?? []).reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
  const first = new Set(branches.toSorted((a, b) => worked(b) - worked(a)).slice(0, mostLanes));
  return branches.filter((branch) => first.has(branch));
}

type PartProps = { readonly events: readonly EventItem[]; readonly place: Place };

/** The parts of a problem that has some: when each was open, and what it took. */
function Stages({ run, events, place, endMs }: PartProps & { readonly run: Run; readonly endMs: number }) {
  const stages = run.stages.filter(({ stage }) => stage !== '');
  if (stages.length === 0) return null;
  const timeOf = (kind: EventItem['kind'], stage: string) =>
    events.find((event) => event.kind === kind && event.who === stage)?.atMs;
  return (
    <div class="lane stages">
      <span>parts</span>
      <div>
        {stages.map(({ stage, solved, aliveMs, modelCalls, tokens, costUsd }) => {
          const from = place(timeOf('stage-start', stage) ?? events[0]?.atMs ?? endMs);
          const to = place(timeOf('stage-end', stage) ?? endMs);
          const figures = [
            solved ? 'solved' : 'open',
            formatDuration(aliveMs),
            modelCalls === 1 ? '1 model call' : `${modelCalls} model calls`,
            `${tokens === null ? 'unknown' : tokenWords(tokens)} tokens`,
            run.item.free === null ? (costUsd === null ? 'cost unknown' : formatDollars(costUsd)) : '',
          ];
          const words = figures.filter(Boolean).join(', ');
          return (
            <span
              key={stage}
              class={`span ${solved ? 'done' : ''}`}
              style={{ left: `${from}%`, width: `${Math.max(0, to - from)}%` }}
              title={`${stage}: ${words}`}
            >
              <b>{stage}</b> {words}
            </span>
          );
        })}
      </div>
    </div>
  );
}

type UsedProps = PartProps & {
  readonly name: string;
  /** The total in words, also if it is unknown. */
  readonly total: string;
  readonly of: (event: EventItem) => number | null;
};

/** What is known of it over time; dashes stand where a call ended of which it is not known. */
function Used({ name, total, of, events, place }: UsedProps) {
  const { steps, unknown } = useMemo(() => {
    const calls = events.filter(({ kind }) => kind === 'model-response');
    const known = calls.filter((event) => of(event) !== null);
    const sum = known.reduce((all, event) => all + (of(event) ?? 0), 0);
    let used = 0;
    return {
      steps: known.map((event) => {
        used += of(event) ?? 0;
        return { atMs: event.atMs, share: sum === 0 ? 0 : used / sum };
      }),
      unknown: calls.filter((event) => of(event) === null && !event.failed),
    };
  }, [events]);
  if (steps.length + unknown.length === 0) return null;
  const stairs = steps.map(
    ({ atMs, share }) => `H${place(atMs).toFixed(2)}V${(100 - share * 96).toFixed(2)}`,
  );
  return (
    <div class={`lane used ${name}`}>
      <span title={unknown.length > 0 ? `unknown of ${unknown.length} calls` : undefined}>
        {name} <small class="total">{total}</small>
      </span>
      <div>
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
          {steps.length > 0 && <path d={`M0 100${stairs.join('')}H100V100Z`} />}
          {unknown.map(({ seq, atMs }) => (
            <path key={seq} class="unknown" d={`M${place(atMs).toFixed(2)} 100V4`} />
          ))}
        </svg>
      </div>
    </div>
  );
}

/** The time each second, while the run is at work. */
function useNow(isLive: boolean): number {
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    if (!isLive) return;
    const timer = setInterval(() => setNowMs(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [isLive]);
  return nowMs;
}

function wordsOf({ effect, who, fromMs, toMs, tokens, failed }: Span): string {
  const what = { model: who, exec: `${who} program`, tool: who }[effect] ?? effect;
  const used = tokens === null ? '' : `, ${tokenWords(tokens)} tokens`;
  return `${what}, ${formatDuration(toMs - fromMs)}${used}${failed ? ', failed' : ''}`;
}

function spansOf(events: readonly EventItem[], endMs: number): readonly Span[] {
  const open = new Map<string, EventItem>();
  const spans: Span[] = [];
  for (const event of events) {
    const { effect, half, branch, seq, atMs, failed, tokens } = event;
    if (effect === null || effect === 'clock' || effect === 'inbox') continue;
    const key = `${branch}#${event.ordinal}.${event.attempt}`;
    if (half === 'intent') open.set(key, event);
    const eventItem = open.get(key);
    if (half !== 'settlement' || !eventItem) continue;
    open.delete(key);
    spans.push({
      seq,
      branch,
      effect,
      who: eventItem.who,
      fromMs: eventItem.atMs,
      toMs: atMs,
      failed,
      isOpen: false,
      tokens,
    });
  }
  for (const { seq, branch, effect, who, atMs } of open.values()) {
    spans.push({
      seq,
      branch,
      who,
      failed: false,
      isOpen: true,
      tokens: null,
      effect: effect ?? '',
      fromMs: atMs,
      toMs: endMs,
    });
  }
  return spans.toSorted((a, b) => a.fromMs - b.fromMs);
}

/** Three to ten of a round length; one at the very end would stand beyond the page. */
function ticks(ms: number): readonly number[] {
  const rough = ms / 8;
  const power = 10 ** Math.floor(Math.log10(Math.max(rough, 1)));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough) ?? 10 * power;
  return Array.from({ length: Math.floor(ms / step - 0.25) + 1 }, (_, index) => index * step);
}
