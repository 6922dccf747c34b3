import { createPrivateKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import type { SsoConnection } from '@gatehouse/db/queries/sso-connections';
import { z } from 'zod';
import type { Services } from '../core/context.js';
import { openSecret, sealSecret } from './connection-secrets.js';
import { selfSignedCertificate } from './self-signed-certificate.js';

const DAY_MS = 86_400_000;

/** The lifetime of our certificates, because some identity providers check that date. */
const LIFE_MS = 3 * 365 * DAY_MS;

/** How long before the signing key ends the next one is published… */
const PUBLISHED_BEFORE_MS = 120 * DAY_MS;

/** …and signs for the last part of that time, in which the other still decrypts. */
const SIGNS_BEFORE_MS = 30 * DAY_MS;

const storedKeys = z.array(
  z.object({
    /** In Base64. */
    certificate: z.string(),
    /** PKCS #8. */
    privateKey: z.string(),
    endsAtMs: z.number(),
  }),
);

/** A key with which a connection signs its requests, and decrypts assertions. */
export interface OwnSamlKey {
  /** In Base64. */
  readonly certificate: string;
  readonly privateKey: KeyObject;
}

const generate = promisify(generateKeyPair);

/** Makes the first key of a connection, and encrypts it for one. */
export async function newSamlKeys({
  cipher,
  now,
}: Pick<Services, 'cipher' | 'now'>): Promise<(key: string) => string> {
  const text = JSON.stringify([await makeKey(now())]);
  return (key) => sealSecret(cipher, key, text);
}

async function makeKey(nowMs: number): Promise<z.output<typeof storedKeys>[number]> {
  const { privateKey } = await generate('rsa', { modulusLength: 2_048 });
  const endsAtMs = nowMs + LIFE_MS;
  const times = { notBeforeMs: nowMs - DAY_MS, notAfterMs: endsAtMs };
  return {
    certificate: selfSignedCertificate(privateKey, { commonName: 'Gatehouse', ...times }).toString('base64'),
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    endsAtMs,
  };
}

/** The keys of a connection: the one that signs first, then those that also decrypt. */
export function ownSamlKeys(
  { cipher, now }: Pick<Services, 'cipher' | 'now'>,
  { key, secret }: Pick<SsoConnection, 'key' | 'secret'>,
): readonly OwnSamlKey[] {
  const stored = secret === null ? [] : readKeys(openSecret(cipher, key, secret));
  const signing = stored.find(({ endsAtMs }) => now() < endsAtMs - SIGNS_BEFORE_MS) ?? stored.at(-1);
  return stored
    .toSorted((a, b) => Number(b === signing) - Number(a === signing))
    .map(({ certificate, privateKey }) => ({ certificate, privateKey: createPrivateKey(privateKey) }));
}

const readKeys = (text: string) => storedKeys.parse(JSON.parse(text));

/**
 * The encrypted keys of a connection with the next one, if it is time for it, and without those that ended. Undefined if nothing is to
 * be changed.
 */
export async function renewedSamlKeys(
  { cipher, now }: Pick<Services, 'cipher' | 'now'>,
  { key, secret }: Pick<SsoConnection, 'key' | 'secret'>,
): Promise<string | undefined> {
  const nowMs = now();
  const stored = secret === null ? [] : readKeys(openSecret(cipher, key, secret));
  const kept = stored.filter(({ endsAtMs }) => nowMs < endsAtMs);
  const isDue = kept.every(({ endsAtMs }) => nowMs >= endsAtMs - PUBLISHED_BEFORE_MS);
  if (!isDue && kept.length === stored.length) return undefined;
  return sealSecret(cipher, key, JSON.stringify(isDue ? [...kept, await makeKey(nowMs)] : kept));
}
