/** Which hosts a run can go to: what it asks of one, what a worker has, and what pins it to where it was begun. Pure. */
import type { Header } from '../../core/event.ts';
import type { OwnCode, RunNeeds, WorkerInfo } from '../../core/fleet.ts';
import type { Brief, Family } from '../../core/problem.ts';
import type { LanguageId, SandboxInfo, Toolchain } from '../../core/sandbox.ts';

/**
 * Without the files that are sent along. `isOwn`: whether a model of that name is one of the user's own code, which asks for
 * what it needs itself. `languages`: whose toolchains it needs beside those that its problem names.
 */
export function needsOf(
  { problem, codeVersion, sandbox, models, code = [] }: Header,
  isOwn: (spec: string) => boolean = () => false,
  languages: readonly LanguageId[] = [],
): RunNeeds {
  const live = Object.values(models).filter(({ kind, spec }) => kind === 'live' && !isOwn(spec));
  return {
    family: problem.family,
    codeVersion,
    isolation: sandbox?.isolation ?? null,
    toolchains: toolchainsIn(
      sandbox && { toolchains: sandbox.toolchains.filter(isUsed(problem.brief, languages)) },
    ),
    providers: [...new Set(live.map(({ spec }) => providerIn(spec)))],
    code: code.map(({ file, hash }) => ({ file, hash })),
    files: [],
  };
}

/** The toolchains that the problem names, and Python, in which agents write their own programs. */
function isUsed({ environment }: Brief, languages: readonly LanguageId[]): (toolchain: Toolchain) => boolean {
  return ({ language, version }) =>
    language === 'python' || languages.includes(language) || environment.includes(version);
}

export function toolchainsIn(sandbox: Pick<SandboxInfo, 'toolchains'> | null): readonly string[] {
  return (sandbox?.toolchains ?? []).map(({ name, version }) => `${name} (${version})`);
}

/** The part before the `/` of a model's name. */
function providerIn(spec: string): string {
  return spec.split('/', 1)[0] ?? spec;
}

/** Why a worker cannot take it; null: it can. */
export function mismatchReason(needs: RunNeeds, worker: WorkerInfo): string | null {
  const { family, codeVersion, isolation, toolchains, providers } = needs;
  if (worker.only.length > 0 && !worker.only.includes(family)) return `it takes no runs of ${family}`;
  if (worker.codeVersion !== codeVersion) return `it is Polya ${worker.codeVersion}, and not ${codeVersion}`;
  const provider = providers.find((each) => !worker.providers.includes(each));
  if (provider !== undefined) return `it has no key and no server for ${provider}`;
  if (isolation !== null && isolation !== worker.isolation)
    return `its programs are isolated by ${worker.isolation ?? 'nothing'}, and not by ${isolation}`;
  const missing = toolchains.find((each) => !worker.toolchains.includes(each));
  if (missing !== undefined) return `it lacks ${missing}`;
  const own = needs.code.find(({ hash }) => !worker.code.some((copy) => copy.hash === hash));
  return own ? missingCodeReason(own, worker.code) : null;
}

function missingCodeReason({ file, hash }: OwnCode, copies: readonly OwnCode[]): string {
  const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
  const other = copies.find((copy) => nameOf(copy.file) === nameOf(file));
  const has = other ? `; the ${nameOf(file)} that it has loaded is another (hash ${brief(other.hash)})` : '';
  return `it lacks your code ${file} (hash ${brief(hash)})${has}`;
}

const brief = (hash: string): string => hash.slice(0, 8);

/** Why only this host can go on with a run; null where others can. */
export function pinnedReason(
  { models, code = [], problem }: Header,
  { travels }: Pick<Family, 'travels'>,
): string | null {
  for (const { spec, kind, baseUrl } of Object.values(models)) {
    if (kind === 'person') return `a person answers here for the model ${spec}`;
    if (spec.startsWith('scripted:')) return `the model ${spec} is a file of this host`;
    if (baseUrl !== undefined && isHere(baseUrl))
      return `the model ${spec} is a server of this host (${baseUrl})`;
  }
  const { staysBecause } = typeof travels === 'function' ? travels(problem) : {};
  if (travels) return staysBecause ?? null;
  const own = code.find(({ brings }) => brings.includes('family'));
  return own
    ? `its family ${problem.family} (${own.file}) does not say that its problems travel (\`travels: true\`)`
    : `problems of the family ${problem.family} keep files or sessions on this host`;
}

function isHere(url: string): boolean {
  return /^(?:(?:.+\.)?localhost|127\.[\d.]+|0\.0\.0\.0|\[::1?\])$/.test(URL.parse(url)?.hostname ?? '');
}
