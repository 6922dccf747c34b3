import { domainToASCII } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shownAddress } from './shown-address.js';

describe('an address on a page', () => {
  it.each([
    ['zoe@xn--bcher-kva.test', 'zoe@bücher.test'],
    ['zoe@xn--r8jz45g.xn--zckzah', 'zoe@例え.テスト'],
    ['zoe@mail.xn--80ak6aa92e.test', 'zoe@mail.аррӏе.test'],
    ['zoë@xn--strae-oqa.test', 'zoë@straße.test'],
    ['owner@acme.test', 'owner@acme.test'],
    ['google:xn--bcher-kva', 'google:xn--bcher-kva'],
    ['', ''],
  ])('%s is shown as %s', (stored, shown) => {
    expect(shownAddress(stored)).toBe(shown);
  });

  it.each(['zoe@xn--a.test', 'zoe@xn--.test', 'zoe@xn--zzzzzzzz99999.test', 'zoe@xn--bcher-kvb-.test'])(
    'keeps an ASCII domain that encodes no Unicode domain: %s',
    (stored) => {
      expect(shownAddress(stored)).toBe(stored);
    },
  );

  it('has a domain that turns back into the same stored form', () => {
    const letters = fc.constantFrom(...Array.from('azüßéжאあ中한😀09'));
    const label = fc.array(letters, { minLength: 1, maxLength: 12 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(label, (name) => {
        const ascii = domainToASCII(`${name}.test`);
        fc.pre(ascii !== '');
        const shown = shownAddress(`zoe@${ascii}`);
        expect(domainToASCII(shown.slice('zoe@'.length))).toBe(ascii);
        expect(shown).toBe(`zoe@${name}.test`);
      }),
    );
  });
});
