/** A line to a server that can be cut, and can lose a receipt: what was asked for is done, and its answer never comes. */

import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export type Line = {
  readonly port: number;
  /** From now on nobody gets through, and who is connected is cut off. */
  cut(): void;
  mend(): void;
  /** Answers wait until they may pass. */
  hold(): void;
  pass(): void;
  /** The next answer to a message that holds these words is lost, with its connection. */
  loseAnswerTo(words: string): void;
  /** How many answers were lost so. */
  lost(): number;
  close(): void;
};

export async function lineTo(socketFile: string): Promise<Line> {
  const open = new Set<Socket>();
  let [isCut, isHeld, words, lost] = [false, false, '', 0];
  const targets = new Set<Socket>();
  const server = createServer((client) => {
    const target = connect(socketFile);
    let isDoomed = false;
    targets.add(target);
    if (isHeld) target.pause();
    for (const side of [client, target]) {
      open.add(side);
      side.on('error', () => undefined);
      side.on('close', () => {
        open.delete(side);
        targets.delete(target);
        client.destroy();
        target.destroy();
      });
    }
    if (isCut) client.destroy();
    client.on('data', (data) => {
      if (words !== '' && data.includes(words)) {
        words = '';
        isDoomed = true;
      }
      target.write(data);
    });
    target.on('data', (data) => {
      if (!isDoomed) client.write(data);
      // `C`: the statement is complete, and so is its transaction.
      else if (data.includes('C\0\0\0') && data.includes('Z\0\0\0\u0005I')) {
        lost += 1;
        client.destroy();
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    cut() {
      isCut = true;
      for (const each of open) each.destroy();
    },
    mend() {
      isCut = false;
    },
    hold() {
      isHeld = true;
      for (const each of targets) each.pause();
    },
    pass() {
      isHeld = false;
      for (const each of targets) each.resume();
    },
    loseAnswerTo(asked) {
      words = asked;
    },
    lost: () => lost,
    close() {
      server.close();
      for (const each of open) each.destroy();
    },
  };
}
