/**
 * What hosts reach over the network: `node fleet-outside-child.ts FOLDER ADDRESS`. At port 8080 a provider of models, which
 * writes down when it was asked for what; at port 5432, and at a socket in the folder, the Postgres whose socket the file
 * `server.txt` names at that moment.
 */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer as httpServer } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { replyTo } from './fleet-world.ts';

const callMs = 150;
const [folder = '', address = ''] = process.argv.slice(2);

httpServer(async (request, response) => {
  let text = '';
  for await (const data of request) text += data;
  const [run = '', asked = ''] = [text.slice(0, text.indexOf(' ')), text.slice(text.indexOf(' ') + 1)];
  const atMs = Number(request.headers['x-sent-ms']);
  appendFileSync(join(folder, 'calls.log'), `${JSON.stringify({ atMs, run, asked })}\n`);
  await sleep(callMs);
  response.end(replyTo(asked));
})
  .on('error', () => undefined)
  .listen(8080, address);

function pipe(client: Socket): void {
  const server = connect(readFileSync(join(folder, 'server.txt'), 'utf8'));
  for (const [from, to] of [
    [client, server],
    [server, client],
  ] as const) {
    from.on('error', () => undefined);
    from.on('close', () => to.destroy());
    from.pipe(to);
  }
}

createServer(pipe).listen(5432, address);
createServer(pipe).listen(join(folder, '.s.PGSQL.5432'), () => writeFileSync(join(folder, 'ready'), ''));
