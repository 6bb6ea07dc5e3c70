/**
 * Where the key of a provider may go: to the address of its variable, to the provider's own, and to those that the user named.
 * An address in a journal, a row of a fleet, a run-set or a fork is data: it is used only if it is one of these.
 */
import { UserError } from '../../core/errors.ts';
import { splitId } from '../../models/catalogue.ts';
import { baseUrlIn, type Environment, type Provider } from '../../models/provider.ts';
import { providerOf } from '../../models/providers/index.ts';
import { ifRecordable, readAddresses, writeAddresses } from './records.ts';

export type AddressOptions = {
  /** Base URLs that the user typed for this call. They are remembered, so that the run can go on later. */
  readonly named?: readonly string[];
  /** Asks the user at a terminal. */
  confirm?(question: string): Promise<boolean>;
};

type ModelAddress = { readonly spec: string; readonly baseUrl: string };

/** Throws `UserError` where the user has not named the address for the keys of this provider. */
export async function requireNamedAddress(
  { spec, baseUrl }: ModelAddress,
  env: Environment,
  { named = [], confirm }: AddressOptions,
): Promise<void> {
  const provider = providerOf(splitId(spec).word);
  const url = normalizeUrl(baseUrl);
  // The catalogue rejects both, and says what is wrong.
  if (!provider || url === null) return;
  if (configuredUrls(provider, env).includes(url)) return;
  const question = `Shall the model ${spec} be asked at ${url}, with the key of ${provider.name}?`;
  if (!named.includes(baseUrl) && !(await confirm?.(question)))
    throw untrustedAddressError(spec, provider, url);
  ifRecordable(() => rememberAddress(provider.name, url, env));
}

/** Keeps an address that the user named for the keys of a provider. Throws `UserError` where one of the two is unknown. */
export function nameAddress(name: string, input: string, env: Environment): string {
  const provider = providerOf(name);
  const url = normalizeUrl(input);
  if (!provider || url === null)
    throw new UserError({
      code: 'address-invalid',
      what: `${name}=${input} names no provider and its address.`,
      fix: 'Write it as PROVIDER=URL, such as openai-compatible=https://models.example/v1.',
    });
  rememberAddress(provider.name, url, env);
  return `${provider.name} ${url}`;
}

function rememberAddress(provider: string, url: string, env: Environment): void {
  const known = readAddresses(env);
  if (known.some((each) => each.provider === provider && each.url === url)) return;
  writeAddresses([...known, { provider, url }], env);
}

function configuredUrls(provider: Provider, env: Environment): readonly (string | null)[] {
  const kept = readAddresses(env).filter((each) => each.provider === provider.name);
  return [normalizeUrl(baseUrlIn(provider, env) ?? provider.baseUrl ?? ''), ...kept.map(({ url }) => url)];
}

/** With its path: one host may serve many owners, as gateways do. */
function normalizeUrl(input: string): string | null {
  const { protocol = '', origin, pathname = '', search } = URL.parse(input) ?? {};
  return /^https?:$/.test(protocol) ? `${origin}${pathname.replace(/\/+$/, '')}${search}` : null;
}

function untrustedAddressError(spec: string, { name, baseUrlVariable }: Provider, url: string): UserError {
  return new UserError({
    code: 'address-unnamed',
    what: `The model ${spec} would be asked at ${url}, which you have not named for the keys of ${name}.`,
    why: 'The address comes from a journal, a run-set or a row of a fleet, and whoever wrote it would get the key.',
    fix: `If the server is yours, run \`polya trust --address ${name}=${url}\`, or set ${baseUrlVariable}.`,
  });
}
