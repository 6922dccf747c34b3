import type { DataCipher } from '@gatehouse/auth-core';
import { z } from 'zod';
import type { ProvenIdentity } from './proven-identity.js';

const text = z.string().nullable();
const accounts = z.array(z.object({ id: z.string(), name: z.string() })).exactOptional();

const shape: z.ZodType<ProvenIdentity> = z.object({
  providerId: z.number(),
  profile: z.object({
    providerUserId: z.string(),
    email: text,
    emailVerified: z.boolean(),
    displayName: text,
    firstName: text,
    lastName: text,
    username: text,
    pictureUrl: text,
    accounts: z.object({
      fbAccounts: accounts,
      igAccounts: accounts,
      lnAccounts: accounts,
      twtAccounts: accounts,
    }),
  }),
  tokens: z.object({
    accessToken: z.string(),
    refreshToken: text,
    expiresInSeconds: z.number().nullable(),
    scopes: z.array(z.string()).nullable(),
  }),
});

/** An encrypted identity that waits to be connected. */
export function sealIdentity(cipher: DataCipher, stateKey: string, identity: ProvenIdentity): string {
  return cipher.seal(JSON.stringify(identity), contextOf(stateKey));
}

/** Validates a value as an identity; undefined for anything else. */
export function readIdentity(value: unknown): ProvenIdentity | undefined {
  return shape.safeParse(value).data;
}

/** @throws {SealedDataRefused} if it was not encrypted for this code */
export function openIdentity(cipher: DataCipher, stateKey: string, sealed: string): ProvenIdentity {
  return shape.parse(JSON.parse(cipher.open(sealed, contextOf(stateKey))));
}

function contextOf(stateKey: string): string {
  return `socialState:${stateKey}`;
}
