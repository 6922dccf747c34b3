import { createPrivateKey, generateKeyPair, type JsonWebKey, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { type DataCipher, randomId } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import {
  insertSigningKey,
  listSigningKeys,
  type SigningKeyRow,
  setSigningKeySecret,
} from '@gatehouse/db/queries/signing-keys';
import type { SigningAlgorithm } from '@gatehouse/db/tables/access-token-tables';
import type { Job } from '@gatehouse/runtime/jobs/job-runner';

const ALGORITHMS = ['ES256', 'RS256'] as const satisfies readonly SigningAlgorithm[];

const generate = promisify(generateKeyPair);

/** How long a key is published before it signs, so that the caches of others have it. */
export const PUBLISHED_BEFORE_MS = 24 * 3_600_000;

/** And how long afterwards. */
const PUBLISHED_AFTER_MS = 25 * 3_600_000;

/** How long a node caches the keys. A promoted key signs on every node within that time. */
const READ_AGAIN_MS = 10_000;

/** The key that signs now. */
export interface Signer {
  readonly kid: string;
  readonly key: KeyObject;
}

/** The keys that sign tokens for others. The first is made when it is first needed. */
export interface SigningKeys {
  /** The published keys as JWKs (RFC 7517). */
  published(): Promise<Record<string, unknown>[]>;
  /** The key that signs with ES256. */
  signer(): Promise<Signer>;
  /**
   * The published keys with their private parts, as JWKs. For each algorithm, the key that signs comes first. The same array as
   * long as the keys do not change.
   */
  keySet(): Promise<readonly JsonWebKey[]>;
}

interface KeyServices {
  readonly db: Database;
  readonly cipher: DataCipher;
  readonly now: () => number;
}

export function createSigningKeys({ db, cipher, now }: KeyServices): SigningKeys {
  let known: { readonly rows: Promise<SigningKeyRow[]>; readonly untilMs: number } | undefined;
  let opened: Signer | undefined;
  let openedSet: { readonly state: string; readonly keys: readonly JsonWebKey[] } | undefined;

  async function read(): Promise<SigningKeyRow[]> {
    const rows = await listSigningKeys(db);
    const missing = ALGORITHMS.filter((algorithm) => signingKeyAmong(rows, algorithm) === undefined);
    if (missing.length === 0) return rows;
    // Two nodes may both make one: both are published, and the later one signs.
    for (const algorithm of missing)
      await insertSigningKey(db, await makeSigningKey(cipher, algorithm, { nowMs: now(), signs: true }));
    return listSigningKeys(db);
  }

  function rows(): Promise<SigningKeyRow[]> {
    if (known !== undefined && now() < known.untilMs) return known.rows;
    const reading = read();
    known = { rows: reading, untilMs: now() + READ_AGAIN_MS };
    reading.catch(() => {
      known = undefined;
    });
    return reading;
  }

  return {
    async published() {
      const nowMs = now();
      return (await rows()).filter((row) => isPublished(row, nowMs)).map(({ publicKey }) => publicKey);
    },
    async signer() {
      const row = signingKeyAmong(await rows(), 'ES256');
      if (row === undefined) throw new Error('No key signs');
      if (opened?.kid !== row.kid) opened = { kid: row.kid, key: openPrivateKey(cipher, row) };
      return opened;
    },
    async keySet() {
      const nowMs = now();
      const known = await rows();
      const signing = new Set(ALGORITHMS.map((algorithm) => signingKeyAmong(known, algorithm)?.kid));
      const published = known
        .filter((row) => isPublished(row, nowMs))
        .toSorted((a, b) => Number(signing.has(b.kid)) - Number(signing.has(a.kid)));
      const state = published.map(({ kid }) => kid).join(' ');
      if (openedSet?.state !== state) {
        const keys = published.map((row) => ({
          ...openPrivateKey(cipher, row).export({ format: 'jwk' }),
          ...row.publicKey,
        }));
        openedSet = { state, keys };
      }
      return openedSet.keys;
    },
  };
}

/** Whether others may still see a signature of the key, or will soon. */
export function isPublished({ retiredAtMs }: SigningKeyRow, nowMs: number): boolean {
  return retiredAtMs === null || nowMs < retiredAtMs + PUBLISHED_AFTER_MS;
}

/** The key that signs with an algorithm: the one promoted last. */
export function signingKeyAmong(
  rows: readonly SigningKeyRow[],
  algorithm: SigningAlgorithm,
): SigningKeyRow | undefined {
  return rows
    .filter((row) => row.algorithm === algorithm && row.promotedAtMs !== null && row.retiredAtMs === null)
    .toSorted((a, b) => (b.promotedAtMs ?? 0) - (a.promotedAtMs ?? 0) || b.id - a.id)[0];
}

/** A retirement at this moment ends the publication at once. */
export function retiredUnpublished(nowMs: number): number {
  return nowMs - PUBLISHED_AFTER_MS;
}

/** A new key, with the private part encrypted. */
export async function makeSigningKey(
  cipher: DataCipher,
  algorithm: SigningAlgorithm,
  { nowMs, signs }: { nowMs: number; signs: boolean },
): Promise<Omit<SigningKeyRow, 'id'>> {
  const { publicKey, privateKey } =
    algorithm === 'ES256'
      ? await generate('ec', { namedCurve: 'P-256' })
      : await generate('rsa', { modulusLength: 2048 });
  const kid = randomId(12);
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return {
    kid,
    algorithm,
    publicKey: { ...publicKey.export({ format: 'jwk' }), kid, use: 'sig', alg: algorithm },
    privateKey: cipher.seal(pem, contextOf(kid)),
    createdAtMs: nowMs,
    promotedAtMs: signs ? nowMs : null,
    retiredAtMs: null,
  };
}

const contextOf = (kid: string) => `signingKey:${kid}`;

function openPrivateKey(cipher: DataCipher, { kid, privateKey }: SigningKeyRow): KeyObject {
  return createPrivateKey(cipher.open(privateKey, contextOf(kid)));
}

/** The private key of a row, encrypted with the current data key. */
function sealedAnew(cipher: DataCipher, { kid, privateKey }: SigningKeyRow): string {
  return cipher.seal(cipher.open(privateKey, contextOf(kid)), contextOf(kid));
}

interface ResealingServices extends Pick<KeyServices, 'db' | 'cipher'> {
  readonly config: { readonly DATA_ENCRYPTION_KEY_PREVIOUS: readonly unknown[] };
}

/** While DATA_ENCRYPTION_KEY_PREVIOUS names a key, re-encrypts the signing keys that still use it, so that it can be removed. */
export const signingKeyResealing: Job<ResealingServices> = {
  name: 'signing-key-resealing',
  everyMs: 60_000,
  restsBetweenRuns: true,
  async run({ db, cipher, config }) {
    if (config.DATA_ENCRYPTION_KEY_PREVIOUS.length === 0) return 0;
    const stale = (await listSigningKeys(db)).filter(({ privateKey }) => !cipher.isCurrent(privateKey));
    for (const row of stale) {
      const privateKey = sealedAnew(cipher, row);
      await setSigningKeySecret(db, { id: row.id, before: row.privateKey, privateKey });
    }
    return stale.length;
  },
};
