import { expect, it } from 'vitest';
import { filesOfPart } from './test/files-of-part.js';

it('are `pnpm test` and `pnpm test:rest`, which share no file and leave none out', async () => {
  const [usual, rest, all] = await Promise.all([
    filesOfPart('usual'),
    filesOfPart('rest'),
    filesOfPart(undefined),
  ]);
  expect(usual.length).toBeGreaterThan(100);
  expect(rest.length).toBeGreaterThan(10);
  expect([...usual, ...rest].toSorted()).toEqual(all.toSorted());
}, 120_000);
