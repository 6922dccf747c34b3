import { AppError, randomId } from '@gatehouse/auth-core';
import { type AccessTransaction, changeAccess } from '@gatehouse/db/queries/change-access';
import { lockMemberRow } from '@gatehouse/db/queries/lock-rows';
import {
  findAccountSso,
  findSsoConnection,
  insertSsoConnection,
  listSsoConnections,
  lockSsoConnection,
  PLATFORM,
  removeSsoConnection,
  type SsoConnection,
  setSsoConnection,
  writeAccountSso,
} from '@gatehouse/db/queries/sso-connections';
import { endSsoSessions, listMembersOfSsoLogins } from '@gatehouse/db/queries/sso-logins';
import { takeTurn } from '@gatehouse/db/queries/take-turn';
import type { SsoKind, SsoSettings } from '@gatehouse/db/tables/sso-tables';
import { changeAndRecord, changedFields } from '../audit/change.js';
import type { Caller } from '../core/guard/caller.js';
import type { Guarded } from '../core/guard/guarded.js';
import type { EventDraft } from '../event/events-of-acts.js';
import type { StoredSettings } from './connection-secrets.js';
import { MAX_CONNECTIONS, nextConnectionKey } from './connection-view.js';
import { certificatesEndOf } from './saml-key.js';

/** A call by somebody who manages the single sign-on of an account, or of the platform. */
export type SsoContext = Guarded<{ readonly caller: Caller }>;

/** The account of a line of the audit log; none for the platform. */
export const auditedAccount = (accountId: number): { accountId?: number } =>
  accountId === PLATFORM ? {} : { accountId };

export const subjectOf = ({ id, accountId }: Pick<SsoConnection, 'id' | 'accountId'>) =>
  ({ ...auditedAccount(accountId), subjectKind: 'ssoConnection', subjectId: id }) as const;

/** The members whose change is written for all nodes after a change of a connection: everybody in the account. */
const announced = (accountId: number) => ({
  announce: { accounts: accountId === PLATFORM ? [] : [accountId] },
});

/** Makes the changes of the platform's connections one after the other. An account's are, because they lock it. */
async function takePlatformTurn(tx: AccessTransaction, accountId: number): Promise<void> {
  if (accountId === PLATFORM) await takeTurn(tx, 'staff-sso', randomId());
}

/**
 * Ends the sessions of a connection. For one of the platform, the change of each person whom it signed in is written for every
 * node.
 */
async function endSessionsOf(
  tx: AccessTransaction,
  { id: connectionId, accountId }: SsoConnection,
  end: { endedById: number; nowMs: number },
): Promise<void> {
  if (accountId === PLATFORM) {
    await lockSsoConnection(tx, connectionId, 'exclusive');
    const members = await listMembersOfSsoLogins(tx, { connectionId });
    for (const memberId of members) await lockMemberRow(tx, memberId, 'exclusive');
    await changeAccess(tx, { members }, () => Promise.resolve());
  }
  await endSsoSessions(tx, { connectionId }, end);
}

/** @throws {AppError} `not_found` */
export async function requireConnection(
  db: Parameters<typeof findSsoConnection>[0],
  of: { id: number; accountId: number },
): Promise<SsoConnection> {
  const row = await findSsoConnection(db, of);
  if (row === undefined) throw new AppError('not_found');
  return row;
}

/** The identity provider, whose subjects are the same people in all settings with it. */
export function issuerOf(settings: SsoSettings): string {
  return settings.kind === 'oidc' ? settings.issuer : settings.entityId;
}

/** The part of the settings for the audit log: nothing that is secret, or as long as metadata. */
function factsOf(name: string, settings: SsoSettings): Record<string, unknown> {
  const { roleMap, defaultRole, justInTime, sessionHours, idpLevel, domains } = settings;
  const own =
    settings.kind === 'oidc'
      ? { issuer: settings.issuer, clientId: settings.clientId, scopes: settings.scopes }
      : {
          entityId: settings.entityId,
          metadataUrl: settings.metadataUrl,
          allowIdpInitiated: settings.allowIdpInitiated,
        };
  return { name, ...own, roleMap, defaultRole, justInTime, sessionHours, idpLevel, domains };
}

/**
 * Adds or changes a connection. Different settings have to pass a test before people sign in through them; until then the
 * previous ones stay in use.
 * @param settingsFrom the settings after the change, of which secrets are encrypted for the connection's key
 * @throws {AppError} `not_found`, `limit_reached`, and as `settingsFrom` does
 */
export async function saveConnection(
  ctx: SsoContext,
  {
    accountId,
    connectionId,
    kind,
    key: expectedKey,
    name: wantedName,
    settingsFrom,
  }: {
    readonly accountId: number;
    readonly connectionId: number | undefined;
    /** The key of a new connection, if the caller knows it. */
    readonly key: string | undefined;
    readonly kind: SsoKind;
    readonly name: string | undefined;
    readonly settingsFrom: (key: string, before: StoredSettings | undefined) => StoredSettings;
  },
): Promise<SsoConnection> {
  return changeAndRecord(ctx, announced(accountId), async ({ tx, nowMs, caller }) => {
    await takePlatformTurn(tx, accountId);
    const before =
      connectionId === undefined ? undefined : await requireConnection(tx, { id: connectionId, accountId });
    if (before !== undefined && before.kind !== kind) throw new AppError('not_found');
    const others = before === undefined ? await listSsoConnections(tx, accountId) : [];
    if (others.length >= MAX_CONNECTIONS) throw new AppError('limit_reached');
    const key = before?.key ?? nextConnectionKey(ctx.services, accountId, others);
    if (expectedKey !== undefined && expectedKey !== key)
      throw new AppError('invalid_input', {
        issues: [{ path: 'key', message: 'is no longer that of the next connection' }],
      });
    const { settings, secret } = settingsFrom(key, before);
    const name = wantedName ?? before?.name;
    if (name === undefined)
      throw new AppError('invalid_input', { issues: [{ path: 'name', message: 'is missing' }] });
    const isOther = before?.secret !== secret || JSON.stringify(before.settings) !== JSON.stringify(settings);
    const certificatesEndAtMs = certificatesEndOf(before?.live ?? settings);
    const made = {
      accountId,
      key,
      name,
      kind,
      settings,
      secret,
      certificatesEndAtMs,
      createdById: caller.memberId,
      nowMs,
    };
    const id = before?.id ?? (await insertSsoConnection(tx, made));
    if (before !== undefined && (isOther || name !== before.name)) {
      const changes = isOther ? { settings, secret, certificatesEndAtMs, version: before.version + 1 } : {};
      await setSsoConnection(tx, { id, nowMs, name, ...changes });
      await writeState(tx, { accountId, nowMs });
    }
    const row = await requireConnection(tx, { id, accountId });
    const facts = changedFields(before ? factsOf(before.name, before.settings) : {}, factsOf(name, settings));
    return {
      result: row,
      record: (isOther || facts) && {
        action: before === undefined ? 'sso.connection-added' : 'sso.connection-changed',
        ...subjectOf(row),
        before: before === undefined ? null : (facts?.before ?? {}),
        after: facts?.after ?? {},
      },
    };
  });
}

/**
 * Switches a connection on with the settings that were tested, or off. Its sessions end by the next request if it is switched
 * off, or if another identity provider replaces the previous one.
 * @throws {AppError} `not_found`; `not_tested` unless exactly these settings have passed a test
 */
export async function activateConnection(
  ctx: SsoContext,
  { accountId, connectionId: id, active }: { accountId: number; connectionId: number; active: boolean },
): Promise<SsoConnection> {
  return changeAndRecord(ctx, announced(accountId), async ({ tx, nowMs, caller }) => {
    await takePlatformTurn(tx, accountId);
    const row = await requireConnection(tx, { id, accountId });
    const { settings, secret, version, testedVersion, live, liveVersion, epoch } = row;
    if (active && testedVersion !== version) throw new AppError('not_tested');
    if (active ? liveVersion === version : live === null) return { result: row, record: undefined };
    const isOver = live !== null && (!active || issuerOf(live) !== issuerOf(settings));
    await setSsoConnection(tx, {
      id,
      nowMs,
      live: active ? settings : null,
      liveSecret: active ? secret : null,
      liveVersion: active ? version : null,
      certificatesEndAtMs: certificatesEndOf(settings),
      epoch: isOver ? epoch + 1 : epoch,
    });
    const { ended, events } = await writeConnections(tx, { accountId, nowMs });
    if (isOver) await endSessionsOf(tx, row, { endedById: caller.memberId, nowMs });
    return {
      result: await requireConnection(tx, { id, accountId }),
      record: {
        action: active ? 'sso.connection-activated' : 'sso.connection-deactivated',
        ...subjectOf(row),
        before: { active: live !== null, ...(ended && { required: true }) },
        after: { active, ...(ended && { required: false }) },
        events,
      },
    };
  });
}

/** Removes a connection. Its sessions end by the next request, and its subjects are forgotten. */
export async function removeConnection(
  ctx: SsoContext,
  { accountId, connectionId: id }: { accountId: number; connectionId: number },
): Promise<void> {
  await changeAndRecord(ctx, announced(accountId), async ({ tx, nowMs, caller }) => {
    await takePlatformTurn(tx, accountId);
    const row = await requireConnection(tx, { id, accountId });
    await endSessionsOf(tx, row, { endedById: caller.memberId, nowMs });
    await removeSsoConnection(tx, id);
    const { ended, events } = await writeConnections(tx, { accountId, nowMs });
    return {
      result: undefined,
      record: {
        action: 'sso.connection-removed',
        ...subjectOf(row),
        before: { ...factsOf(row.name, row.settings), ...(ended && { required: true }) },
        after: ended ? { required: false } : null,
        events,
      },
    };
  });
}

/**
 * Writes into the state of an account which of its connections are on. Without any, the account requires none. Returns whether
 * that requirement ended now.
 */
async function writeConnections(
  tx: AccessTransaction,
  of: { accountId: number; nowMs: number },
): Promise<{ readonly ended: boolean; readonly events: EventDraft[] }> {
  const { accountId } = of;
  const before = accountId === PLATFORM ? null : await findAccountSso(tx, accountId);
  const required = await writeState(tx, of);
  const ended = before?.required === true && !required;
  return { ended, events: ended ? [{ type: 'account.updated', accountId, changed: ['ssoRequired'] }] : [] };
}

/**
 * Writes the state of an account. The platform has none: its sessions end with their sign-ins. Returns whether the account
 * requires a connection.
 */
async function writeState(tx: AccessTransaction, of: { accountId: number; nowMs: number }): Promise<boolean> {
  return of.accountId !== PLATFORM && (await writeAccountSso(tx, of)).required;
}
