import { expect, test } from 'vitest';
import { until } from '../../../test/support/until.ts';
import { followWindow, type Size } from './workspace-shell.ts';

function windowOf(size: Size) {
  const window = { at: size, changed: () => {} };
  const onResize = (listener: () => void) => {
    window.changed = listener;
    return () => {
      window.changed = () => {};
    };
  };
  return { window, spec: { size: () => window.at, onResize } };
}

const small = { rows: 31, columns: 97 };
const large = { rows: 40, columns: 120 };

test('a size that has to be told again is not heard after the one that followed it', async () => {
  const { window, spec } = windowOf(small);
  const heard: Size[] = [];
  const refusals: (() => void)[] = [];
  let underWay = 0;
  const end = followWindow(spec, async (size) => {
    expect(++underWay).toBe(1);
    if (heard.length === 0 && refusals.length === 0)
      await new Promise<void>((_, reject) =>
        refusals.push(() => reject(new Error('no terminal yet'))),
      ).finally(() => underWay--);
    else underWay--;
    heard.push(size);
  });
  Object.assign(window, { at: large });
  window.changed();
  refusals[0]?.();
  await until(() => heard.length === 2);
  expect(heard).toEqual([large, large]);
  end();
});

test('nobody is told anything once it is over', async () => {
  const { window, spec } = windowOf(small);
  const told: Size[] = [];
  const end = followWindow(spec, async (size) => {
    told.push(size);
    throw new Error('no terminal any more');
  });
  const { changed } = window;
  end();
  changed();
  window.changed();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(told).toEqual([small]);
});
