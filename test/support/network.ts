/**
 * Hosts on a network of their own, as network namespaces: a switch, and cables that can be pulled. It is gone with this
 * process, for it has no names: each namespace lives as long as a process that waits for our end. Only root can make it.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readlinkSync } from 'node:fs';
import { until } from './until.ts';

export type NetworkHost = {
  /** A command that starts another on this host. */
  readonly inside: readonly string[];
  /** What is sent to it or by it is lost, without a word. */
  cut(): void;
  mend(): void;
};

export type Network = {
  /** Of what is at the switch itself. */
  readonly address: string;
  readonly inside: readonly string[];
  readonly hosts: readonly NetworkHost[];
  close(): Promise<void>;
};

const net = '10.77.0';

export async function openNetwork(count: number): Promise<Network> {
  const spaces = await Promise.all(Array.from({ length: count + 1 }, newSpace));
  const [middle, ...others] = spaces;
  if (!middle) throw new Error('There is no network.');
  const run = (space: Space, ...args: readonly string[]): void => {
    const [program = '', ...rest] = [...space.inside, 'ip', ...args];
    execFileSync(program, rest, { stdio: ['ignore', 'ignore', 'inherit'] });
  };
  run(middle, 'link', 'set', 'lo', 'up');
  run(middle, 'link', 'add', 'br0', 'type', 'bridge');
  run(middle, 'address', 'add', `${net}.1/24`, 'dev', 'br0');
  run(middle, 'link', 'set', 'br0', 'up');
  const hosts = others.map((space, index) => {
    const cable = `v${index}`;
    run(middle, 'link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', `${space.pid}`);
    run(middle, 'link', 'set', cable, 'master', 'br0', 'up');
    run(space, 'address', 'add', `${net}.${index + 10}/24`, 'dev', 'eth0');
    run(space, 'link', 'set', 'eth0', 'up');
    run(space, 'link', 'set', 'lo', 'up');
    return {
      inside: space.inside,
      cut: () => run(middle, 'link', 'set', cable, 'nomaster'),
      mend: () => run(middle, 'link', 'set', cable, 'master', 'br0'),
    };
  });
  return {
    address: `${net}.1`,
    inside: middle.inside,
    hosts,
    close: async () => void (await Promise.all(spaces.map((space) => space.close()))),
  };
}

type Space = { readonly pid: number; readonly inside: readonly string[]; close(): Promise<unknown> };

async function newSpace(): Promise<Space> {
  const child = spawn('unshare', ['--net', 'cat'], { stdio: ['pipe', 'ignore', 'inherit'] });
  const { pid = 0 } = child;
  const ended = once(child, 'exit');
  const space = () => readlinkSync(`/proc/${pid}/ns/net`);
  await until(() => space() !== readlinkSync('/proc/self/ns/net'));
  return {
    pid,
    inside: ['nsenter', `--net=/proc/${pid}/ns/net`],
    close: () => {
      child.stdin.end();
      return ended;
    },
  };
}
