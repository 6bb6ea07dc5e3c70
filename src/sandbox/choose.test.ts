import { expect, test } from 'vitest';
import { UserError } from '../core/errors.ts';
import { backendNames, chosenSandbox, probeBackends } from './choose.ts';

test('a back-end that there is not is refused at once, with those that there are', () => {
  const refused = () => chosenSandbox({ backend: 'chroot' });
  expect(refused).toThrow(UserError);
  expect(refused).toThrow(/no back-end "chroot".*Choose one of bubblewrap/);
});

test('the one that is named is taken, else the first that works', async () => {
  expect((await chosenSandbox({ backend: 'bubblewrap' }).info()).backend).toBe('bubblewrap');
  expect((await chosenSandbox().info()).backend).toBe('bubblewrap');
});

test('each is tried, and says of itself whether it works', async () => {
  const probed = await probeBackends();
  expect(probed.map(({ name }) => name)).toEqual(backendNames);
  const [first] = probed;
  expect(first).toMatchObject({ name: 'bubblewrap', works: true, version: expect.stringMatching(/^\d/) });
});
