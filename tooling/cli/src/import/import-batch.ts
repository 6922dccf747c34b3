import {
  dummyHash,
  emailKey,
  foreignHash,
  hashPassword,
  isPasswordHash,
  passwordCost,
  type Roles,
  readStoredPassword,
  searchKey,
  sha256Hex,
  usernameKey,
  wrapPasswordHash,
  wrapWeakDigest,
} from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { type AccessTransaction, changeAccess } from '@gatehouse/db/queries/change-access';
import { changeStaffStatus, type StaffTransaction } from '@gatehouse/db/queries/change-staff-status';
import type { ImportForecast } from '@gatehouse/db/queries/create-import-forecast';
import { importForeignIds, lockJoinableMembers } from '@gatehouse/db/queries/foreign-ids';
import {
  type ImportedAccount,
  type ImportedSubscription,
  importAccounts,
  importGrants,
  importMemberships,
  importSubscriptions,
} from '@gatehouse/db/queries/import-accounts';
import { importConnections, importPasskeys, importTotps } from '@gatehouse/db/queries/import-identities';
import { type ImportedMember, importMembers } from '@gatehouse/db/queries/import-members';
import type { ImportOutcome } from '@gatehouse/db/queries/insert-imported-rows';
import { type AuditContext, recordAudit } from '@gatehouse/features/audit/record-audit';
import { sealTotpSecret } from '@gatehouse/features/authentication/second-factor/factor-codes';
import { endFormerSessions, staffChange } from '@gatehouse/features/member/change-staff';
import { importPartner, type PartnerOutcome } from '@gatehouse/features/partner/add-partner';
import type { NewPartner } from '@gatehouse/features/partner/partner-schemas';
import { addressOf, type ImportRecord, type RecordKind, type RowOf } from './import-record.js';
import { inKindOrder, type RecordOutcome } from './in-kind-order.js';

/**
 * Changes staff authority. Staff who existed before and gain or lose authority are signed out everywhere, as after every such
 * change. No mail is sent: an import mails no one.
 */
export async function withStaffSettled<Outcome>(
  tx: AccessTransaction,
  { roles, nowMs, personnelIds }: { roles: Roles; nowMs: number; personnelIds: readonly number[] },
  write: (tx: StaffTransaction) => Promise<Outcome[]>,
): Promise<Outcome[]> {
  const [first, ...others] = [...new Set(personnelIds)].sort((a, b) => a - b);
  if (first === undefined) return [];
  const within = (memberId: number, next: (inner: StaffTransaction) => Promise<Outcome[]>) => {
    return (outer: AccessTransaction) =>
      changeStaffStatus(outer, { memberId, nowMs }, next, async (staffTx, before, after) => {
        if (staffChange(roles, before, after).apartFromBan === 'none') return;
        await endFormerSessions(staffTx, { memberId, actorId: null, nowMs });
      });
  };
  return within(
    first,
    others.reduce((next, memberId) => within(memberId, next), write),
  )(tx);
}

export interface ImportContext {
  readonly db: Database;
  readonly audit: AuditContext;
  readonly roles: Roles;
  /** Whether the owner of a confirmed address is known to be the person who registered the member. */
  readonly isConfirmedProven: boolean;
  readonly nowMs: number;
}

/**
 * Writes records in one transaction, in the order of `inKindOrder`, with an audit line that counts those added by kind.
 * Plain-text passwords and hashes of low cost are hashed first.
 * @param bad names of earlier records that are invalid
 * @param also writes further rows in the transaction, by the outcomes
 */
export async function importBatch(
  { db, audit, roles, isConfirmedProven, nowMs }: ImportContext,
  records: readonly ImportRecord[],
  bad: ReadonlySet<string>,
  also: (tx: AccessTransaction, outcomes: readonly RecordOutcome[]) => Promise<void> = async () => undefined,
): Promise<RecordOutcome[]> {
  const people = new Map<number, ImportedMember>();
  for (const { at, row } of await Promise.all(
    rowsOf(records, 'member').map(async ([at, row]) => ({
      at,
      row: await toMember(row, { roles, isConfirmedProven, nowMs }),
    })),
  ))
    people.set(at, row);
  const accounts = new Map(rowsOf(records, 'account').map(([at, row]) => [at, toAccount(row, nowMs)]));
  const foreignIds = new Map(
    rowsOf(records, 'foreignId').map(([at, { joinedBy: _joinedBy, ...row }]) => [
      at,
      { ...row, createdAtMs: nowMs },
    ]),
  );
  const connections = new Map(
    rowsOf(records, 'connection').map(([at, { joinedBy: _joinedBy, ...row }]) => [at, dated(row, nowMs)]),
  );
  const totps = new Map(
    rowsOf(records, 'totp').map(([at, { memberId, secret }]) => [
      at,
      {
        memberId,
        secret: sealTotpSecret(audit.services, memberId, secret),
        confirmedAtMs: nowMs,
        createdAtMs: nowMs,
      },
    ]),
  );
  const passkeys = new Map(
    rowsOf(records, 'passkey').map(([at, { id: credentialId, createdAt, isSecondStep, ...row }]) => [
      at,
      {
        passkey: {
          ...row,
          credentialId,
          credentialKey: sha256Hex(credentialId),
          createdAtMs: createdAt ?? nowMs,
        },
        nowMs,
        isSecondStep,
      },
    ]),
  );
  const memberships = new Map(rowsOf(records, 'membership').map(([at, row]) => [at, dated(row, nowMs)]));
  const grants = new Map(rowsOf(records, 'personnelAccess').map(([at, row]) => [at, dated(row, nowMs)]));
  const subscriptions = new Map(
    rowsOf(records, 'subscription').map(([at, row]) => [at, toSubscription(row, nowMs)]),
  );
  const partners = new Map(rowsOf(records, 'partner'));
  const members = [
    ...[...people.values()].map(({ id }) => id),
    ...[...memberships.values()].map(({ memberId }) => memberId),
    ...[...totps.values()].map(({ memberId }) => memberId),
    ...[...passkeys.values()].map(({ passkey }) => passkey.memberId),
    ...[...grants.values()].map(({ personnelId }) => personnelId),
  ];
  const changed = [
    ...[...accounts.values()].map(({ id }) => id),
    ...[...subscriptions.values()].map(({ accountId }) => accountId),
  ];
  const subjects = { members: [...new Set(members)], accounts: [...new Set(changed)] };
  return changeAccess(db, subjects, async (tx) => {
    const added: Partial<Record<RecordKind, number>> = {};
    const writers: Record<RecordKind, (places: readonly number[]) => Promise<PartnerOutcome[]>> = {
      member: (places) => importMembers(tx, pick(people, places)),
      account: (places) => importAccounts(tx, pick(accounts, places)),
      foreignId: (places) =>
        writeJoinable(tx, { records, places }, (free) => importForeignIds(tx, pick(foreignIds, free))),
      connection: (places) =>
        writeJoinable(tx, { records, places }, (free) => importConnections(tx, pick(connections, free))),
      totp: (places) => importTotps(tx, pick(totps, places)),
      passkey: (places) => importPasskeys(tx, pick(passkeys, places)),
      membership: (places) => importMemberships(tx, pick(memberships, places), nowMs),
      personnelAccess: (places) => {
        const rows = pick(grants, places);
        const personnelIds = rows.map(({ personnelId }) => personnelId);
        return withStaffSettled(tx, { roles, nowMs, personnelIds }, (inner) => importGrants(inner, rows));
      },
      subscription: (places) => importSubscriptions(tx, pick(subscriptions, places)),
      partner: (places) =>
        eachInOrder(pick(partners, places), (row) =>
          importPartner({ ...audit, db: tx, nowMs, actorId: null }, row),
        ),
    };
    const outcomes = await inKindOrder(records, bad, async (kind, places) => {
      const written = await writers[kind](places);
      const count = written.filter(isAdded).length;
      if (count > 0) added[kind] = count;
      return written;
    });
    if (Object.keys(added).length > 0)
      await recordAudit(tx, audit, { atMs: nowMs, action: 'rows.imported', after: added });
    await also(tx, outcomes);
    return outcomes;
  });
}

/**
 * Writes records of one kind, except those that merge a person with a member who can no longer be merged: they took another
 * address, became staff or were deleted since the line was read.
 */
async function writeJoinable(
  tx: AccessTransaction,
  { records, places }: { records: readonly ImportRecord[]; places: readonly number[] },
  write: (places: readonly number[]) => Promise<ImportOutcome[]>,
): Promise<ImportOutcome[]> {
  const joins = new Map(
    places.flatMap((at) => {
      const record = records[at];
      if (record?.kind !== 'foreignId' && record?.kind !== 'connection') return [];
      const { memberId, joinedBy } = record.row;
      return memberId === null || joinedBy === undefined ? [] : [[at, { memberId, emailKey: joinedBy }]];
    }),
  );
  const joinable = await lockJoinableMembers(tx, [...joins.values()]);
  const isRefused = (at: number) => !joinable.has(joins.get(at)?.memberId ?? 0) && joins.has(at);
  const written = await write(places.filter((at) => !isRefused(at)));
  return places.map((at) =>
    isRefused(at)
      ? { problem: `member ${joins.get(at)?.memberId} has changed meanwhile: import the line again` }
      : (written.shift() ?? { problem: 'was left out' }),
  );
}

/** Predicts the same outcomes without writing. */
export function forecastBatch(
  forecast: ImportForecast &
    Partial<Pick<ImportContext, 'isConfirmedProven'>> & { partner(row: NewPartner): Promise<ImportOutcome> },
  records: readonly ImportRecord[],
  bad: ReadonlySet<string>,
): Promise<RecordOutcome[]> {
  const rows = <Kind extends RecordKind>(kind: Kind, places: readonly number[]) =>
    pick(new Map(rowsOf(records, kind)), places);
  const forecasts: Record<RecordKind, (places: readonly number[]) => Promise<ImportOutcome[]>> = {
    member: (places) =>
      forecast.members(
        rows('member', places).map((row) => ({
          ...keysOf(row),
          isPersonnel: row.isPersonnel,
          isOwned: !row.isPersonnel || isProvenBy(row, forecast),
        })),
      ),
    account: (places) => forecast.accounts(rows('account', places)),
    foreignId: (places) => forecast.foreignIds(rows('foreignId', places)),
    connection: (places) => forecast.connections(rows('connection', places)),
    totp: (places) => forecast.totps(rows('totp', places)),
    passkey: (places) =>
      forecast.passkeys(
        rows('passkey', places).map(({ memberId, id }) => ({ memberId, credentialKey: sha256Hex(id) })),
      ),
    membership: (places) => forecast.memberships(rows('membership', places)),
    personnelAccess: (places) => forecast.grants(rows('personnelAccess', places)),
    subscription: (places) => forecast.subscriptions(rows('subscription', places)),
    partner: (places) => eachInOrder(rows('partner', places), forecast.partner),
  };
  return inKindOrder(records, bad, (kind, places) => forecasts[kind](places));
}

/** Whether a record was added, perhaps with a generated secretKey. */
export function isAdded(outcome: RecordOutcome): outcome is 'added' | { readonly secretKey: string } {
  return outcome === 'added' || (typeof outcome === 'object' && 'secretKey' in outcome);
}

async function eachInOrder<Row, Outcome>(
  rows: readonly Row[],
  write: (row: Row) => Promise<Outcome>,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const row of rows) outcomes.push(await write(row));
  return outcomes;
}

function rowsOf<Kind extends RecordKind>(
  records: readonly ImportRecord[],
  kind: Kind,
): [number, RowOf<Kind>][] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the kind of a record decides the type of its row
  return records.flatMap((record, at) => (record.kind === kind ? [[at, record.row as RowOf<Kind>]] : []));
}

function pick<Row>(rows: ReadonlyMap<number, Row>, places: readonly number[]): Row[] {
  return places.flatMap((at) => rows.get(at) ?? []);
}

function keysOf(row: RowOf<'member'>) {
  const email = addressOf(row);
  return {
    id: row.id,
    sidKey: emailKey(row.sid),
    usernameKey: usernameKey(row.username),
    emailKey: email === null ? null : emailKey(email),
  };
}

/** Whether the owner of the member's address is known to be the person who registered there. */
function isProvenBy(
  row: RowOf<'member'>,
  { isConfirmedProven = true }: Partial<Pick<ImportContext, 'isConfirmedProven'>>,
): boolean {
  return isConfirmedProven && row.confirmed && addressOf(row) !== null;
}

/** The member that a record makes, with the hash of a password in plain text. */
export async function toMember(
  row: RowOf<'member'>,
  { roles, isConfirmedProven, nowMs }: Pick<ImportContext, 'roles' | 'isConfirmedProven' | 'nowMs'>,
): Promise<ImportedMember> {
  const {
    role_type: roleType,
    confirmed,
    createdAt,
    password,
    plainPassword,
    isBanned,
    email: _given,
    ...rest
  } = row;
  const email = addressOf(row);
  const isProven = isProvenBy(row, { isConfirmedProven });
  // Staff need a proven address: without one, the owner of the imported password is unknown.
  const opens = !row.isPersonnel || isProven;
  const hash = opens ? await toHash({ password, plainPassword }) : dummyHash;
  return {
    ...rest,
    ...keysOf(row),
    firstNameKey: searchKey(row.firstName),
    lastNameKey: searchKey(row.lastName),
    email,
    emailConfirmedAtMs: email !== null && confirmed ? nowMs : null,
    ownerProvenAtMs: isProven ? nowMs : null,
    password: hash,
    ...(row.isPersonnel && hash === dummyHash ? { hasPassword: false } : {}),
    ...passwordCost(hash),
    ...(isBanned
      ? { roleType: roles.id.archived, bannedRoleType: roleType, bannedAtMs: nowMs }
      : { roleType }),
    role: roles.labelOf(roleType),
    deletedAtMs: row.isDeleted ? nowMs : null,
    createdAtMs: createdAt ?? nowMs,
    updatedAtMs: nowMs,
  };
}

/**
 * A hash of low cost is wrapped, as is a bare digest, and one of another kind than bcrypt marked with its kind. Without a password, a hash that no
 * password matches is stored.
 */
async function toHash({
  password,
  plainPassword,
}: Pick<RowOf<'member'>, 'password' | 'plainPassword'>): Promise<string> {
  if (typeof plainPassword === 'string') return hashPassword(plainPassword);
  if (typeof password !== 'string') return dummyHash;
  if (readStoredPassword(password).kind === 'weak') return wrapPasswordHash(password);
  const hash = isPasswordHash(password) ? password : foreignHash(password);
  return hash ?? wrapWeakDigest(password);
}

/** The account that a record makes. */
export function toAccount({ createdAt, ...row }: RowOf<'account'>, nowMs: number): ImportedAccount {
  return {
    ...row,
    nameKey: searchKey(row.name),
    deletedAtMs: row.isDeleted ? nowMs : null,
    createdAtMs: createdAt ?? nowMs,
    updatedAtMs: nowMs,
  };
}

/** The subscription that a record makes. */
export function toSubscription(
  { trialEndsAt = null, ...row }: RowOf<'subscription'>,
  nowMs: number,
): ImportedSubscription {
  const { provider = null, providerCustomerId = null, providerSubscriptionId = null } = row;
  const written = { trialEndsAtMs: trialEndsAt, provider, providerCustomerId, providerSubscriptionId };
  return dated({ ...row, ...written }, nowMs);
}

/** A row made now. */
export function dated<Row extends object>(row: Row, nowMs: number) {
  return { ...row, createdAtMs: nowMs, updatedAtMs: nowMs };
}
