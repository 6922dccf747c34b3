import { pbkdf2Sync } from 'node:crypto';
import { foreignHash, readStoredPassword, verifyForeignHash } from '@gatehouse/auth-core';
import { describe, expect, it } from 'vitest';
import { CHEAP_FOREIGN_VECTORS, FOREIGN_VECTORS } from '../test/foreign-vectors.js';
import { runHashJob } from './run-hash-job.js';

const stored = (text: string): string => {
  const value = foreignHash(text);
  if (value === undefined) throw new Error(`not recognized: ${text}`);
  return value;
};

const foreignIn = (text: string) => {
  const read = readStoredPassword(text);
  return read.kind === 'foreign' ? read.foreign : undefined;
};

/** Compares with a stored text, if that is read as a foreign hash. */
const verify = async (password: string, text: string): Promise<boolean> => {
  const hash = foreignIn(text);
  return hash !== undefined && verifyForeignHash(password, hash, runHashJob);
};

describe('a hash of another system', () => {
  it.each([...FOREIGN_VECTORS, ...CHEAP_FOREIGN_VECTORS])(
    'of %s matches only the password %s: %s',
    async (kind, password, text) => {
      expect(stored(text)).toBe(`$foreign$${kind}$${text}`);
      expect(foreignIn(stored(text))?.kind).toBe(kind);
      expect(await verify(password, stored(text))).toBe(true);
      expect(await verify(`${password}x`, stored(text))).toBe(false);
    },
  );

  it('matches no password that is empty, has a NUL or is longer than 72 bytes', async () => {
    for (const [, password, text] of CHEAP_FOREIGN_VECTORS)
      for (const given of ['', '\0', `${password}\0`, `${password}\0x`, password.repeat(100)])
        expect(await verify(given, stored(text))).toBe(false);
  });

  it('matches no password longer than 72 bytes after normalization', async () => {
    const password = 'กำ'.repeat(12);
    expect([password, password.normalize('NFKC')].map((text) => Buffer.byteLength(text))).toEqual([72, 108]);
    const key = pbkdf2Sync(password, 'NaCl', 1000, 32, 'sha256').toString('base64');
    const text = `pbkdf2_sha256$1000$NaCl$${key}`;
    expect(await verify(password, stored(text))).toBe(false);
  });

  it('matches nothing under the name of another kind, or without one', async () => {
    for (const [kind, password, text] of CHEAP_FOREIGN_VECTORS) {
      const others = ['pbkdf2', 'scrypt', 'argon2', 'phpass', 'sha-crypt', 'constructor', ''].filter(
        (other) => other !== kind,
      );
      for (const other of others) expect(await verify(password, `$foreign$${other}$${text}`)).toBe(false);
      expect(await verify(password, text)).toBe(false);
    }
  });

  it('is never counted as cheaper than the start of work on another thread', () => {
    const cheap = CHEAP_FOREIGN_VECTORS.map(([kind, , text]) => [
      kind,
      (foreignIn(stored(text))?.costMs ?? 0) >= 20,
    ]);
    expect(cheap).toEqual(CHEAP_FOREIGN_VECTORS.map(([kind]) => [kind, true]));
  });

  it('is refused when damaged: none of 10,000 is accepted, and none throws', {
    timeout: 120_000,
  }, async () => {
    const random = seeded(20_261_129);
    let compared = 0;
    for (let round = 0; round < 10_000; round += 1) {
      const [, password, text] = CHEAP_FOREIGN_VECTORS[random(CHEAP_FOREIGN_VECTORS.length)] ?? ['', '', ''];
      const whole = stored(text);
      const damaged = damage(whole, random);
      if (damaged === whole || asPhpass(damaged) === asPhpass(whole)) continue;
      compared += 1;
      if (await verify(password, damaged)) expect.fail(`${damaged} for ${whole}`);
    }
    expect(compared).toBeGreaterThan(9000);
  });
});

const ZEROS = 'A'.repeat(22);

describe('a hash of another system is refused', () => {
  const argon2 = (parameters: string) => `$argon2id$${parameters}$${ZEROS}$${ZEROS}`;
  const scrypt = (cost: string) => `$scrypt$${cost}$${ZEROS}$${'A'.repeat(43)}`;
  const django = (rounds: string, key = `${'A'.repeat(43)}=`) => `pbkdf2_sha256$${rounds}$salt$${key}`;
  const firebase = (cost: number) =>
    `firebase$8$${cost}$Bw==$42xEC+ixf3L2lw==$${'A'.repeat(86)}==$${'A'.repeat(86)}==`;
  const aspNet = (rounds: number) => {
    const bytes = Buffer.alloc(61);
    bytes[0] = 1;
    bytes.writeUInt32BE(rounds, 5);
    bytes.writeUInt32BE(16, 9);
    return bytes.toString('base64');
  };
  const crypt = (rounds: string) => `$6$${rounds}saltsalt$${'.'.repeat(86)}`;

  it('outside the bounds, and not at them', () => {
    const pairs = [
      [argon2('v=19,m=65536,t=4,p=1'.replace(',m', '$m')), argon2('v=19$m=65537,t=1,p=1')],
      [argon2('v=19$m=65536,t=1,p=16'), argon2('v=19$m=102400,t=2,p=8')],
      [argon2('v=19$m=8,t=32768,p=1'), argon2('v=19$m=65536,t=5,p=1')],
      [argon2('v=19$m=16,t=70,p=2'), argon2('v=19$m=15,t=70,p=2')],
      [argon2('v=19$m=1024,t=1,p=1'), argon2('v=19$m=1023,t=1,p=1')],
      [argon2('v=19$m=512,t=2,p=1'), argon2('v=19$m=511,t=2,p=1')],
      [argon2('v=19$m=4096,t=1,p=16'), argon2('v=19$m=4096,t=1,p=17')],
      [scrypt('ln=17,r=8,p=1'), scrypt('ln=18,r=1,p=1')],
      [scrypt('ln=16,r=8,p=2'), scrypt('ln=17,r=8,p=2')],
      [scrypt('ln=15,r=1,p=1'), scrypt('ln=16,r=1,p=1')],
      [scrypt('ln=10,r=8,p=1'), scrypt('ln=9,r=8,p=16')],
      [`scrypt:1024:8:1$salt$${'0'.repeat(128)}`, `scrypt:512:8:1$salt$${'0'.repeat(128)}`],
      [firebase(10), firebase(9)],
      [`scrypt:131072:8:1$salt$${'0'.repeat(128)}`, `scrypt:131071:8:1$salt$${'0'.repeat(128)}`],
      [django('2000000'), django('2000001')],
      [django('1000'), django('999')],
      [aspNet(1000), aspNet(999)],
      [crypt('rounds=1000000$'), crypt('rounds=1000001$')],
      [crypt('rounds=1000$'), crypt('rounds=999$')],
      [`$P$Hsaltsalt${'.'.repeat(22)}`, `$P$Isaltsalt${'.'.repeat(22)}`],
      [`$P$5saltsalt${'.'.repeat(22)}`, `$P$4saltsalt${'.'.repeat(22)}`],
    ] as const;
    for (const [taken, refused] of pairs) {
      expect([taken, foreignHash(taken) === undefined]).toEqual([taken, false]);
      expect([refused, foreignHash(refused)]).toEqual([refused, undefined]);
    }
  });

  it('when a number or base64 is not written in the canonical way', () => {
    const texts = [
      django('01200'),
      django('1200', 'A'.repeat(43)),
      django('1200', `${'A'.repeat(42)}B=`),
      django('1200', `${'A'.repeat(43)}==`),
      django('1200', `${'_'.repeat(42)}8=`),
      crypt('rounds=05000$'),
      crypt('rounds=5e3$'),
      `$6$saltsalt$${'.'.repeat(85)}2`,
      `$5$saltsalt$${'.'.repeat(42)}E`,
      `$P$9saltsalt${'.'.repeat(21)}2`,
      argon2('v=19$m=04096,t=2,p=1'),
      argon2('v=19$t=2,m=4096,p=1'),
      argon2('v=16$m=4096,t=2,p=1'),
      argon2('m=4096,t=2,p=1'),
      `$argon2id$v=19$m=4096,t=2,p=1$${ZEROS}$${'A'.repeat(21)}B`,
      scrypt('ln=012,r=8,p=1'),
      `$scrypt$ln=12,r=8,p=1$${ZEROS}$${'A'.repeat(42)}B`,
      `${django('1200')}\n`,
    ];
    for (const text of texts) expect([text, foreignHash(text)]).toEqual([text, undefined]);
  });

  it('when its key was truncated', () => {
    for (const [, , text] of CHEAP_FOREIGN_VECTORS)
      for (const cut of [1, 2, 3, 4, 8, 16, 32, 43, 44, 64])
        expect([text, cut, foreignHash(text.slice(0, -cut))]).toEqual([text, cut, undefined]);
  });

  it('when it is bcrypt, a bare digest, plain text, or longer than 255 characters with its mark', () => {
    const texts = [
      '$2b$10$UrvwKCEX1Yz7/Pwta/FRquGSp0h6xGypotA0.ImyLUNLzzwH5MrOu',
      'ce72cef21dab05fb474063dd22f97b79',
      '{SSHA}6CmzRuzGe6Uv2LVEV1PwKMPqkT/2PkeI',
      'Lantern-Harbor-42',
      '',
      firebase(14).replace('$Bw==$', `$${'A'.repeat(88)}$`),
    ];
    for (const text of texts) expect(foreignHash(text)).toBeUndefined();
  });
});

/** phpBB's mark is that of phpass. */
function asPhpass(text: string): string {
  return text.replace('$phpass$$H$', '$phpass$$P$');
}

/** A linear congruential generator of 31 bits. */
function seeded(seed: number): (below: number) => number {
  let state = BigInt(seed);
  return (below) => {
    state = (state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n) & 0xffff_ffff_ffff_ffffn;
    return Number(state >> 33n) % below;
  };
}

const CHARACTERS = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz$:,=+-_ \n\0é';

/** Replaces, inserts, removes, swaps, repeats or cuts at a random place. */
function damage(text: string, random: (below: number) => number): string {
  const at = random(text.length);
  const character = CHARACTERS.charAt(random(CHARACTERS.length));
  const [before, after] = [text.slice(0, at), text.slice(at + 1)];
  switch (random(6)) {
    case 0:
      return before + character + after;
    case 1:
      return before + character + text.slice(at);
    case 2:
      return before + after;
    case 3:
      return before + after.slice(0, 1) + text.charAt(at) + after.slice(1);
    case 4:
      return before + text.charAt(at) + text.slice(at);
    default:
      return before;
  }
}
