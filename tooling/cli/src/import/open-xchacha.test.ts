import { expect, it } from 'vitest';
import { openXchacha } from './open-xchacha.js';

const upTo = (first: number, count: number) =>
  Buffer.from(Array.from({ length: count }, (_, at) => first + at));

/** Appendix A.3.1 of draft-irtf-cfrg-xchacha-03. */
const CIPHERTEXT =
  'bd6d179d3e83d43b9576579493c0e939572a1700252bfaccbed2902c21396cbb731c7f1b0b4aa6440bf3a82f4eda7e39ae64c6708c54c216cb96b72e1213b4522f8c9ba40db5d945b11b69b982c1bb9e3f3fac2bc369488f76b2383565d3fff921f9664c97637da9768812f615c68b13b52e';
const TAG = 'c0875924c1c7987947deafd8780acf49';

const sealed = Buffer.concat([upTo(0x40, 24), Buffer.from(CIPHERTEXT, 'hex'), Buffer.from(TAG, 'hex')]);
const key = upTo(0x80, 32);
const additional = Buffer.from('50515253c0c1c2c3c4c5c6c7', 'hex');

it('XChaCha20-Poly1305 decrypts the example text of its draft', () => {
  expect(openXchacha(key, sealed, additional)?.toString()).toBe(
    "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it.",
  );
});

it('XChaCha20-Poly1305 decrypts nothing with another key, and nothing that was changed', () => {
  expect(openXchacha(upTo(0x81, 32), sealed, additional)).toBeUndefined();
  for (const at of [0, 30, sealed.length - 1]) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect([at, openXchacha(key, changed, additional)]).toEqual([at, undefined]);
  }
  expect(openXchacha(key, sealed.subarray(0, 30))).toBeUndefined();
});
