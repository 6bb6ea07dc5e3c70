/** Lanes of calls to providers, on Postgres: one process at a time, by the clock of the database. It does not interpret states. */
import type { Fleet } from '../../core/fleet.ts';
import type { Server } from './server.ts';

/** Made where they are new; the clock is looked at when all are ours. */
const lock = `INSERT INTO lanes (name) SELECT name FROM unnest($1::text[]) name ORDER BY name
  ON CONFLICT (name) DO UPDATE SET name = excluded.name
  RETURNING name, state, extract(epoch FROM clock_timestamp())::float8 * 1000 AS now`;
const count = `SELECT t.lane, count(*) AS calls, bool_or(t.id = $2) AS own FROM turns t
  JOIN runs r ON r.key = t.run_key AND r.epoch = t.epoch
  WHERE t.lane = ANY ($1) AND r.owner_pid IS NOT NULL AND r.lease_until > clock_timestamp() GROUP BY t.lane`;
const keep = `WITH kept AS (UPDATE lanes SET state = said.state
    FROM unnest($1::text[], $2::text[]) said (name, state) WHERE lanes.name = said.name)
  SELECT pg_notify(current_schema(), 'turn ' || process) FROM unnest($3::text[]) process`;
const begin = `WITH own AS (SELECT key, epoch FROM runs WHERE id = $2), gone AS (
    DELETE FROM turns USING own WHERE run_key = key AND turns.epoch < own.epoch)
  INSERT INTO turns (id, lane, run_key, epoch) SELECT $1, lane, key, epoch FROM own, unnest($3::text[]) lane`;
const end = 'DELETE FROM turns WHERE lane = ANY ($2) AND id = $1';

export function postgresLanes(server: Server): Pick<Fleet, 'changeLanes'> {
  return {
    changeLanes: ({ lanes, turn, run }, change) =>
      server.steadily(() =>
        server.transaction(async (ask) => {
          const locked = (await ask({ name: 'lock-lanes', text: lock, values: [lanes] })).rows;
          const counted = (await ask({ name: 'count-turns', text: count, values: [lanes, turn] })).rows;
          const kept = lanes.map((lane) => {
            const state = locked.find(({ name }) => name === lane)?.state;
            const calls = counted.find((row) => row.lane === lane)?.calls;
            return { state: typeof state === 'string' ? state : null, underWay: Number(calls ?? 0) };
          });
          const nowMs = Math.max(...locked.map(({ now }) => Number(now)));
          const changed = change(
            kept,
            nowMs,
            counted.some(({ own }) => own === true),
          );
          const { states, next = [] } = changed;
          if (states)
            await ask({ name: 'keep-lanes', text: keep, values: [lanes, states, [...new Set(next)]] });
          if (changed.turn === 'begin')
            await ask({ name: 'begin-turn', text: begin, values: [turn, run, lanes] });
          if (changed.turn === 'end') await ask({ name: 'end-turn', text: end, values: [turn, lanes] });
          return changed.result;
        }),
      ),
  };
}
