import type { DataCipher } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { type ConnectionContent, insertConnection } from '@gatehouse/db/queries/change-connections';
import { findMember } from '@gatehouse/db/queries/read-members';
import { z } from 'zod';
import { recordAudit } from '../audit/record-audit.js';
import type { Context } from '../core/context.js';
import type { SocialProfile } from '../core/social-providers/social-profile.js';
import { findSocialProviderById } from '../core/social-providers/social-providers.js';
import { appLink } from '../mail/app-link.js';
import { queueMail } from '../mail/queue-mail.js';
import { tokenSchedule } from './connection-view.js';
import type { ProviderTokens } from './token-answer.js';

/** A person's identity as a provider has just reported it, with the tokens it issued. */
export interface ProvenIdentity {
  readonly providerId: number;
  readonly profile: SocialProfile;
  readonly tokens: ProviderTokens;
}

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

/** The login identifier of a member from a provider without an address: `<key>:<id>`. */
export function identitySid(identity: {
  readonly providerId: number;
  readonly profile: { readonly providerUserId: string };
}): string {
  const provider = findSocialProviderById(identity.providerId);
  if (!provider) throw new TypeError(`no provider has the number ${identity.providerId}`);
  return `${provider.key}:${identity.profile.providerUserId}`;
}

/** The encryption context of a connection's token: one identity and one column. */
export function connectionSecretContext(
  identity: { readonly providerId: number; readonly providerUserId: string },
  column: 'accessToken' | 'refreshToken',
): string {
  return `socialConnection:${identity.providerId}:${identity.providerUserId}:${column}`;
}

const MAX_SCOPES_LENGTH = 1000;

/** An identity in the form of a connection, with encrypted tokens. */
export function connectionContent(
  { cipher, nowMs }: { cipher: DataCipher; nowMs: number },
  { providerId, profile, tokens }: ProvenIdentity,
): ConnectionContent {
  const { providerUserId, email, emailVerified, displayName, firstName, lastName, username, pictureUrl } =
    profile;
  const seal = (token: string, column: 'accessToken' | 'refreshToken') =>
    cipher.seal(token, connectionSecretContext({ providerId, providerUserId }, column));
  return {
    email,
    displayName,
    accessToken: seal(tokens.accessToken, 'accessToken'),
    refreshToken: tokens.refreshToken === null ? null : seal(tokens.refreshToken, 'refreshToken'),
    tokenStatus: 'valid',
    scopes: tokens.scopes?.join(' ').slice(0, MAX_SCOPES_LENGTH) ?? null,
    fbAccounts: profile.accounts.fbAccounts ?? null,
    igAccounts: profile.accounts.igAccounts ?? null,
    lnAccounts: profile.accounts.lnAccounts ?? null,
    twtAccounts: profile.accounts.twtAccounts ?? null,
    detail: { displayName, firstName, lastName, username, pictureUrl, email, emailVerified },
    ...tokenSchedule(tokens, nowMs),
  };
}

/**
 * Connects an identity to an existing member in the caller's transaction, and notifies them by mail.
 * @throws {DuplicateKeyError} if the identity is already connected to any member
 */
export async function attachIdentity(
  tx: Database,
  { services, call }: Pick<Context, 'services' | 'call'>,
  { memberId, identity }: { memberId: number; identity: ProvenIdentity },
): Promise<number> {
  const nowMs = services.now();
  const { providerId, profile } = identity;
  const connectionId = await insertConnection(tx, {
    ...connectionContent({ cipher: services.cipher, nowMs }, identity),
    memberId,
    providerId,
    providerUserId: profile.providerUserId,
    nowMs,
  });
  const member = await findMember(tx, memberId);
  if (member !== undefined && member.email !== null) {
    await queueMail(tx, services, {
      kind: 'newConnection',
      to: member.email,
      memberId,
      data: {
        providerName: findSocialProviderById(providerId)?.name ?? 'social',
        atMs: nowMs,
        link: appLink(services.config, 'forgot'),
      },
    });
  }
  await recordAudit(
    tx,
    { services, call },
    {
      atMs: nowMs,
      action: 'connection.added',
      actorId: memberId,
      subjectKind: 'connection',
      subjectId: connectionId,
      after: { memberId, providerId },
    },
  );
  return connectionId;
}
