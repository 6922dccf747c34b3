import { describe, expect, it } from 'vitest';
import { addressesIn } from './addresses-in.js';

describe('the addresses in a pasted text', () => {
  it.each([
    ['', []],
    [' \r\n , ;', []],
    ['a@b.test\r\nc@d.test', ['a@b.test', 'c@d.test']],
    ['a@b.test, c@d.test;e@f.test g@h.test', ['a@b.test', 'c@d.test', 'e@f.test', 'g@h.test']],
    ['Ada Byron <ada@b.test>, "Sato" <mina@d.test>', ['ada@b.test', 'mina@d.test']],
    ['A@b.test\na@B.test', ['A@b.test']],
    ['no address', ['no', 'address']],
  ])('are read from %j', (text, addresses) => {
    expect(addressesIn(text)).toEqual(addresses);
  });
});
