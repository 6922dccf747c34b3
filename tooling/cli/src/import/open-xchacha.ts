import { createDecipheriv } from 'node:crypto';

const NONCE_BYTES = 24;
const TAG_BYTES = 16;

/**
 * Decrypts XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha): a nonce of 24 bytes, the text and a tag of 16. Undefined if the key is another
 * or the text was changed.
 */
export function openXchacha(key: Buffer, sealed: Buffer, additional = Buffer.alloc(0)): Buffer | undefined {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) return undefined;
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const text = sealed.subarray(NONCE_BYTES, -TAG_BYTES);
  const subkey = hchacha(key, nonce.subarray(0, 16));
  const inner = Buffer.concat([Buffer.alloc(4), nonce.subarray(16)]);
  const decipher = createDecipheriv('chacha20-poly1305', subkey, inner, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  decipher.setAAD(additional, { plaintextLength: text.length });
  try {
    return Buffer.concat([decipher.update(text), decipher.final()]);
  } catch {
    return undefined;
  }
}

/** "expand 32-byte k". */
const CONSTANTS = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574] as const;

const ROUNDS = [
  [0, 4, 8, 12],
  [1, 5, 9, 13],
  [2, 6, 10, 14],
  [3, 7, 11, 15],
  [0, 5, 10, 15],
  [1, 6, 11, 12],
  [2, 7, 8, 13],
  [3, 4, 9, 14],
] as const;

/** The key that HChaCha20 derives from a key and the first 16 bytes of a nonce. */
function hchacha(key: Buffer, nonce: Buffer): Buffer {
  const state = Uint32Array.from([...CONSTANTS, ...wordsOf(key), ...wordsOf(nonce)]);
  for (let round = 0; round < 10; round += 1) for (const places of ROUNDS) quarterRound(state, places);
  const made = Buffer.alloc(32);
  for (const [at, word] of [...state.slice(0, 4), ...state.slice(12)].entries())
    made.writeUInt32LE(word, at * 4);
  return made;
}

function wordsOf(bytes: Buffer): number[] {
  return Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readUInt32LE(at * 4));
}

function quarterRound(state: Uint32Array, [a, b, c, d]: (typeof ROUNDS)[number]): void {
  const mix = (to: number, from: number, other: number, bits: number) => {
    const sum = ((state[to] ?? 0) + (state[from] ?? 0)) >>> 0;
    state[to] = sum;
    const word = (state[other] ?? 0) ^ sum;
    state[other] = (word << bits) | (word >>> (32 - bits));
  };
  mix(a, b, d, 16);
  mix(c, d, b, 12);
  mix(a, b, d, 8);
  mix(c, d, b, 7);
}
