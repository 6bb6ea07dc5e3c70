/** A world with the real sandbox, whose agent makes a file grow call by call, in several languages. */
import { chooseSandbox } from '../../src/sandbox/choose.ts';
import { answered, oddWorld } from './odd.ts';

export const calls = 5;

const append = (n: number) => `
import os
with open('log.txt', 'a') as log: log.write('${n} ')
os.makedirs('data', exist_ok=True)
open('data/${n}.bin', 'wb').write(bytes(range(256)) * ${n})
if os.fork() == 0:
    import time
    os.setsid(); time.sleep(60)
print(open('log.txt').read(), sorted(os.listdir('data')), len([p for p in os.listdir('/proc') if p.isdigit()]))`;

const total = `
#include <filesystem>
#include <fstream>
#include <iostream>
int main() {
  std::ifstream log("log.txt");
  std::string line; std::getline(log, line);
  std::uintmax_t bytes = 0;
  for (auto &entry : std::filesystem::directory_iterator("data")) bytes += entry.file_size();
  std::cout << line << bytes;
}`;

export function sessionWorld(folder: string) {
  return oddWorld({
    folder,
    io: { sandbox: chooseSandbox() },
    solve: async (run) => {
      const session = run.session();
      let last = '';
      for (let n = 1; n <= calls; n += 1) {
        const { run: step } = await session.exec({ language: 'python', source: append(n) });
        last = step?.stdout.text ?? '';
      }
      const { run: step } = await session.exec({ language: 'cpp', source: total });
      return answered(`${last}${step?.stdout.text}`);
    },
  });
}
