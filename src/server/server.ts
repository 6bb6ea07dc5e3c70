/** `polya view`: serves the page and its routes on this machine. Several may look at once; looking changes no run. */
import { spawnSync } from 'node:child_process';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { serve } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { UnavailableError, UserError } from '../core/errors.ts';
import type { Journals } from '../open/options.ts';
import { createAccess } from './access.ts';
import { api } from './api.ts';
import type { Commands } from './commands.ts';
import { createGuard, rejectRequest } from './guard.ts';
import type { PanelsOf } from './routes.ts';
import { type OnServerError, toErrorPayload } from './stream.ts';

type PageServer = {
  readonly url: string;
  /** For scripts, as a bearer. */
  readonly token: string;
  /** An address that its user can open once. */
  createLink(): string;
  close(): Promise<void>;
};

export type PageOptions = {
  readonly polya: Journals;
  /** The folder of the page's files. */
  readonly page: string;
  /** 0 is any that is free. */
  readonly port?: number;
  readonly isReadOnly?: boolean;
  readonly onTrouble?: OnServerError;
  /** Without them nothing can be begun from the page. */
  readonly commands?: Commands;
  /** What an app shows of a run. Absent: runs have no panels. */
  readonly apps?: PanelsOf;
};

const host = '127.0.0.1';
const largestBodyBytes = 1024 ** 2;
const tooLarge = 'What is posted has at most 1 MB. Nothing was taken of this.';
const farewellMs = 50;

/** Throws `UserError` where the port is taken. */
export async function servePage({
  polya,
  page,
  port = 0,
  isReadOnly = false,
  onTrouble,
  commands,
  apps,
}: PageOptions): Promise<PageServer> {
  const access = createAccess();
  const abort = new AbortController();
  let actual = port;
  const secret = `/${randomBytes(6).toString('hex')}`;
  const getPath = ({ url }: Request): string => {
    const { pathname } = new URL(url);
    return pathname.startsWith(`${secret}/`) ? pathname.slice(secret.length) : pathname;
  };
  const app = new Hono({ getPath });
  app.use(createGuard({ access, secret, port: () => actual }));
  const refuseSize = (context: Context) => {
    // The rest of it is not read, so that nothing more can be asked on this connection.
    context.header('connection', 'close');
    return rejectRequest(context, 413, tooLarge);
  };
  app.use(bodyLimit({ maxSize: largestBodyBytes, onError: refuseSize }));
  app.onError((error, context) => {
    // What its asker can mend is no trouble of the server.
    if (error instanceof UserError) return rejectRequest(context, 409, error.message);
    onTrouble?.(error);
    return context.json(toErrorPayload(error), 500);
  });
  app.notFound((context) => rejectRequest(context, 404, 'There is nothing at this address.'));
  const createLink = (): string => `http://${host}:${actual}${secret}/?token=${access.createLinkCode()}`;
  app.post('/api/v1/links', (context) => context.json({ link: createLink() }));
  app.route('/api/v1', api({ polya, isReadOnly, closing: abort.signal, commands, apps, onTrouble }));
  app.get('/:file{[a-zA-Z0-9_.-]+}?', (context) => {
    const name = context.req.param('file') || 'index.html';
    const file = fileIn(page, name);
    if (!file) return context.json({ error: `There is no ${name} here.` }, 404);
    return context.body(new Uint8Array(file), 200, { 'content-type': types[extname(name)] ?? 'text/plain' });
  });
  const { server, found } = await listen(app, port);
  actual = found;
  return {
    url: `http://${host}:${found}${secret}/`,
    token: access.token,
    createLink,
    close: async () => {
      abort.abort();
      const closed = new Promise((resolve) => server.close(resolve));
      // Those who listen are told of the end; who does not read it in time is not waited for.
      await sleep(farewellMs);
      if ('closeAllConnections' in server) server.closeAllConnections();
      await closed;
    },
  };
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

function fileIn(folder: string, name: string): Buffer | null {
  try {
    return readFileSync(join(folder, name));
  } catch {
    return null;
  }
}

function listen(app: Hono, port: number) {
  return new Promise<{ server: ReturnType<typeof serve>; found: number }>((resolve, reject) => {
    const server = serve({ fetch: app.fetch, hostname: host, port }, (info) =>
      resolve({ server, found: info.port }),
    );
    server.on('error', (error) =>
      reject(
        new UserError({
          code: 'port-taken',
          what: `The page cannot be served at port ${port}: ${error.message}.`,
          fix: 'Name another port with --port, or leave it out.',
        }),
      ),
    );
  });
}

const sources = join(import.meta.dirname, '..');
const root = join(sources, '..');

/** The rooms that the page is made of. */
const rooms = '{web,core,text,notes,grids}/**/*';

/** Throws `UnavailableError` where it has to be built and cannot be. */
export function pageFolder(cache: string): string {
  const packaged = join(sources, 'web');
  if (existsSync(join(packaged, 'page.js'))) return packaged;
  const folder = join(cache, 'page', markOfSources());
  if (existsSync(folder)) return folder;
  const draft = `${folder}.${randomUUID()}`;
  mkdirSync(join(cache, 'page'), { recursive: true });
  const script = join(root, 'scripts', 'page.ts');
  const { status, stderr } = spawnSync(process.execPath, [script, draft], { encoding: 'utf8' });
  if (status !== 0) throw notBuilt(stderr);
  try {
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    // Another process has built the same.
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

function markOfSources(): string {
  const hash = createHash('sha256');
  for (const name of globSync(rooms, { cwd: sources }).toSorted()) {
    const { mtimeMs, size, ino } = statSync(join(sources, name));
    hash.update(`${name} ${mtimeMs} ${size} ${ino}\n`);
  }
  hash.update(String(statSync(join(root, 'package-lock.json')).mtimeMs));
  return hash.digest('hex').slice(0, 16);
}

function notBuilt(stderr: string): UnavailableError {
  const [first = ''] = stderr.trim().split('\n');
  return new UnavailableError({
    code: 'page-not-built',
    what: 'The page could not be built.',
    why: /Cannot find package/.test(stderr) ? 'What builds it is not installed.' : first,
    fix: 'Run `npm ci` in the clone; `npm ci --omit=dev` leaves out what builds the page.',
  });
}
