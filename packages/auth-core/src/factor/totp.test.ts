import fc from 'fast-check';
import { Secret, TOTP, URI } from 'otpauth';
import { describe, expect, it } from 'vitest';
import { generateTotpSecret, matchTotpStep, totpCode, totpStep, totpUri } from './one-time-codes.js';

/** RFC 6238, appendix B, SHA-1: the last six of its eight digits. */
const VECTORS = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
] as const;

describe('time-based one-time codes', () => {
  it.each(VECTORS)('match RFC 6238 at %d s', (seconds, code) => {
    const secret = Buffer.from('12345678901234567890');
    expect(totpCode(secret, totpStep(seconds * 1000))).toBe(code);
    expect(matchTotpStep(secret, code, seconds * 1000)).toBe(Math.floor(seconds / 30));
  });

  it('match another implementation for any secret, time and name', () => {
    const secrets = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => Buffer.from(bytes));
    fc.assert(
      fc.property(secrets, fc.nat(4_000_000_000), (secret, seconds) => {
        const theirs = new TOTP({ secret: new Secret({ buffer: new Uint8Array(secret).buffer }) });
        expect(totpCode(secret, totpStep(seconds * 1000))).toBe(
          theirs.generate({ timestamp: seconds * 1000 }),
        );
        const read = URI.parse(totpUri(secret, { issuer: 'Gate & House', account: 'ada@example.org' }));
        expect(read).toMatchObject({ issuer: 'Gate & House', label: 'ada@example.org' });
        expect(read.secret.hex).toBe(secret.toString('hex').toUpperCase());
      }),
      { numRuns: 20_000 },
    );
  });

  it('are accepted at most one step early or late', () => {
    const secret = generateTotpSecret();
    const nowMs = 1_800_000_000_000;
    const step = totpStep(nowMs);
    const matches = [-2, -1, 0, 1, 2].map((drift) =>
      matchTotpStep(secret, totpCode(secret, step + drift), nowMs),
    );
    expect(matches.slice(1, 4)).toEqual([step - 1, step, step + 1]);
    expect([matches[0], matches[4]]).toEqual([undefined, undefined]);
  });
});
