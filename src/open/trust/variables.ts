/**
 * What each variable of a folder's `.env` may do: give a key or a session, or say where the server of a key of the same file
 * is. Everything else is behaviour, which only the user's own environment may set.
 */
import { siteSessions } from '../../core/secrets.ts';
import { type Environment, keyVariableIn, type Provider } from '../../models/provider.ts';
import { providers } from '../../models/providers/index.ts';

const sessions: readonly string[] = [...siteSessions, 'AHC_AGENT_LLM_API_KEY'];

export type FileVariables = {
  /** What is used of the file. */
  readonly accepted: Readonly<Record<string, string>>;
  /** Names that mean something to Polya or Node and are not used, with the reason. */
  readonly rejected: readonly { readonly name: string; readonly reason: string }[];
};

type Reason = string | null;

/** `own` is the environment of the process. A key there excludes the address that the file names for its provider. */
export function screenFileVariables(
  file: Readonly<Record<string, string | undefined>>,
  own: Environment,
): FileVariables {
  const accepted: Record<string, string> = {};
  const rejected: { name: string; reason: string }[] = [];
  for (const [name, value = ''] of Object.entries(file)) {
    if (value.trim() === '') continue;
    const reason = rejection(name, file, own);
    if (reason === null) accepted[name] = value;
    else if (isRecognized(name)) rejected.push({ name, reason });
  }
  return { accepted, rejected };
}

/** Null where the variable is used. */
function rejection(name: string, file: Environment, own: Environment): Reason {
  const ofKey = providers.filter(({ keys }) => keys.includes(name));
  if (sessions.includes(name)) return null;
  if (ofKey.length > 0) return ofKey.some((each) => isOverridden(each, file, own)) ? keyReason : null;
  const ofAddress = providers.find(({ baseUrlVariable }) => baseUrlVariable === name);
  if (!ofAddress) return 'only the environment may set it';
  if (keyVariableIn(ofAddress, file) === undefined)
    return `an address counts only together with its key (${ofAddress.keys[0]}) in the same file`;
  if (keyVariableIn(ofAddress, own) !== undefined) return 'the key of the environment goes elsewhere';
  return null;
}

const keyReason = 'the environment has another key of that provider';

/** The file's key belongs to the file's address: beside a key of the environment both are left out. */
function isOverridden(provider: Provider, file: Environment, own: Environment): boolean {
  return Boolean(file[provider.baseUrlVariable]?.trim()) && keyVariableIn(provider, own) !== undefined;
}

function isRecognized(name: string): boolean {
  const isAddress = providers.some(({ baseUrlVariable }) => baseUrlVariable === name);
  const isKey = providers.some(({ keys }) => keys.includes(name));
  return isAddress || isKey || /^(?:PAGER|NODE_\w+|POLYA_\w+|AHC_AGENT_\w+|\w+_BASE_URL)$/.test(name);
}
