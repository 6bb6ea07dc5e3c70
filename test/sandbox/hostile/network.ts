/** Programs that want to talk: to this machine, to others, to the kernel. */

import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { Bench } from '../bench.ts';
import { uniqueMarker } from './host-processes.ts';

export function networkTests({ python, isolates }: Bench): void {
  if (!isolates) return;
  describe('network', () => {
    test('there is none, not even to this machine', async () => {
      const heard: string[] = [];
      const tcp = createServer((socket) => socket.on('data', () => heard.push('TCP')));
      const udp = createSocket('udp4').on('message', () => heard.push('UDP'));
      const abstract = `\0${uniqueMarker('polya')}`;
      const unix = createServer(() => heard.push('abstract'));
      try {
        const port = await portOf(tcp);
        udp.bind(0, '127.0.0.1');
        await once(udp, 'listening');
        unix.listen({ path: abstract });
        await once(unix, 'listening');
        const step = await python(source, {
          args: [String(port), String(udp.address().port), abstract.slice(1)],
        });
        expect(step.stdout.text).toBe('no names\n');
        expect(heard).toEqual([]);
      } finally {
        tcp.close();
        udp.close();
        unix.close();
      }
    });

    test('programs of one sandbox may talk to themselves', async () => {
      const step = await python(`
import os, socket
a, b = socket.socketpair(); a.send(b'pair'); print(b.recv(9).decode())
s = socket.socket(socket.AF_UNIX); s.bind('\\0mine'); s.listen()
if os.fork() == 0:
    c = socket.socket(socket.AF_UNIX); c.connect('\\0mine'); c.send(b'abstract'); os._exit(0)
print(s.accept()[0].recv(9).decode())`);
      expect(step.stdout.text).toBe('pair\nabstract\n');
    });
  });
}

const source = `
import socket, sys
tcp, udp, abstract = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
addresses = [('127.0.0.1', tcp), ('127.0.0.1', udp), ('1.1.1.1', 53), ('169.254.169.254', 80), ('172.17.0.1', tcp), ('10.0.0.1', 80)]
for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
    for address in addresses:
        try:
            s = socket.socket(socket.AF_INET, kind); s.settimeout(0.5); s.connect(address); s.send(b'x'); s.send(b'x')
            print('reached', kind, address)
        except OSError: pass
try:
    s = socket.socket(socket.AF_INET6, socket.SOCK_STREAM); s.settimeout(0.5); s.connect(('::1', tcp)); print('reached ::1')
except OSError: pass
for path in ('\\0' + abstract, '/run/docker.sock', '/run/systemd/journal/socket', '/run/dbus/system_bus_socket', '/dev/log'):
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
        try:
            s = socket.socket(socket.AF_UNIX, kind); s.connect(path); print('reached', repr(path))
        except OSError: pass
families = {'netlink': 16, 'packet': 17, 'vsock': 40, 'alg': 38, 'bluetooth': 31, 'can': 29, 'tipc': 30, 'xdp': 44, 'x25': 9, 'key': 15}
for name, family in families.items():
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET):
        try: socket.socket(family, kind); print('family', name); break
        except OSError: pass
for kind in (socket.SOCK_RAW,):
    try: socket.socket(socket.AF_INET, kind, 1); print('raw')
    except OSError: pass
try: print(socket.gethostbyname('example.com'))
except OSError: print('no names')`;

async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('A server without a port.');
  return address.port;
}
