import { createHash } from 'node:crypto';
import { domainToASCII } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalAddress, readableAddress, vouchedAddress } from './canonical-address.js';
import { emailKey } from './email-address.js';

const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.string());
const letters = fc.constantFrom(...Array.from('azAZ09.-_ſKÅßẞςσΣİıéëЖжאａＡ１ⅷﬁ①²ü\u0308\u0331中かが\u3099'));
const label = fc.array(letters, { minLength: 1, maxLength: 8 }).map((parts) => parts.join(''));
const address = fc
  .tuple(
    label,
    fc.constantFrom('@', '＠', '﹫'),
    label,
    fc.constantFrom('.test', '．ｔｅｓｔ', '.рф', '。xn--p1ai'),
  )
  .map((parts) => parts.join(''));

describe('the canonical form of an address', () => {
  it.each([
    ['Owner@Acme.Test', 'owner@acme.test'],
    ['  owner@acme.test\t ', 'owner@acme.test'],
    ['owner＠acme.test', 'owner@acme.test'],
    ['ｏｗｎｅｒ@ａｃｍｅ．ｔｅｓｔ', 'owner@acme.test'],
    ['ﬁ@acme.test', 'fi@acme.test'],
    ['joſe@acme.test', 'jose@acme.test'],
    ['\u212Aim@acme.test', 'kim@acme.test'],
    ['ΣΟΦΟΣ@acme.test', 'σοφος@acme.test'],
    ['σοφος@acme.test', 'σοφος@acme.test'],
    ['σοφοσ@acme.test', 'σοφοσ@acme.test'],
    ['zoe\u0308@acme.test', 'zoë@acme.test'],
    ['H\u0331@acme.test', '\u1e96@acme.test'],
    ['zoe@Bücher.example', 'zoe@xn--bcher-kva.example'],
    ['zoe@bu\u0308cher.example', 'zoe@xn--bcher-kva.example'],
    ['zoe@XN--BCHER-KVA.example', 'zoe@xn--bcher-kva.example'],
    ['zoe@STRAẞE.example', 'zoe@xn--strae-oqa.example'],
    ['zoe@ΣΟΦΟΣ.example', 'zoe@xn--0xaakcn.example'],
    ['zoe@ﾃｽﾄ.example', 'zoe@xn--zckzah.example'],
    ['zoe@Mail.BÜCHER｡Example', 'zoe@mail.xn--bcher-kva.example'],
    ['zoe@ПОЧТА.рф', 'zoe@xn--80a1acny.xn--p1ai'],
    ['zoe@xn--80a1acny.РФ', 'zoe@xn--80a1acny.xn--p1ai'],
    ['zoe@faß.example', 'zoe@xn--fa-hia.example'],
    ['zoe@مثال.إختبار', 'zoe@xn--mgbh0fb.xn--kgbechtv'],
    ['zoe﹫acme.test', 'zoe@acme.test'],
    ['\u3000zoe@acme.test\u00a0', 'zoe@acme.test'],
    ['zoe@acme.test\ufeff', 'zoe@acme.test'],
    ['ｚoë+Ｓhop@acme.test', 'zoë+shop@acme.test'],
    ['ŻÓŁĆ@acme.test', 'żółć@acme.test'],
    ['zoe@例え。テスト', 'zoe@xn--r8jz45g.xn--zckzah'],
  ])('of %j is %j', (typed, form) => {
    expect(canonicalAddress(typed)).toBe(form);
  });

  it.each([
    'zoe@xn--a.example',
    'zoe@xn--.example',
    'zoe@xn--bcher-kvb.example',
    'zoe@xn--Bcher-Kva\u0308.example',
    'zoe@xn--fiqs8s\u200d.example',
    'zoe@1א.example',
    'zoe@☃.example',
    'zoe@xn--n3h.example',
    'zoe@a_b.example',
    'zoe@acme.test.',
    'zoe@127.0.0.1',
    'zoe@ac%6de.test',
    'zoe@acme.test/x',
    `zoe@${'a'.repeat(64)}.test`,
    `zoe@${'ü'.repeat(60)}.test`,
    `${'ü'.repeat(33)}@acme.test`,
    '\u{e000}@acme.test',
    '\u0378@acme.test',
    'zoe@acme。test。',
    'zoe@１２７.０.０.１',
    'zoe@[127.0.0.1]',
    'zoe@[IPv6:2001:db8::7]',
    'zoe@@acme.test',
    'zoe＠@acme.test',
    'zoe@acme＠evil.test',
    'Zoe <zoe@acme.test>',
    'mailto:zoe@acme.test',
    'zoe@acme.test, ann@acme.test',
    'zoe@acme.test\u0000',
    'zoe@acme..test',
    'zoe@.acme.test',
    'zoe@-acme.test',
    'owner',
    '',
  ])('of %j does not exist', (typed) => {
    expect(canonicalAddress(typed)).toBeUndefined();
  });

  it.each(['\u200b', '\u200d', '\u2060', '\u00ad', '\u202e', '\ufe0f', '\u180e'])(
    'creates no second mailbox for an address that contains the invisible character %j',
    (invisible) => {
      for (const typed of [
        `zo${invisible}e@acme.test`,
        `zoe${invisible}@acme.test`,
        `zoe@acme.test${invisible}`,
        `zoe@ac${invisible}me.test`,
      ])
        expect([undefined, 'zoe@acme.test']).toContain(canonicalAddress(typed));
    },
  );

  it('keeps accents before the at sign: two people may differ by one', () => {
    expect(canonicalAddress('zoë@acme.test')).not.toBe(canonicalAddress('zoe@acme.test'));
  });

  it('does not change when it is canonicalized again, and is also its own key', () => {
    fc.assert(
      fc.property(fc.oneof(address, anyText), (text) => {
        const form = canonicalAddress(text);
        if (form === undefined) return;
        expect(canonicalAddress(form)).toBe(form);
        expect(vouchedAddress(form)).toBe(form);
        expect(emailKey(form)).toBe(form);
        expect(canonicalAddress(readableAddress(form))).toBe(form);
      }),
      { numRuns: 5000 },
    );
  });

  it('does not depend on case, on Unicode normal form or on the spelling of the domain', () => {
    const plain = fc.stringMatching(/^[abcxyzäöüéèñçøåабвгджяαβγδω0-9+_]+$/);
    fc.assert(
      fc.property(plain, fc.constantFrom('NFC', 'NFD', 'NFKC', 'NFKD'), (text, normalForm) => {
        const domain = `${text.replaceAll(/[+_]/g, '')}b.test`;
        const form = canonicalAddress(`${text}b@${domain}`);
        expect(form).toBeDefined();
        for (const spelling of [domain, domain.toUpperCase(), domainToASCII(domain)]) {
          expect(canonicalAddress(`${text}b@${spelling}`.normalize(normalForm))).toBe(form);
          expect(canonicalAddress(`${text.toUpperCase()}B@${spelling}`)).toBe(form);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('is the same on every release of Node', () => {
    const digest = createHash('sha256');
    // Blocks in which every code point has been assigned for years.
    for (const [first, last] of [
      [0x01, 0x24f],
      [0x300, 0x36f],
      [0x1e00, 0x1eff],
      [0x2100, 0x214f],
      [0x2460, 0x24ff],
      [0x3041, 0x3096],
      [0xac00, 0xac7f],
      [0xff01, 0xff5e],
    ] as const) {
      for (let code = first; code <= last; code += 1) {
        const letter = String.fromCodePoint(code);
        digest.update(
          `${canonicalAddress(`A${letter}b@acme.test`)} ${canonicalAddress(`a@b${letter}.test`)} `,
        );
      }
    }
    expect(digest.digest('hex')).toBe('dde5151f7cbbd6c38a947956cd64ffafc0b08413f9dcd4c7923abc9e2c950f57');
  });

  it('is ASCII after the at sign, for readers that do not know Unicode', () => {
    fc.assert(
      fc.property(address, (text) => {
        expect(canonicalAddress(text)?.replace(/^.*@/u, '') ?? 'a.test').toMatch(/^[a-z0-9.-]+$/);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('an address that another system vouches for', () => {
  it.each([
    ['Jose@Acme.Test', 'jose@acme.test'],
    ['zoe@Bücher.example', 'zoe@xn--bcher-kva.example'],
    ['zoë@acme.test', 'zoë@acme.test'],
  ])('%j counts as %j', (text, form) => {
    expect(vouchedAddress(text)).toBe(form);
  });

  it.each([
    'joſe@acme.test',
    '\u212Aim@acme.test',
    'ｊose@acme.test',
    'ﬁ@acme.test',
    'zoe\u0308@acme.test',
    'jose＠acme.test',
    ' jose@acme.test',
    'jose',
    '',
  ])('%j counts as none', (text) => {
    expect(vouchedAddress(text)).toBeUndefined();
  });

  it('differs from its canonical form by no more than case before the at sign', () => {
    fc.assert(
      fc.property(address, (text) => {
        const form = vouchedAddress(text);
        if (form === undefined) return;
        const [given, kept] = [text, form].map((each) => each.slice(0, each.lastIndexOf('@')));
        expect(given?.toLowerCase()).toBe(kept);
        expect(given?.normalize('NFKC')).toBe(given);
      }),
      { numRuns: 5000 },
    );
  });
});

describe('the key of a login name', () => {
  it('is its own key, and only addresses have the key of an address', () => {
    fc.assert(
      fc.property(fc.oneof(address, anyText), (text) => {
        const key = emailKey(text);
        expect(emailKey(key)).toBe(key);
        if (canonicalAddress(key) === key) expect(canonicalAddress(text)).toBe(key);
      }),
      { numRuns: 5000 },
    );
  });
});
