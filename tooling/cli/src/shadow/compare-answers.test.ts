import { describe, expect, it } from 'vitest';
import type { Json } from '../record/json.js';
import { compareAnswers } from './compare-answers.js';
import { DELIBERATE_DIFFERENCES } from './deliberate-differences.js';
import type { PlayedExchange } from './played-exchange.js';
import type { PlayedAnswer } from './send-played.js';

const answer = (body: Json): PlayedAnswer => ({
  status: 200,
  mediaType: 'application/json',
  location: undefined,
  text: JSON.stringify(body),
  body,
});

const compare = (old: Json, other: Json) =>
  compareAnswers(answer(old), answer(other), { creates: false, nowMs: Date.now() });

const list = (ids: readonly number[], page?: Json) => ({
  status: true,
  data: ids.map((id) => ({ id, name: `Member ${id}` })),
  ...(page === undefined ? {} : { page }),
});

describe('a comparison of two answers', () => {
  it('finds a row that the new list contains twice', () => {
    expect(compare(list([1, 2]), list([1, 2, 2]))).toMatchObject([
      { place: 'body.data[]', old: undefined, new: { id: 2 } },
    ]);
    expect(compare(list([2, 1]), list([1, 2]))).toEqual([]);
  });

  it('finds another code of an affiliate, and treats two tokens as equal', () => {
    const row = (code: string, token: string) => ({ status: true, data: [{ id: 1, code, token }] });
    expect(compare(row('SPRING', 'a'), row('AUTUMN', 'b'))).toMatchObject([{ place: 'body.data[].code' }]);
  });

  it('excuses rows after the first page of the new list, but none before its end', () => {
    const rule = DELIBERATE_DIFFERENCES.find(({ row }) => row === 'Lists return 50 rows');
    const [old, other] = [list([1, 2, 3, 4, 5]), list([1, 3], { nextCursor: 'next' })];
    const exchange = { old: answer(old), new: answer(other) } as PlayedExchange;
    const found = compareAnswers(exchange.old, exchange.new, { creates: false, nowMs: Date.now() });
    const excused = found.map((each) => [each.old, rule?.explains?.(each, exchange)]);
    expect(excused).toEqual([
      [{ id: 2, name: 'Member 2' }, false],
      [{ id: 4, name: 'Member 4' }, true],
      [{ id: 5, name: 'Member 5' }, true],
    ]);
  });
});
