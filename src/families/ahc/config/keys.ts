/**
 * Every key of the configuration: what it may be, its default, and what it does. Reading, writing, checking and the file
 * that `init` writes are made from this table.
 */
import { z } from 'zod';
import { searchSettings } from '../../../notes/search-settings.ts';

export type ConfigValue = string | number | boolean | null | readonly string[];

export type ConfigKey = {
  /** `llm.model`. */
  readonly path: string;
  readonly schema: z.ZodType<ConfigValue>;
  readonly initial: ConfigValue;
  /** One line for people, in the file and in `config`. */
  readonly about: string;
  /** Shown masked, everywhere. */
  readonly isSecret?: true;
};

const text = z.string().trim().min(1, 'must not be empty');
const whole = (minimum: number, most = 1_000_000_000) => z.int().min(minimum).max(most);
const positive = (most: number) => z.number().positive().max(most);

/** As `docker` takes it: a name, perhaps with the host, the port and the tag or digest of it. */
const imageName = text.regex(/^[\w.:/@-]+$/, 'must be the name of an image, as gcc:14-bookworm');
/** A colon would divide it in docker-compose.yml; a dollar is a variable there, and in a Dockerfile. */
const placeInContainer = text.regex(/^\/[^:$\s]+$/, 'must be a folder in a container, as /workspace');

/** A word that is known in another spelling, too: `maximize` means `maximise`. */
function enumIgnoringCase(words: readonly [string, ...string[]], normal: (word: string) => string) {
  const asMeant = (value: unknown): unknown => (typeof value === 'string' ? normal(value) : value);
  return z.preprocess(asMeant, z.enum(words));
}

const lower = (word: string): string => word.toLowerCase();
const upper = (word: string): string => word.toUpperCase();
const directions = enumIgnoringCase(['maximise', 'minimise'], (word) => lower(word).replace(/ize$/, 'ise'));
const scorings = enumIgnoringCase(['absolute', 'relative'], lower);
const backends = enumIgnoringCase(['auto', 'bubblewrap', 'docker', 'none'], lower);
const levels = enumIgnoringCase(['DEBUG', 'INFO', 'WARNING', 'ERROR', 'CRITICAL'], upper);

type Row = Omit<ConfigKey, 'path'>;
const set = (initial: ConfigValue, schema: Row['schema'], description: string): Row => ({
  schema,
  initial,
  about: description,
});
const unset = (schema: Row['schema'], description: string): Row =>
  set(null, z.union([z.null(), schema]), description);

const rows: Readonly<Record<string, Row>> = {
  'llm.provider': unset(
    text,
    'openai, google, anthropic …; unset: `model` names it, as google/NAME; a bare name means openai',
  ),
  'llm.model': unset(text, 'The model that writes the code, as `polya models` lists them'),
  'llm.api_key': {
    ...unset(text, `Best left as \${OPENAI_API_KEY}: expanded when a model is called, never written`),
    isSecret: true,
  },
  'llm.temperature': unset(
    z.number().min(0).max(2),
    "Unset: the model's own, because many refuse any other; 0.2 was usual",
  ),
  'llm.max_tokens': unset(
    whole(1),
    "The longest reply. Unset: the model's limit; 4096 cuts programs and thoughts off",
  ),
  'llm.timeout': unset(
    positive(86_400),
    'Seconds without a byte in a call. Unset: two hours; models that think take longer than 120 s',
  ),
  'docker.image': set(
    'gcc:14-bookworm',
    imageName,
    "The base of the workspace's image; needs g++ 12 or newer, like the judge's",
  ),
  'docker.mount_path': set('/workspace', placeInContainer, "The workspace's folder in a container"),
  'docker.compilation_timeout': set(60, positive(3_600), 'Seconds to compile, on every back-end'),
  'docker.execution_timeout': set(
    10,
    positive(3_600),
    "Longest time of a case in seconds, on every back-end; beyond the contest's own limit it is TLE anyway",
  ),
  'sandbox.backend': set(
    'auto',
    backends,
    'The sandbox of programs; `none` runs them with your rights, and every result says so',
  ),
  'evaluation.jobs': unset(whole(1, 1024), 'Cases at once. Unset: one for each core'),
  ...Object.fromEntries(
    Object.values(searchSettings).map(({ key, schema, initial, about }) => [
      key,
      initial === null ? unset(schema, about) : set(initial, schema, about),
    ]),
  ),
  'workspace.base_dir': set('./workspace', text, 'Where `init` makes workspaces'),
  'workspace.keep_session_files': set(
    true,
    z.boolean(),
    'false: after a session, only its best program and its records stay',
  ),
  'workspace.max_log_size_mb': set(100, positive(100_000), 'The largest log; then a new one begins'),
  'algorithm_library.path': set('internal', text, '`internal`, or a folder of yours beside it'),
  'past_contest_db.path': set('internal', text, '`internal`, or a folder or SQLite file of yours beside it'),
  'contest.direction': unset(directions, 'maximise or minimise; corrects what `init` found in the statement'),
  'contest.scoring': unset(scorings, 'absolute or relative; corrects what `init` found'),
  'contest.interactive': unset(z.boolean(), 'true or false; corrects what `init` found'),
  'contest.time_limit': unset(positive(3_600), 'Seconds; corrects the statement'),
  'contest.memory_limit': unset(whole(1, 1_048_576), 'MB; corrects the statement'),
  'logging.level': set('INFO', levels, 'The level of ahc_agent.log'),
  'logging.json': set(false, z.boolean(), 'Log lines as JSON'),
};

export const configKeys: readonly ConfigKey[] = Object.entries(rows).map(([path, row]) => ({
  path,
  ...row,
}));

export const configKeyOf: ReadonlyMap<string, ConfigKey> = new Map(
  configKeys.map((each) => [each.path, each]),
);

/** `llm` for `llm.model`. */
export const configSections: readonly string[] = [
  ...new Set(configKeys.map(({ path }) => path.slice(0, path.indexOf('.')))),
];

/** The environment variable of a key: `AHC_AGENT_LLM_MODEL` for `llm.model`. */
export function variableOf(path: string): string {
  return `AHC_AGENT_${path.replaceAll('.', '_').toUpperCase()}`;
}
