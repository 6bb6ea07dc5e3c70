/** What the journals of a demo's rows say of hosts: who had which row, what is lost, what was paid twice. Pure. */
import { type Event, positionName } from '../../core/event.ts';
import type { RunView } from '../../core/fold.ts';
import { canonicalJson } from '../../core/json.ts';
import { count } from '../../text/format.ts';
import { field, text } from '../../text/json.ts';
import { possiblyBilledOf } from '../../text/labels.ts';
import { table } from '../../text/table.ts';
import type { Output } from '../contract.ts';

type Row = {
  readonly name: string;
  readonly run: string;
  /** One after the other. */
  readonly hosts: readonly string[];
  /** Null where it did not come to its end. */
  readonly outcome: string | null;
  readonly modelCalls: number;
};

type Counted = {
  readonly rows: readonly Row[];
  /** Rows. */
  readonly lost: number;
  /** Model calls that were answered. */
  readonly settledCalls: number;
  /** Of them, those whose request had been answered at the same place before. */
  readonly paidTwice: number;
  /** In flight at the kill: with a paid model they may have been billed. */
  readonly askedAgain: number;
};

export type Told = Counted & {
  readonly hosts: readonly string[];
  /** `rows`: the runs that it had in hand. */
  readonly killed: { readonly host: string; readonly rows: readonly string[] } | null;
};

type Journal = Pick<Row, 'name' | 'run'> & {
  readonly view: RunView | null;
  readonly events: readonly Event[];
};

export function countedFrom(journals: readonly Journal[]): Counted {
  const rows = journals.map(({ name, run, view, events }): Row => {
    const hosts = events.flatMap(({ kind, body }) => (kind === 'run-resume' ? text(body, 'host') : []));
    return { name, run, hosts, outcome: view?.end?.outcome ?? null, modelCalls: settledIn(events).length };
  });
  const settled = journals.map(({ events }) => settledIn(events));
  const once = settled.reduce((sum, calls) => sum + new Set(calls).size, 0);
  const settledCalls = settled.reduce((sum, { length }) => sum + length, 0);
  return {
    rows,
    lost: rows.filter(({ outcome }) => outcome === null).length,
    settledCalls,
    paidTwice: settledCalls - once,
    askedAgain: journals.reduce((sum, { view }) => sum + (view ? possiblyBilledOf(view, 'ended') : 0), 0),
  };
}

/** Of each call that was answered: its place, and what was asked. An agent may ask the same elsewhere. */
function settledIn(events: readonly Event[]): readonly string[] {
  const asked = new Map<string, string>();
  return events.flatMap((event) => {
    const place = positionName(event);
    if (event.kind === 'model-request') {
      const content = ['role', 'messages'].map((name) => field(event.body, name) ?? null);
      asked.set(place, `${positionName({ ...event, attempt: 0 })} ${canonicalJson(content)}`);
    }
    const isPaid = event.kind === 'model-response' && event.body.status === 'ok';
    return isPaid ? (asked.get(place) ?? place) : [];
  });
}

export function toldText(output: Output, { hosts, killed, rows, ...counted }: Told): string {
  const cells = rows.map(({ name, hosts: had, outcome, modelCalls }) => [
    ...[name, had.join(' → '), outcome ?? 'lost', modelCalls],
  ]);
  const ended = hosts.map((host) => {
    const own = rows.filter((row) => row.hosts.at(-1) === host && row.outcome !== null);
    const moved = own.filter((row) => row.hosts.length > 1);
    const of = moved.length > 0 ? `, ${moved.length} of them taken over` : '';
    const fate =
      host === killed?.host ? `, then killed with ${count(killed.rows.length, 'row')} at work` : '';
    return `${host}: brought ${count(own.length, 'row')} to an end${of}${fate}.`;
  });
  const { lost, settledCalls, paidTwice, askedAgain } = counted;
  const facts = [
    ...(killed ? [] : ['No worker was met in the middle of a row, so none was killed: try again.']),
    ...ended,
    `Lost: ${lost} of ${count(rows.length, 'row')}.`,
    `Paid twice: ${paidTwice} of ${count(settledCalls, 'model call')} that the journals hold.`,
    `In flight at the kill, and asked again: ${askedAgain}.`,
  ];
  const next = `On one machine a dead process is seen at once; on another, its rows move when its lease of 8 s is over.
Several hosts of your own: docs/fleet.md.`;
  return `\n${table(output, ['row', 'hosts', 'outcome', 'calls'], cells)}\n${facts.join('\n')}\n\n${next}\n`;
}
