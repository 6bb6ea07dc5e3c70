/** A site like AtCoder's heuristic contests on this machine, over real HTTP, with our own contests. It can misbehave. */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { zipSync } from 'fflate';
import { listenHere } from '../listen.ts';
import { filesOf, type PracticeContest, practiceContest, practiceContestIds } from './contest.ts';
import { contestPage, type Layout, missingPage, type ToolLinks, taskPage, visualizerFiles } from './pages.ts';

export type ServerFault = {
  /** So many requests for this path (a part of it is enough) are answered with the status first. */
  readonly path: string;
  readonly times: number;
  /** `cut`: the connection ends in the middle of the body; `html`: a page where a file was asked for. */
  readonly does: 'cut' | 'html' | { readonly status: number; readonly headers?: Record<string, string> };
};

export type AtCoderOptions = {
  /** 0 or absent: any free port. */
  readonly port?: number;
  readonly layout?: Layout;
  /** The page links no tools. */
  readonly withoutTools?: boolean;
  /** Other tools than those of the contest. */
  readonly zip?: Uint8Array;
  /** Contests instead of those in `examples/contests`. */
  readonly contests?: readonly PracticeContest[];
  /** Pages ask for this cookie, as those of a contest that runs do. */
  readonly session?: string;
  readonly mischief?: readonly ServerFault[];
};

/** What was asked of the site, in order: for tests that look at etiquette. */
export type RecordedRequest = { readonly path: string; readonly headers: IncomingMessage['headers'] };

export type AtCoderSite = {
  /** Without a slash at the end. */
  readonly url: string;
  readonly asked: readonly RecordedRequest[];
  close(): Promise<void>;
};

export async function startAtCoder(options: AtCoderOptions = {}): Promise<AtCoderSite> {
  const contests = options.contests ?? practiceContestIds().map(practiceContest);
  const requests: RecordedRequest[] = [];
  const left = (options.mischief ?? []).map((each) => ({ ...each }));
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    requests.push({ path, headers: request.headers });
    const bad = left.find((each) => each.times > 0 && path.includes(each.path));
    const found = pageOf(path, request, contests, options);
    if (!bad) return send(response, request, found);
    left.splice(left.indexOf(bad), 1, { ...bad, times: bad.times - 1 });
    injectFault(response, bad, found);
  });
  return {
    ...(await listenHere(server, { port: options.port, name: 'The local AtCoder' })),
    asked: requests,
  };
}

type Reply = {
  readonly status: number;
  readonly type: string;
  readonly body: Uint8Array;
  readonly headers?: Record<string, string>;
};

function pageOf(
  path: string,
  request: IncomingMessage,
  contests: readonly PracticeContest[],
  options: AtCoderOptions,
): Reply {
  const url = new URL(path, 'http://localhost');
  const [, kind, id, ...rest] = url.pathname.split('/');
  const contest = contests.find((each) => each.id === id);
  if (!contest) return html(404, missingPage());
  if (kind === 'img') return fileOf(contest, rest.join('/'), options);
  if (kind !== 'contests') return html(404, missingPage());
  if (options.session && !(request.headers.cookie ?? '').includes(`REVEL_SESSION=${options.session}`)) {
    const headers = { location: `/login?continue=${encodeURIComponent(path)}` };
    return { ...html(302, ''), headers };
  }
  if (rest.length === 0) return html(200, contestPage(contest));
  if (rest.join('/') !== `tasks/${id}_a`) return html(404, missingPage());
  const lang = url.searchParams.get('lang') === 'ja' ? 'ja' : 'en';
  const links = options.withoutTools ? noLinks : linksOf(contest, options);
  return html(200, taskPage(contest, { layout: options.layout ?? 'new', links, lang }));
}

const noLinks: ToolLinks = { zip: null, windowsZip: null, visualizer: null };

function linksOf({ id }: PracticeContest, options: AtCoderOptions): ToolLinks {
  const base = `/img/${id}/${practiceArchive(id, options).hash}`;
  return { zip: `${base}.zip`, windowsZip: `${base}_windows.zip`, visualizer: `${base}.html` };
}

type ToolsArchive = { readonly bytes: Uint8Array; readonly hash: string };

const archives = new Map<string, ToolsArchive>();

function practiceArchive(id: string, { zip, contests }: AtCoderOptions): ToolsArchive {
  if (zip) return { bytes: zip, hash: 'other' };
  const own = contests?.find((each) => each.id === id);
  if (own) return toolsArchive(own);
  const known = archives.get(id) ?? toolsArchive(practiceContest(id));
  archives.set(id, known);
  return known;
}

/** When every file of the zip was changed, for its bytes not to depend on the day. */
const changed = new Date('2026-01-01T00:00:00');

export function toolsArchive(contest: PracticeContest): ToolsArchive {
  const files = Object.entries(filesOf(contest, 'tools'));
  return archiveOf(Object.fromEntries(files.map(([path, bytes]) => [`tools/${path}`, bytes])));
}

function archiveOf(files: Readonly<Record<string, Uint8Array>>): ToolsArchive {
  const bytes = zipSync(files, { level: 6, mtime: changed });
  return { bytes, hash: createHash('sha256').update(bytes).digest('hex').slice(0, 10) };
}

/** The archive for Windows holds programs and no sources. */
const windowsFiles = {
  'tools/vis.exe.txt': new TextEncoder().encode('This stands for programs built for Windows.\n'),
};

function fileOf(contest: PracticeContest, name: string, options: AtCoderOptions): Reply {
  const { hash, bytes } = practiceArchive(contest.id, options);
  const found = (type: string, body: Uint8Array): Reply => ({ status: 200, type, body });
  if (name === `${hash}.zip`) return found('application/zip', bytes);
  if (name === `${hash}_windows.zip`) return found('application/zip', archiveOf(windowsFiles).bytes);
  const drawing = visualizerFiles(contest, hash)[name];
  if (drawing !== undefined) {
    const ending = name.slice(name.lastIndexOf('.'));
    return found(types[ending] ?? 'text/javascript', new TextEncoder().encode(drawing));
  }
  const image = filesOf(contest, 'statement')[name];
  return image && name.endsWith('.png') ? found('image/png', image) : html(404, missingPage());
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.wasm': 'application/wasm',
};

function html(status: number, text: string): Reply {
  return { status, type: 'text/html; charset=utf-8', body: new TextEncoder().encode(text) };
}

/** Files are sent from where a client says it has them already. */
function send(response: ServerResponse, request: IncomingMessage, reply: Reply): void {
  const from = /^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1];
  const start = Number(from ?? 0);
  const { length } = reply.body;
  const common = { 'content-type': reply.type, 'accept-ranges': 'bytes', ...reply.headers };
  const isComplete = from === undefined || reply.status !== 200 || start >= length;
  const part = {
    'content-length': length - start,
    'content-range': `bytes ${start}-${length - 1}/${length}`,
  };
  const more = isComplete ? { 'content-length': length } : part;
  response.writeHead(isComplete ? reply.status : 206, { ...common, ...more });
  response.end(isComplete ? reply.body : reply.body.subarray(start));
}

function injectFault(response: ServerResponse, { does }: ServerFault, found: Reply): void {
  if (does === 'html') {
    const { type, body } = html(200, missingPage());
    response.writeHead(200, { 'content-type': type });
    response.end(body);
  } else if (does === 'cut') {
    response.writeHead(found.status, { 'content-type': found.type, 'content-length': found.body.length });
    response.write(found.body.subarray(0, Math.ceil(found.body.length / 2)), () => response.destroy());
  } else {
    response.writeHead(does.status, does.headers);
    response.end();
  }
}
