/**
 * A workspace on its way to a host that takes a run of it: the files that the functions of the problem read, and what
 * configuration, library and past contests are for it here. No other file of it, and no key, goes along.
 */
import { z } from 'zod';
import { JournalError } from '../../../core/errors.ts';
import type { Folder, Io } from '../../../core/io.ts';
import { jsonIn } from '../../../core/json.ts';
import type { Portability, ProblemSpec } from '../../../core/problem.ts';
import type { ConfigValue } from '../config/keys.ts';
import { resolveConfig } from '../config/layer.ts';
import { contestDatabase } from '../database/database.ts';
import type { PastContest } from '../database/record.ts';
import { layout } from '../layout.ts';
import type { Library } from '../library/library.ts';
import type { Workspace } from '../workspace.ts';
import { contestInfo, parseReference } from './facts.ts';
import type { AhcParts } from './services.ts';

/** What its functions read of the configuration. */
const keysRead = [
  ...['docker.compilation_timeout', 'docker.execution_timeout', 'evaluation.jobs'],
  ...['direction', 'scoring', 'interactive', 'time_limit', 'memory_limit'].map((name) => `contest.${name}`),
];

const aboutFile = 'about.json';

/** Written below, by the same version of Polya: its hash is checked, and its larger parts are what they were. */
const aboutSchema = z.object({
  config: z.record(z.string(), z.custom<ConfigValue>()),
  library: z.custom<Library>(),
  contests: z.array(z.custom<PastContest>()),
});

export function contestPortability(parts: AhcParts, spec: ProblemSpec): Portability {
  const { tools } = contestInfo(spec).contest;
  return {
    folder: {
      path: parseReference(spec.reference).workspace,
      contents: () => contentsOf(parts, spec),
    },
    languages: tools ? ['rust'] : [],
  };
}

async function contentsOf(parts: AhcParts, spec: ProblemSpec): Promise<ReadonlyMap<string, Uint8Array>> {
  const { workspace: path, problemFile } = parseReference(spec.reference);
  const { folder, config } = await parts.openWorkspace(path);
  const selected = new Set(contestInfo(spec).cases.map((name) => `${name}.txt`));
  const below = async (place: string, isRead: (name: string, at: number) => boolean = () => true) =>
    (await folder.files(place)).filter(isRead).map((name) => `${place}/${name}`);
  const names = [
    ...[layout.contest, layout.statement],
    ...(await below(layout.images)),
    ...(await below(layout.samples)),
    ...(await below(layout.crate, (name) => !/^(in|out|target)\//.test(name))),
    // One at least: without any, the samples would be meant.
    ...(await below(layout.inputs, (name, at) => at === 0 || selected.has(name))),
    ...(await below(layout.made, (name) => selected.has(name))),
  ];
  const contents = new Map<string, Uint8Array>();
  for (const name of names) {
    const bytes = await folder.readBytes(name);
    if (bytes) contents.set(name, bytes);
  }
  const statement = problemFile === null ? null : await parts.files.read(problemFile);
  const put = (name: string, text: string) => contents.set(name, new TextEncoder().encode(text));
  if (statement !== null) put(layout.statement, statement);
  const subject: z.infer<typeof aboutSchema> = {
    config: Object.fromEntries(keysRead.map((key) => [key, config.get(key)])),
    library: await parts.openLibrary(path),
    contests: [...(await parts.openDatabase(path)).all],
  };
  put(aboutFile, JSON.stringify(subject));
  return contents;
}

/** Parts that read what was sent, where the run has come from another host. */
export function partsAt<T extends AhcParts>(parts: T, { userFolder }: Pick<Io, 'userFolder'>): T {
  if (!userFolder) return parts;
  const sent = (path: string): Folder => {
    const folder = userFolder(path);
    if (folder) return folder;
    throw new JournalError({
      code: 'sent-file-gone',
      what: `The workspace ${path} did not come with its run.`,
      fix: 'Go on with the set on the host that has the workspace: it is sent again.',
    });
  };
  return {
    ...parts,
    openWorkspace: async (path) => workspaceIn(sent(path)),
    openLibrary: async (path) => (await readWorkspaceInfo(sent(path))).library,
    openDatabase: async (path) =>
      contestDatabase((await readWorkspaceInfo(sent(path))).contests, { index: parts.indexTexts }),
  };
}

async function workspaceIn(folder: Folder): Promise<Workspace> {
  const values = new Map(Object.entries((await readWorkspaceInfo(folder)).config));
  const config = resolveConfig([{ source: 'the host that gave it out', values, warnings: [] }], {});
  return { id: folder.path.slice(folder.path.lastIndexOf('/') + 1), folder, config };
}

const read = new WeakMap<Folder, Promise<z.infer<typeof aboutSchema>>>();

function readWorkspaceInfo(folder: Folder): Promise<z.infer<typeof aboutSchema>> {
  const known = read.get(folder) ?? folder.read(aboutFile).then((text) => aboutSchema.parse(jsonIn(text)));
  read.set(folder, known);
  return known;
}
