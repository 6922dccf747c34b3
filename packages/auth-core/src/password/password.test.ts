// @module-tag slow

import { cpuUsage } from 'node:process';
import bcrypt from 'bcrypt';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { known } from '../test/known-hashes.js';
import {
  comparePassword,
  dummyHash,
  generatePassword,
  hashPassword,
  isPasswordHash,
  passwordRounds,
  readStoredPassword,
  verifyPassword,
  wrapPasswordHash,
} from './password-hash.js';
import { passwordSchema, submittedPasswordSchema } from './password-policy.js';

/** Published vectors of Openwall's crypt_blowfish and of the bcrypt package. */
const PUBLISHED = [
  ['U*U', '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'],
  ['U*U*', '$2a$05$CCCCCCCCCCCCCCCCCCCCC.VGOzA784oUp/Z0DY336zx7pLYAy0lwK'],
  ['U*U*U', '$2a$05$XXXXXXXXXXXXXXXXXXXXXOAcXxm9kjPGEMsLznoKqmqw7tc8WCx4a'],
  ['', '$2a$05$CCCCCCCCCCCCCCCCCCCCC.7uG0VCzI2bS7j6ymqJi9CdcdxiRTWNy'],
] as const;

describe('a password', () => {
  it('verifies against its hash of cost 10', async () => {
    const hash = await hashPassword('Lantern-Harbor-42');
    expect(hash).toMatch(/^\$2b\$10\$/);
    expect(isPasswordHash(hash)).toBe(true);
    expect(await verifyPassword('Lantern-Harbor-42', hash)).toBe(true);
    expect(await verifyPassword('lantern-harbor-42', hash)).toBe(false);
    expect(await verifyPassword('', hash)).toBe(false);
  });

  it.each(PUBLISHED)(
    '%j verifies against its published hash, in all three spellings',
    async (plain, hash) => {
      for (const version of ['$2a$', '$2b$', '$2y$']) {
        expect(await verifyPassword(plain, version + hash.slice(4))).toBe(true);
        expect(await verifyPassword(`${plain}x`, version + hash.slice(4))).toBe(false);
      }
    },
  );

  it('is compared in full: NUL and the 72nd byte matter', async () => {
    const hash = await hashPassword('abc\0def', 4);
    expect(await verifyPassword('abc\0dee', hash)).toBe(false);
    expect(await verifyPassword('abc', hash)).toBe(false);
    const longest = await hashPassword('x'.repeat(72), 4);
    expect(await verifyPassword('x'.repeat(72), longest)).toBe(true);
    expect(await verifyPassword(`${'x'.repeat(71)}y`, longest)).toBe(false);
  });

  it('of more than 72 bytes is neither hashed nor matched', async () => {
    const longest = await hashPassword('é'.repeat(36), 4);
    expect(await bcrypt.compare(`${'é'.repeat(36)}!`, longest)).toBe(true);
    expect(await verifyPassword(`${'é'.repeat(36)}!`, longest)).toBe(false);
    await expect(hashPassword('é'.repeat(37))).rejects.toThrow(RangeError);
  });

  it.each([3, 16, 10.5, Number.NaN])('is not hashed at cost %s', async (cost) => {
    await expect(hashPassword('Lantern-Harbor-42', cost)).rejects.toThrow(RangeError);
  });
});

describe('the characters of a password', () => {
  it.each([
    ['accents', 'Zürich-Médoc-42'],
    ['Hangul', '비밀번호는길어야해요'],
    ['kana with marks', 'がぎぐげござじず'],
    ['full-width letters', 'Ｌａｎｔｅｒｎ－４２'],
    ['ligatures', 'ﬁreﬂy-oﬃce'],
    ['an ohm sign and an angstrom sign', 'Ω-Å-resistance'],
    ['superscripts', 'e=mc²-and-x³'],
    ['half-width katakana', 'ﾊﾟｽﾜｰﾄﾞﾊﾅｶﾞｲ'],
    ['half-width Hangul', 'ﾡﾢﾣﾤﾥﾦﾧﾨﾩ'],
    ['Vietnamese with two marks on a letter', 'Nguyễn-Thị-Ngọc'],
    ['Thai with sara am', 'น้ำตกสวยงามมาก'],
    ['Devanagari with a nukta', 'क़लम-ज़मीन-फ़ूल'],
    ['Arabic presentation forms', 'ﻛﺘﺎﺏ-ﻻ-ﻣﻌﻨﻰ'],
    ['Hebrew with points in another order', 'שָּׁלוֹם-עוֹלָם'],
    ['no-break and ideographic spaces', 'Lantern\u00a0Harbor\u3000fortytwo'],
    ['families and flags of emoji', '👨‍👩‍👧‍👦-🇩🇪-👋🏽-1️⃣'],
    ['CJK compatibility ideographs', '豈更車賈滑串句龜'],
  ])('match in every Unicode normal form: %s', async (_, text) => {
    const forms = new Set(['NFC', 'NFD', 'NFKC', 'NFKD'].map((form) => text.normalize(form)));
    // Each password is set once and sent once: passwords that one hash matches, and hashes that one password matches, belong
    // together.
    const hash = await hashPassword(text);
    for (const sent of forms) expect([sent, await verifyPassword(sent, hash)]).toEqual([sent, true]);
    for (const set of forms)
      expect([set, await verifyPassword(text, await hashPassword(set))]).toEqual([set, true]);
    expect(await verifyPassword(`${text}x`, hash)).toBe(false);
  });

  it('match the hash that another system made of them without normalization', async () => {
    for (const sent of ['Zürich-Médoc-42'.normalize('NFD'), 'Ｌａｎｔｅｒｎ－４２', 'ﷺ-ﷺ-ﷺ-ﷺ']) {
      for (const hash of [await bcrypt.hash(sent, 10), await bcrypt.hash(sent, 4)]) {
        expect(await verifyPassword(sent, hash)).toBe(true);
        expect(await verifyPassword(`${sent}!`, hash)).toBe(false);
      }
      const wrapped = await wrapPasswordHash(await bcrypt.hash(sent, 4));
      expect(await verifyPassword(sent, wrapped)).toBe(true);
    }
  });

  it('cost one comparison, or two where normalization changes them, with any stored value', async () => {
    const compared = vi.spyOn(bcrypt, 'compare');
    const comparisons = async (sent: string, stored: string | undefined) => {
      compared.mockClear();
      expect((await comparePassword(sent, stored)).matches).toBe(false);
      return compared.mock.calls.length;
    };
    for (const stored of [dummyHash, undefined, 'Lantern-Harbor-42', dummyHash.replace('$10$', '$14$')]) {
      for (const sent of ['wrong', 'Zürich-Médoc-42', '日本語', '🏠'])
        expect([sent, await comparisons(sent, stored)]).toEqual([sent, 1]);
      for (const sent of ['Zürich'.normalize('NFD'), 'ｗｒｏｎｇ', 'ﬁsh'])
        expect([sent, await comparisons(sent, stored)]).toEqual([sent, 2]);
    }
    compared.mockRestore();
  });
});

describe('a stored value', () => {
  it('in plain text never works as a password, and costs as much as a hash', async () => {
    const costOfHash = Math.min(
      await processorTimeOf(() => verifyPassword('wrong', dummyHash)),
      await processorTimeOf(() => verifyPassword('wrong', dummyHash)),
      await processorTimeOf(() => verifyPassword('wrong', dummyHash)),
    );
    for (const stored of ['Lantern-Harbor-42', '', dummyHash.slice(0, 59), `${dummyHash} `]) {
      let answer: boolean | undefined;
      const cost = await processorTimeOf(async () => {
        answer = await verifyPassword(stored, stored);
      });
      expect(answer).toBe(false);
      expect(cost).toBeGreaterThan(costOfHash / 4);
    }
  });

  it('does not work as a password when it is a hash', async () => {
    const hash = await hashPassword('Lantern-Harbor-42', 4);
    expect(await verifyPassword(hash, hash)).toBe(false);
  });

  it('of any kind never makes the comparison throw', async () => {
    const malformed = [
      null,
      undefined,
      '$2b$',
      '$2b$10$',
      `$2b$99$${'a'.repeat(53)}`,
      `$2b$31$${'a'.repeat(53)}`,
      `$2x$04$${'a'.repeat(53)}`,
      '\0',
    ];
    const answers = await Promise.all(malformed.map((stored) => verifyPassword('x', stored)));
    expect(new Set(answers)).toEqual(new Set([false]));
    await fc.assert(
      fc.asyncProperty(
        fc.string({ maxLength: 80 }),
        fc.string({ unit: 'binary', maxLength: 70 }),
        async (plain, stored) => {
          expect(await verifyPassword(plain, stored)).toBe(false);
        },
      ),
      { numRuns: 5 },
    );
  });

  it.each([
    [dummyHash, true],
    [dummyHash.replace('2b', '2a'), true],
    [dummyHash.replace('2b', '2y'), true],
    [dummyHash.replace('2b', '2x'), false],
    [dummyHash.replace('$10$', '$03$'), false],
    [dummyHash.replace('$10$', '$12$'), true],
    [dummyHash.replace('$10$', '$13$'), false],
    [dummyHash.replace('$10$', '$31$'), false],
    [dummyHash.slice(1), false],
    [dummyHash.slice(0, -1), false],
    [`${dummyHash}\n`, false],
    [` ${dummyHash}`.slice(0, 60), false],
    [dummyHash.replace(/.$/, '!'), false],
    ['$1$salt$hash', false],
    ['Lantern-Harbor-42', false],
    ['', false],
  ])('%j is a hash: %s', (stored, expected) => {
    expect(isPasswordHash(stored)).toBe(expected);
  });

  it('for an unknown member costs as much as a real one', () => {
    expect(bcrypt.getRounds(dummyHash)).toBe(10);
    expect(isPasswordHash(dummyHash)).toBe(true);
  });
});

describe('a hash with a cost below 10', () => {
  it.each(PUBLISHED)(
    'of %j verifies the same password once it is wrapped, in all three spellings',
    async (plain, hash) => {
      for (const version of ['$2a$', '$2b$', '$2y$']) {
        const stored = version + hash.slice(4);
        const wrapped = await wrapPasswordHash(stored);
        expect(wrapped).toMatch(/^\$wrapped\$2[ab]\$05\$[./A-Za-z0-9]{22}\$2b\$10\$[./A-Za-z0-9]{53}$/);
        expect(wrapped).not.toContain(hash.slice(29));
        expect(await verifyPassword(plain, wrapped)).toBe(true);
        for (const wrong of [`${plain}x`, stored, wrapped, wrapped.slice(37)]) {
          expect(await verifyPassword(wrong, wrapped)).toBe(false);
        }
      }
    },
  );

  it('is wrapped by the first comparison, right or wrong', async () => {
    const hash = await hashPassword('Lantern-Harbor-42', 4);
    for (const [given, matches] of [
      ['Lantern-Harbor-42', true],
      ['wrong', false],
    ] as const) {
      const comparison = await comparePassword(given, hash);
      expect(comparison.matches).toBe(matches);
      expect(await verifyPassword('Lantern-Harbor-42', comparison.wrapped)).toBe(true);
    }
  });

  it('is the only kind that is wrapped', async () => {
    const wrapped = await wrapPasswordHash(await hashPassword('x', 4));
    for (const stored of [dummyHash, wrapped, 'Lantern-Harbor-42', '']) {
      await expect(wrapPasswordHash(stored)).rejects.toThrow(RangeError);
    }
  });

  it('is not compared when it is damaged, of another scheme or of another cost', async () => {
    const hash = await hashPassword('Lantern-Harbor-42', 4);
    const wrapped = await wrapPasswordHash(hash);
    const damaged = [
      hash.replace('$04$', '$03$'),
      hash.replace('$04$', '$13$'),
      hash.replace('$04$', '$31$'),
      hash.replace('$2b$', '$2x$'),
      hash.slice(0, -1),
      hash.slice(0, 40),
      `${hash}\n`,
      ` ${hash}`,
      hash.replace(/.$/, '!'),
      wrapped.slice(0, -1),
      wrapped.slice(0, 70),
      wrapped.slice(8),
      `${wrapped}x`,
      '$1$saltsalt$qjXMvbEw8oaL.CzflDtaK/',
      '$P$BVbptZxEcZV2yeLyYeN.O4ZeG8225d1',
      '$argon2id$v=19$m=16,t=2,p=1$c2FsdHNhbHQ$MTIzNDU2Nzg',
      wrapped.replace('$wrapped$2b$04$', '$wrapped$2b$10$'),
      wrapped.replace('$2b$10$', '$2b$04$'),
      'x'.repeat(73),
    ];
    for (const stored of damaged) {
      expect(readStoredPassword(stored)).toEqual({ kind: 'unknown' });
      expect(await verifyPassword('Lantern-Harbor-42', stored)).toBe(false);
      expect(await verifyPassword(stored, stored)).toBe(false);
    }
  });
});

/**
 * Made by Python's bcrypt 3.2 with `hashpw(b64encode(hmac.new(b'wp-sha384', password.strip(' \t\n\r\0\v').encode(),
 * sha384).digest()), salt)`, with `$wp$2y$` in place of `$2b$`.
 */
const OF_WORDPRESS = [
  ['Lantern-Harbor-42', '$wp$2y$10$CCCCCCCCCCCCCCCCCCCCC.WXcm6pk/7V5b0/3Uhw9wTJrxox4sow6'],
  ['Zürich-Médoc-42', '$wp$2y$10$XXXXXXXXXXXXXXXXXXXXXOqMOOccRnJPzVntPAQZs5bHVjX0igH1G'],
  [' correct horse battery staple\n', '$wp$2y$11$abcdefghijklmnopqrstuu5fMQsFy167CpX8xKf4eu8HpLnwszG6G'],
] as const;

describe('a hash of WordPress', () => {
  it.each(OF_WORDPRESS)('of %j verifies the same password', async (plain, stored) => {
    expect(isPasswordHash(stored)).toBe(true);
    expect(await verifyPassword(plain, stored)).toBe(true);
    expect(await verifyPassword(plain.trim(), stored)).toBe(true);
    expect(passwordRounds(stored)).toBe(2 ** Number(stored.slice(7, 9)));
    const bare = stored.slice(3);
    for (const wrong of [`${plain}x`, plain.toUpperCase(), '', stored, bare])
      expect(await verifyPassword(wrong, stored)).toBe(false);
    // Without its mark it is bcrypt of the password itself.
    expect(await verifyPassword(plain, bare)).toBe(false);
  });

  it('is not compared when it is damaged, of another scheme or of another cost', async () => {
    const [, stored] = OF_WORDPRESS[0];
    for (const damaged of [
      ...['$04$', '$09$', '$13$', '$31$'].map((cost) => stored.replace('$10$', cost)),
      ...['$2a$', '$2b$', '$2x$'].map((scheme) => stored.replace('$2y$', scheme)),
      stored.slice(0, -1),
      `${stored}\n`,
      ` ${stored}`,
      stored.replace('$wp', '$WP'),
      stored.replace('$wp', '$wp$'),
      `$wrapped${stored}`,
    ]) {
      expect(readStoredPassword(damaged)).toEqual({ kind: 'unknown' });
      expect(await verifyPassword('Lantern-Harbor-42', damaged)).toBe(false);
    }
  });

  it('verifies no password after any of its characters is changed', async () => {
    const [plain, stored] = OF_WORDPRESS[0];
    for (let at = 10; at < stored.length; at += 4) {
      const other = stored[at] === 'e' ? 'u' : 'e';
      const changed = stored.slice(0, at) + other + stored.slice(at + 1);
      expect([at, await verifyPassword(plain, changed)]).toEqual([at, false]);
    }
  });
});

describe('the rounds of a comparison', () => {
  it('are those of the stored hash, or the given number if it is greater', async () => {
    const low = await hashPassword('x', 4);
    expect(passwordRounds(low)).toBe(1040);
    expect(passwordRounds(await wrapPasswordHash(low))).toBe(1040);
    expect(passwordRounds(dummyHash)).toBe(1024);
    expect(passwordRounds(dummyHash.replace('$10$', '$12$'))).toBe(4096);
    expect(passwordRounds(dummyHash.replace('$10$', '$14$'))).toBe(1024);
    const work = vi.spyOn(bcrypt, 'hash');
    const compared = vi.spyOn(bcrypt, 'compare');
    const roundsOf = (text: unknown) =>
      2 ** (typeof text === 'number' ? text : Number(String(text).slice(4, 6)));
    const wrapped = await wrapPasswordHash(low);
    const stronger = await hashPassword('x', 11);
    for (const rounds of [1040, 1536, 2048, 4096]) {
      for (const stored of [
        low,
        wrapped,
        stronger,
        dummyHash,
        undefined,
        'plain',
        dummyHash.replace('$10$', '$14$'),
      ]) {
        work.mockClear();
        compared.mockClear();
        await comparePassword('wrong', stored, rounds);
        const done = [...work.mock.calls, ...compared.mock.calls].map(([, text]) => roundsOf(text));
        const total = done.reduce((sum, each) => sum + each, 0);
        expect([stored, total]).toEqual([stored, Math.max(rounds, passwordRounds(stored ?? ''))]);
      }
    }
  });
});

describe('the password schemas', () => {
  it('measure a new password in characters and bytes, after normalization', () => {
    const verdict = (text: unknown) => passwordSchema.safeParse(text).success;
    expect(verdict('x'.repeat(7))).toBe(false);
    expect(verdict('x'.repeat(8))).toBe(true);
    expect(verdict('é'.repeat(4))).toBe(false);
    expect(verdict('e\u0301'.repeat(7))).toBe(false);
    expect(verdict('e\u0301'.repeat(8))).toBe(true);
    expect(verdict('日本語')).toBe(false);
    expect(verdict('🏠'.repeat(7))).toBe(false);
    expect(verdict('ｘ'.repeat(72))).toBe(true);
    expect(verdict('ｘ'.repeat(73))).toBe(false);
    expect(verdict('ﷺ'.repeat(8))).toBe(false);
    expect(verdict('👨‍👩‍👧‍👦')).toBe(false);
    expect(verdict('🇩🇪'.repeat(4))).toBe(true);
    expect(verdict('👋🏽'.repeat(4))).toBe(true);
    expect(verdict('ｶﾞ'.repeat(7))).toBe(false);
    expect(verdict('ｶﾞ'.repeat(8))).toBe(true);
    expect(verdict('ﬃﬃﬃ')).toBe(true);
    expect(verdict('ｱ'.repeat(24))).toBe(true);
    expect(verdict('ｱ'.repeat(25))).toBe(false);
    expect(verdict('x'.repeat(72))).toBe(true);
    expect(verdict('x'.repeat(73))).toBe(false);
    expect(verdict('🏠'.repeat(18))).toBe(true);
    expect(verdict('🏠'.repeat(19))).toBe(false);
    expect(verdict('  spaces count  ')).toBe(true);
    expect(verdict('with\0a NUL inside')).toBe(false);
    expect(verdict('with half a pair \ud83c')).toBe(false);
    expect(verdict(12345678)).toBe(false);
  });

  it('say whether a password is too short or too long', () => {
    const said = (text: string) =>
      passwordSchema.safeParse(text).error?.issues.map((issue) => issue.message) ?? [];
    expect(said('é'.repeat(40))).toEqual([expect.stringContaining('at most 72 bytes')]);
    expect(said('日本語')).toEqual(['must be at least 8 characters long']);
  });

  it('let a login try any password, however short', () => {
    expect(submittedPasswordSchema.safeParse('abc').success).toBe(true);
    expect(submittedPasswordSchema.safeParse('').success).toBe(false);
    expect(submittedPasswordSchema.safeParse('x'.repeat(1025)).success).toBe(false);
  });
});

describe('a generated password', () => {
  it('is 12 letters and digits, all equally likely, and never the same twice', () => {
    const passwords = Array.from({ length: 5_000 }, () => generatePassword());
    expect(passwords.every((each) => /^[A-Za-z0-9]{12}$/.test(each))).toBe(true);
    expect(new Set(passwords).size).toBe(passwords.length);
    const counts = new Map<string, number>();
    for (const each of passwords.join('')) counts.set(each, (counts.get(each) ?? 0) + 1);
    const expected = 60_000 / 62;
    const chiSquare = [...counts.values()].reduce(
      (sum, count) => sum + (count - expected) ** 2 / expected,
      0,
    );
    expect(counts.size).toBe(62);
    expect(chiSquare).toBeLessThan(140);
  });
});

/** Microseconds on all threads of this process, which a busy machine does not change. */
async function processorTimeOf(body: () => Promise<unknown>): Promise<number> {
  // A comparison that is remembered costs nothing.
  known.clear();
  const before = cpuUsage();
  await body();
  const { user, system } = cpuUsage(before);
  return user + system;
}
