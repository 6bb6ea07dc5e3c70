/** A server that passes everything on to another one and remembers what it was asked, headers included. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';

type Asked = { readonly what: string; readonly headers: IncomingHttpHeaders; readonly atMs: number };

export type RecordingProxy = AsyncDisposable & { readonly url: string; readonly asked: Asked[] };

export async function startRecordingProxy(target: string): Promise<RecordingProxy> {
  const asked: Asked[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const { method = 'GET', url = '/', headers } = incoming;
    asked.push({ what: `${method} ${url}`, headers, atMs: Date.now() });
    let body = '';
    for await (const chunk of incoming) body += String(chunk);
    const { host: _host, connection: _connection, 'transfer-encoding': _encoding, ...rest } = headers;
    const reply = await request(target + url, {
      method: method === 'POST' ? 'POST' : 'GET',
      headers: rest,
      ...(method === 'POST' ? { body } : {}),
    });
    const location = reply.headers.location;
    outgoing.writeHead(reply.statusCode, typeof location === 'string' ? { location } : {});
    outgoing.end(await reply.body.text());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('No port.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
