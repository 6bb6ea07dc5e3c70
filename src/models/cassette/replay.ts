/** A model that plays a cassette, by order or by request. It makes no live call and keeps no counter, so it resumes alike. */
import { changeStrings } from '../../core/json.ts';
import type { Model, ModelCall, ModelKind, ModelReply, ModelRequest } from '../../core/model.ts';
import { abortedFailure, failure, freePrice, tellWhole } from '../reply.ts';
import type { Cassette, CassetteEntry } from './format.ts';
import { requestKey } from './request-key.ts';
import { unlockWords } from './words.ts';

export type ReplayOptions = {
  readonly id: string;
  readonly cassette: Cassette;
  readonly match: 'order' | 'request';
};

export function replayModel({ id, cassette, match }: ReplayOptions): Model {
  const entries = new Map(cassette.entries.map((entry) => [keyOf(entry, match, entry.request), entry]));
  return {
    id,
    kind: kindOf(cassette),
    takes: { images: true, tools: true },
    price: freePrice,
    questionKey: match === 'request' ? requestKey : undefined,
    async generate(request, call) {
      if (call.signal.aborted) return abortedFailure(null);
      const entry = entries.get(keyOf(call, match, match === 'request' ? requestKey(request) : ''));
      return entry ? replyOf(entry, request, call) : missing({ id, cassette, match }, call);
    },
  };
}

/** A recorded script is a script still. */
function kindOf({ entries }: Cassette): ModelKind {
  const kinds = new Set(entries.map(({ kind }) => kind));
  if (kinds.has('script')) return 'script';
  return kinds.has('person') ? 'person' : 'recording';
}

type Place = Pick<ModelCall, 'role' | 'branch' | 'index' | 'attempt' | 'occurrence'>;

function keyOf(place: Place, match: ReplayOptions['match'], request: string): string {
  const { role, branch, index, attempt, occurrence = 0 } = place;
  const where = match === 'order' ? [branch, index] : [request, occurrence];
  return JSON.stringify([role, ...where, attempt]);
}

function replyOf(
  { reply, error, tokens }: CassetteEntry,
  request: ModelRequest,
  call: ModelCall,
): ModelReply {
  const usage = { tokens, costUsd: 0 };
  if (error) {
    // The recorded server asked for a wait, but nothing has to wait for it now.
    return failure(error.kind, error.message, { retryable: error.retryable, retryAfterMs: 0, usage });
  }
  if (!reply) throw new Error('An entry has either a reply or an error.');
  let missing = 0;
  const { content, finish, object, servedBy } = changeStrings(
    reply,
    unlockWords(request, () => {
      missing += 1;
    }),
  );
  if (missing > 0) return withoutPuzzle(missing);
  const message = { role: 'assistant', content } as const;
  tellWhole(message, call);
  return { ok: true, message, finish, usage, object, servedBy };
}

function withoutPuzzle(places: number): ModelReply {
  return failure(
    'script-exhausted',
    `The reply quotes a puzzle in ${places} ${places === 1 ? 'place' : 'places'} that this conversation does not hold: the cassette was recorded with another puzzle or input, and without --with-puzzle.`,
    { retryable: false, usage: null },
  );
}

function missing({ id, cassette, match }: ReplayOptions, call: ModelCall): ModelReply {
  const { role, branch, index, attempt } = call;
  const where = `role "${role}", branch "${branch}", index ${index}${attempt > 0 ? `, attempt ${attempt}` : ''}`;
  const here = cassette.entries.filter((entry) => entry.role === role && entry.branch === branch);
  const have = here.length
    ? `it has ${here.length} there`
    : `it has none there; it holds ${placesOf(cassette) || 'nothing'}`;
  const why =
    match === 'request' && here.some((entry) => entry.index === index)
      ? 'its reply at this place was to another question'
      : have;
  return failure('script-exhausted', `The cassette ${id} has no reply for ${where}: ${why}.`, {
    retryable: false,
    usage: null,
  });
}

function placesOf({ entries }: Cassette): string {
  return [...new Set(entries.map(({ role, branch }) => `role "${role}" in branch "${branch}"`))]
    .slice(0, 5)
    .join(', ');
}
