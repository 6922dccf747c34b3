import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emailSchema } from './email-address.js';
import { personNameSchema, storableText } from './text-schemas.js';
import { loginNameSchema, usernameKey, usernameSchema } from './username.js';

const broken = [
  'a\0b',
  'a\rb',
  'a\nb',
  'a\r\nBcc: x@y.test',
  'a\u2028b',
  'a\u001bb',
  '\ud800',
  'a\udc00',
  '\ud83c',
];

describe('every text schema', () => {
  it.each([
    ['e-mail', emailSchema, 'x@acme.test'],
    ['username', usernameSchema, 'zoe'],
    ['name', personNameSchema, 'Zoë'],
    ['login name', loginNameSchema, 'google:123'],
    ['text', storableText(100), 'any'],
  ])(
    'for %s refuses control characters, broken Unicode, other types and a missing value',
    (_, schema, good) => {
      expect(schema.safeParse(good).success).toBe(true);
      for (const text of broken) {
        expect(schema.safeParse(`${good}${text}${good}`).success).toBe(false);
      }
      for (const value of [undefined, null, 5, true, {}, [], ['a'], '']) {
        expect(schema.safeParse(value).success).toBe(false);
      }
      expect(schema.safeParse('a'.repeat(100_000)).success).toBe(false);
    },
  );
});

describe('an e-mail address', () => {
  it.each([
    ['owner@acme.test', 'owner@acme.test'],
    ['  Owner.Name+tag@Sub.Acme.co.uk ', 'owner.name+tag@sub.acme.co.uk'],
    ["o'brien@acme.test", "o'brien@acme.test"],
    ['zoë@acme.test', 'zoë@acme.test'],
    ['иван@пример.рф', 'иван@xn--e1afmkfd.xn--p1ai'],
    ['a@1.test', 'a@1.test'],
    ['x@xn--bcher-kva.example', 'x@xn--bcher-kva.example'],
    ['!#$%&*/=?^_`{|}~-@acme.test', '!#$%&*/=?^_`{|}~-@acme.test'],
    ['owner＠ａｃｍｅ．ｔｅｓｔ', 'owner@acme.test'],
  ])('%j is kept as %j', (typed, kept) => {
    expect(emailSchema.parse(typed)).toBe(kept);
  });

  it.each([
    'owner',
    '@acme.test',
    'owner@',
    'owner@acme',
    'owner@@acme.test',
    'a@b@acme.test',
    'owner@acme..test',
    'owner@.acme.test',
    'owner@-acme.test',
    'owner@acme-.test',
    'ow ner@acme.test',
    'owner@ac me.test',
    '"owner"@acme.test',
    'Owner <owner@acme.test>',
    'owner@[127.0.0.1]',
    'owner\u3164@acme.test',
    'owner@ac\u115fme.test',
    'own\u2800er@acme.test',
    'owner@acme.test,victim@acme.test',
    'owner@acme.test;victim@acme.test',
    'owner\u200b@acme.test',
    'owner@ac\u00adme.test',
    `${'a'.repeat(65)}@acme.test`,
    `a@${'b'.repeat(250)}.test`,
  ])('may not be %j', (address) => {
    expect(emailSchema.safeParse(address).success).toBe(false);
  });

  it('is validated quickly, whatever it contains', () => {
    const startedAt = performance.now();
    for (const part of ['a', 'a.', 'a-', '@', 'a@', '.-']) emailSchema.safeParse(`a@${part.repeat(50_000)}`);
    expect(performance.now() - startedAt).toBeLessThan(500);
  });
});

describe('a username', () => {
  it('is stored as it was sent, or refused, and an accepted one can be compared', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' })), (text) => {
        const parsed = usernameSchema.safeParse(text);
        if (!parsed.success) return;
        expect(parsed.data).toBe(text.trim());
        expect(usernameKey(parsed.data)).not.toBe('');
        expect(Buffer.from(parsed.data, 'utf8').toString('utf8')).toBe(parsed.data);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    '\u3164',
    '\u115f\u1160',
    '\uffa0',
    '\u2800',
    '\u{16fe4}',
    '\u{1d159}',
    '\u034f',
    'zoe\u3164',
    'zo\u2800e',
    'zo\u200be',
    'zo\u202ee',
    '\ufeffzo\u00ade',
    '\u0308',
    '   ',
    'x'.repeat(101),
    '\ufdfa'.repeat(20),
  ])('may not be %j', (text) => {
    expect(usernameSchema.safeParse(text).success).toBe(false);
  });
});

describe("a person's name", () => {
  it.each([
    '\u3164',
    '\u115f',
    '\uffa0',
    '\u2800',
    '\u200b',
    '\u00ad',
    '\ufe0f',
    '\u{e0041}',
    ' ',
    '\u3000',
    '\u0301',
    ' \u2800 \u3164',
  ])('may not be %j, which has no visible character', (name) => {
    expect(personNameSchema.safeParse(name).success).toBe(false);
  });

  it.each(["O'Brien", 'Zoë', '李', 'Jean-Luc', 'نیلوفر\u200cی', '🏠', ' spaced '])(
    'may be %s, as sent',
    (name) => {
      expect(personNameSchema.parse(name)).toBe(name);
    },
  );
});
