import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { debianPackages } from '../needs.ts';
import { containerUids } from './container.ts';
import { toolchainImage } from './our-images.ts';

const dockerfile = readFileSync(join(import.meta.dirname, 'image', 'Dockerfile'), 'utf8');

test('the image has what setup installs on a machine, but for the sandbox that it is itself', () => {
  const words = new Set(dockerfile.split(/\s+/));
  expect(debianPackages().filter((name) => !words.has(name))).toEqual(['bubblewrap']);
});

test('its users are those that containers run as', () => {
  const { first, count } = containerUids;
  expect(dockerfile).toContain(`seq ${first} ${first + count - 1})`);
});

test('it is named after what it is made of', async () => {
  const { name, digest } = await toolchainImage();
  expect(name).toBe(`polya-sandbox:${digest}`);
  expect(await toolchainImage()).toEqual({ name, digest });
});
