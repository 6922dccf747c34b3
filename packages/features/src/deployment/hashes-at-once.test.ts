import { expect, it } from 'vitest';
import { hashesAtOnce } from './hashes-at-once.js';

it.each([
  ['one core', 1, 4, 2],
  ['two', 2, 4, 3],
  ['three', 3, 4, 3],
  ['as many as threads', 4, 4, 3],
  ['more than threads', 16, 4, 3],
  ['more, with threads for all', 16, 18, 16],
  ['one thread', 8, 1, 1],
])(
  'the default number of concurrent hashes keeps %s busy and leaves a thread to other work',
  (_, cores, threads, expected) => {
    const config = { PASSWORD_HASH_CONCURRENCY: undefined, UV_THREADPOOL_SIZE: threads };
    expect(hashesAtOnce(config, cores)).toBe(expected);
  },
);

it('the operator can set the number of concurrent hashes', () => {
  expect(hashesAtOnce({ PASSWORD_HASH_CONCURRENCY: 8, UV_THREADPOOL_SIZE: 4 }, 2)).toBe(8);
});
