/** An engine that answers what it is told, by HTTP on a socket: for answers that no engine at hand gives. */
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Engine, findEngine } from '../../src/sandbox/docker/engine.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

export type Answer = {
  readonly status?: number;
  readonly body?: unknown;
  /** Without waiting for all that is sent; called when the connection is closed, which is left to the other side. */
  readonly onClosed?: () => void;
};

/** By method and path, without version and query: `GET /images/json`. What is not named is a 404. */
export type Answers = Readonly<Record<string, Answer>>;

export type Asked = { readonly what: string; readonly body: string };

export type FakeEngine = {
  readonly engine: Engine;
  readonly asked: readonly Asked[];
  close(): Promise<void>;
};

export const refusal = (status: number, message: string): Answer => ({ status, body: { message } });

export async function fakeEngine(answers: Answers): Promise<FakeEngine> {
  const folder = temporaryFolder('fake-engine');
  const path = join(folder, 'docker.sock');
  const asked: Asked[] = [];
  const all: Answers = {
    'GET /version': { body: { Version: '1', ApiVersion: '1.43', Arch: 'amd64' } },
    'GET /info': { body: { OSType: 'linux' } },
    ...answers,
  };
  const server = createServer(async (request, response) => {
    const place = new URL(request.url ?? '', 'http://engine').pathname.replace(/^\/v[\d.]+/, '');
    const what = `${request.method} ${place}`;
    const { status = 200, body = {}, onClosed } = all[what] ?? refusal(404, `no such thing: ${what}`);
    if (onClosed) request.socket.once('close', onClosed);
    asked.push({ what, body: onClosed ? '' : await text(request) });
    const kept = onClosed ? { Connection: 'keep-alive' } : {};
    response
      .writeHead(status, { 'Content-Type': 'application/json', ...kept })
      .end(`${JSON.stringify(body)}\n`);
  }).listen(path);
  server.keepAliveTimeout = 0;
  await new Promise((resolve) => server.once('listening', resolve));
  const engine = await findEngine({ env: { DOCKER_HOST: `unix://${path}` }, home: '/', uid: 0 });
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { engine, asked, close };
}
