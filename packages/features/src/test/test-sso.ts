import { randomId, sha256Hex } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import {
  insertSsoConnection,
  listSsoConnections,
  PLATFORM,
  removeSsoConnection,
  setSsoConnection,
  writeAccountSso,
} from '@gatehouse/db/queries/sso-connections';
import { insertSsoDomain, setSsoDomainVerified } from '@gatehouse/db/queries/sso-domains';
import { insertSsoSubject } from '@gatehouse/db/queries/sso-subjects';
import type { OidcSettings } from '@gatehouse/db/tables/sso-tables';

const DAY_MS = 86_400_000;

interface OfAccount {
  readonly accountId: number;
  readonly createdById: number;
}

/** A domain of an account. */
export function insertTestDomain(
  db: Database,
  {
    domain = `${randomId(4)}.example`,
    isVerified = false,
    ...of
  }: OfAccount & { readonly domain?: string; readonly isVerified?: boolean },
): Promise<number> {
  const nowMs = Date.now();
  return changeAccess(db, {}, async (tx) => {
    const id = await insertSsoDomain(tx, { ...of, domain, proof: randomId(), createdAtMs: nowMs });
    if (isVerified)
      await setSsoDomainVerified(tx, { id, domain, nowMs, checkDueAtMs: nowMs + 3_650 * DAY_MS });
    return id;
  });
}

/** A connection of an account, or of the platform, by OpenID Connect with an identity provider that is not there, tested, and on unless it is to be off. */
export function insertTestSso(
  db: Database,
  {
    accountId,
    createdById,
    isLive = true,
    required = false,
    exemptIds = [],
    ...rules
  }: OfAccount & {
    readonly isLive?: boolean;
    readonly required?: boolean;
    readonly exemptIds?: readonly number[];
  } & Partial<OidcSettings>,
): Promise<{ readonly id: number; readonly key: string }> {
  const nowMs = Date.now();
  const key = randomId();
  const settings: OidcSettings = {
    kind: 'oidc',
    issuer: 'http://127.0.0.1:4999',
    clientId: 'gatehouse',
    scopes: ['openid', 'email'],
    roleMap: [],
    defaultRole: 5,
    justInTime: false,
    sessionHours: 12,
    idpLevel: 1,
    ...rules,
  };
  const ofAccount = accountId !== PLATFORM;
  return changeAccess(db, { accounts: ofAccount ? [accountId] : [] }, async (tx) => {
    const made = { accountId, key, name: 'Acme', kind: 'oidc', settings, secret: null, createdById } as const;
    const id = await insertSsoConnection(tx, { ...made, nowMs });
    const live = isLive ? { live: settings, liveVersion: 1 } : {};
    await setSsoConnection(tx, { id, nowMs, testedVersion: 1, ...live });
    if (ofAccount) await writeAccountSso(tx, { accountId, nowMs, required, exemptIds });
    return { id, key };
  });
}

/** A subject of an account's identity provider who is a member. */
export async function insertTestSubject(
  db: Database,
  { memberId, ...of }: OfAccount & { readonly memberId: number },
): Promise<void> {
  const { id: connectionId } = await insertTestSso(db, of);
  const subject = { connectionId, accountId: of.accountId, subject: 'ada', memberId };
  await changeAccess(db, {}, (tx) =>
    insertSsoSubject(tx, { ...subject, subjectKey: sha256Hex(String(connectionId)), nowMs: Date.now() }),
  );
}

/** Removes the connections of the platform, which has few. */
export async function removePlatformSso(db: Database): Promise<void> {
  await changeAccess(db, {}, async (tx) => {
    for (const { id } of await listSsoConnections(tx, PLATFORM)) await removeSsoConnection(tx, id);
  });
}
