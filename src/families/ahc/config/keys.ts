/**
 * Every key of the configuration: what it may be and its default; what it does stands in `abouts.json`. Reading, writing,
 * checking and the file that `init` writes are made from this table.
 */
import { z } from 'zod';
import { searchSettings } from '../../../notes/search-settings.ts';
import abouts from './abouts.json' with { type: 'json' };

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
const whole = (least: number, most = 1_000_000_000) => z.int().min(least).max(most);
const positive = (most: number) => z.number().positive().max(most);

/** As `docker` takes it: a name, perhaps with the host, the port and the tag or digest of it. */
const imageName = text.regex(/^[\w.:/@-]+$/, 'must be the name of an image, as gcc:14-bookworm');
/** A colon would divide it in docker-compose.yml; a dollar is a variable there, and in a Dockerfile. */
const placeInContainer = text.regex(/^\/[^:$\s]+$/, 'must be a folder in a container, as /workspace');

/** A word that is known in another spelling, too: `maximize` means `maximise`. */
function spelt(words: readonly [string, ...string[]], normal: (word: string) => string) {
  const asMeant = (value: unknown): unknown => (typeof value === 'string' ? normal(value) : value);
  return z.preprocess(asMeant, z.enum(words));
}

const lower = (word: string): string => word.toLowerCase();
const upper = (word: string): string => word.toUpperCase();
const directions = spelt(['maximise', 'minimise'], (word) => lower(word).replace(/ize$/, 'ise'));
const scorings = spelt(['absolute', 'relative'], lower);
const backends = spelt(['auto', 'bubblewrap', 'docker', 'none'], lower);
const levels = spelt(['DEBUG', 'INFO', 'WARNING', 'ERROR', 'CRITICAL'], upper);

type Row = Pick<ConfigKey, 'schema' | 'initial' | 'isSecret'>;
const set = (initial: ConfigValue, schema: Row['schema']): Row => ({ schema, initial });
const unset = (schema: Row['schema']): Row => set(null, z.union([z.null(), schema]));

const ofSearch = Object.values(searchSettings);

const rows: Readonly<Record<string, Row>> = {
  'llm.provider': unset(text),
  'llm.model': unset(text),
  'llm.api_key': { ...unset(text), isSecret: true },
  'llm.temperature': unset(z.number().min(0).max(2)),
  'llm.max_tokens': unset(whole(1)),
  'llm.timeout': unset(positive(86_400)),
  'docker.image': set('gcc:14-bookworm', imageName),
  'docker.mount_path': set('/workspace', placeInContainer),
  'docker.compilation_timeout': set(60, positive(3_600)),
  'docker.execution_timeout': set(10, positive(3_600)),
  'sandbox.backend': set('auto', backends),
  'evaluation.jobs': unset(whole(1, 1024)),
  ...Object.fromEntries(
    ofSearch.map(({ key, schema, initial }) => [
      key,
      initial === null ? unset(schema) : set(initial, schema),
    ]),
  ),
  'workspace.base_dir': set('./workspace', text),
  'workspace.keep_session_files': set(true, z.boolean()),
  'workspace.max_log_size_mb': set(100, positive(100_000)),
  'algorithm_library.path': set('internal', text),
  'past_contest_db.path': set('internal', text),
  'contest.direction': unset(directions),
  'contest.scoring': unset(scorings),
  'contest.interactive': unset(z.boolean()),
  'contest.time_limit': unset(positive(3_600)),
  'contest.memory_limit': unset(whole(1, 1_048_576)),
  'logging.level': set('INFO', levels),
  'logging.json': set(false, z.boolean()),
};

const aboutOf: Readonly<Record<string, string>> = {
  ...abouts,
  ...Object.fromEntries(ofSearch.map(({ key, about }) => [key, about])),
};

export const configKeys: readonly ConfigKey[] = Object.entries(rows).map(([path, row]) => {
  return { path, about: aboutOf[path] ?? '', ...row };
});

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
