/**
 * Every key of the configuration: what it may be, its default, and what it does. The one
 * place that knows them; reading, writing, checking and the file that `init` writes are made from this table.
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
const whole = (least: number, most = 1_000_000_000) => z.int().min(least).max(most);
const unset = <T extends z.ZodType<ConfigValue>>(schema: T) => z.union([z.null(), schema]);

/** As `docker` takes it: a name, perhaps with the host, the port and the tag or digest of it. */
const imageName = text.regex(/^[\w.:/@-]+$/, 'must be the name of an image, as gcc:14-bookworm');
/** A colon would divide it in docker-compose.yml; a dollar is a variable there, and in a Dockerfile. */
const placeInContainer = text.regex(/^\/[^:$\s]+$/, 'must be a folder in a container, as /workspace');

/** A word that is known in another spelling, too: of `maximize` everybody knows what is meant. */
function spelt(words: readonly [string, ...string[]], normal: (word: string) => string) {
  const asMeant = (value: unknown): unknown => (typeof value === 'string' ? normal(value) : value);
  return z.preprocess(asMeant, z.enum(words));
}

const directions = spelt(['maximise', 'minimise'], (word) => word.toLowerCase().replace(/ize$/, 'ise'));
const lower = (word: string): string => word.toLowerCase();
const upper = (word: string): string => word.toUpperCase();

function key(
  path: string,
  schema: z.ZodType<ConfigValue>,
  initial: ConfigValue,
  about: string,
  more: Pick<ConfigKey, 'isSecret'> = {},
): ConfigKey {
  return { path, schema, initial, about, ...more };
}

export const configKeys: readonly ConfigKey[] = [
  key(
    'llm.provider',
    unset(text),
    null,
    'openai, google, anthropic …; unset: `model` names it, as google/NAME; a bare name is of openai',
  ),
  key('llm.model', unset(text), null, 'The model that writes the code, as `polya models` lists them'),
  key(
    'llm.api_key',
    unset(text),
    null,
    `Best left as \${OPENAI_API_KEY}: expanded when a model is called, never written`,
    {
      isSecret: true,
    },
  ),
  key(
    'llm.temperature',
    unset(z.number().min(0).max(2)),
    null,
    'Unset: what the model does by itself, because many refuse any other; 0.2 was usual',
  ),
  key(
    'llm.max_tokens',
    unset(whole(1)),
    null,
    'Of one reply. Unset: as much as the model has; 4096 cuts programs and thoughts off',
  ),
  key(
    'llm.timeout',
    unset(z.number().positive().max(86_400)),
    null,
    'Seconds a call may be silent. Unset: two hours; models that think take longer than 120 s',
  ),
  key(
    'docker.image',
    imageName,
    'gcc:14-bookworm',
    'What the image of the workspace builds on: g++ 12 or newer, as the judge has',
  ),
  key('docker.mount_path', placeInContainer, '/workspace', 'Where the workspace lies in a container'),
  key('docker.compilation_timeout', z.number().positive().max(3_600), 60, 'Seconds, on every back-end'),
  key(
    'docker.execution_timeout',
    z.number().positive().max(3_600),
    10,
    "Seconds a case may take at most, on every back-end; past the contest's own limit it is TLE anyway",
  ),
  key(
    'sandbox.backend',
    spelt(['auto', 'bubblewrap', 'docker', 'none'], lower),
    'auto',
    'What runs programs; `none` runs them with your rights, and every result says so',
  ),
  key('evaluation.jobs', unset(whole(1, 1024)), null, 'Cases at once. Unset: one a core'),
  ...Object.values(searchSettings).map(({ key: path, schema, initial, about }) =>
    key(path, initial === null ? unset(schema) : schema, initial, about),
  ),
  key('workspace.base_dir', text, './workspace', 'Where `init` makes workspaces'),
  key(
    'workspace.keep_session_files',
    z.boolean(),
    true,
    'false: after a session, only its best program and its records stay',
  ),
  key(
    'workspace.max_log_size_mb',
    z.number().positive().max(100_000),
    100,
    'Of a log; then a new one is begun',
  ),
  key('algorithm_library.path', text, 'internal', '`internal`, or a folder of yours beside it'),
  key('past_contest_db.path', text, 'internal', '`internal`, or a folder or SQLite file of yours beside it'),
  key(
    'contest.direction',
    unset(directions),
    null,
    'maximise or minimise; corrects what `init` found in the statement',
  ),
  key(
    'contest.scoring',
    unset(spelt(['absolute', 'relative'], lower)),
    null,
    'absolute or relative; corrects the same',
  ),
  key('contest.interactive', unset(z.boolean()), null, 'true or false; corrects the same'),
  key(
    'contest.time_limit',
    unset(z.number().positive().max(3_600)),
    null,
    'Seconds; corrects what the statement says',
  ),
  key('contest.memory_limit', unset(whole(1, 1_048_576)), null, 'MB; corrects what the statement says'),
  key(
    'logging.level',
    spelt(['DEBUG', 'INFO', 'WARNING', 'ERROR', 'CRITICAL'], upper),
    'INFO',
    'Of ahc_agent.log',
  ),
  key('logging.json', z.boolean(), false, 'Lines of logs as JSON'),
];

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
