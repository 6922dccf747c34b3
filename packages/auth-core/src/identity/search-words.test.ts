import { describe, expect, it } from 'vitest';
import { searchWord, searchWords } from './search-words.js';

const keysOf = (text: string) => searchWords(text).map(({ nameKey }) => nameKey);

describe('the words of a search text', () => {
  it.each([
    ['', []],
    [' \t ', []],
    ['Mina Sato', ['mina', 'sato']],
    ['SATO\u3000mina\u00a0', ['sato', 'mina']],
    ['Zoë  Großmann ZOË', ['großmann', 'zoe']],
    ['a bb a ccc', ['ccc', 'bb', 'a']],
    ['% _ \\ !', ['%', '_', '\\', '!']],
    ['👩🏽‍🚀 שלום', ['👩🏽‍🚀', 'שלום']],
    ['\u0301 x', ['x']],
  ])('of %j are compared in one form, each once and the longest first', (text, expected) => {
    expect(keysOf(text)).toEqual(expected);
  });

  it('are compared with addresses in the form of an address', () => {
    expect(searchWords('zoë@bücher.example')).toEqual([
      { nameKey: 'zoe@bucher.example', emailKey: 'zoë@xn--bcher-kva.example', id: undefined },
    ]);
  });

  it('are an id if they consist of at most fifteen digits', () => {
    expect(searchWords('x1 42 1234567890123456').map(({ id }) => id)).toEqual([undefined, undefined, 42]);
  });

  it('are a single word when the whole text is compared', () => {
    expect(searchWord(' Anna  MARIA ')).toEqual({
      nameKey: 'anna maria',
      emailKey: 'anna  maria',
      id: undefined,
    });
    expect(searchWord(' 7 ')).toMatchObject({ id: 7 });
    expect(searchWord(' ')).toBeUndefined();
  });
});
