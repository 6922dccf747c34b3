import {
  dummyHash,
  emailKey,
  emailSchema,
  hashPassword,
  OWN_ROUNDS,
  passwordRounds,
  type Roles,
  readStoredPassword,
  searchKey,
  usernameKey,
  wrapPasswordHash,
} from '@gatehouse/auth-core';
import {
  changeAccess,
  type Database,
  type ImportedAccount,
  type ImportedMember,
  type ImportedSubscription,
  type ImportOutcome,
  importAccounts,
  importGrants,
  importMembers,
  importMemberships,
  importSubscriptions,
  insertAudit,
} from '@gatehouse/db';
import type { ImportRecord, RecordKind, RowOf } from './record.js';

export interface ImportContext {
  readonly db: Database;
  readonly roles: Roles;
  readonly nowMs: number;
}

/**
 * Writes records in one transaction, people first, then accounts, then who is in which; the outcomes are in the order of
 * the records. The audit log says in the same transaction how many of which were added. Passwords in plain text, and hashes of low cost,
 * are hashed before.
 */
export async function importBatch(
  { db, roles, nowMs }: ImportContext,
  records: readonly ImportRecord[],
): Promise<(ImportOutcome | undefined)[]> {
  const people = records.flatMap((each) => (each.kind === 'member' ? [each.row] : []));
  const rows = {
    member: await Promise.all(people.map((row) => toMember(row, roles, nowMs))),
    account: records.flatMap((each) => (each.kind === 'account' ? [toAccount(each.row, nowMs)] : [])),
    membership: records.flatMap((each) => (each.kind === 'membership' ? [dated(each.row, nowMs)] : [])),
    personnelAccess: records.flatMap((each) =>
      each.kind === 'personnelAccess' ? [dated(each.row, nowMs)] : [],
    ),
    subscription: records.flatMap((each) =>
      each.kind === 'subscription' ? [toSubscription(each.row, nowMs)] : [],
    ),
  };
  const members = [
    ...rows.member.map(({ id }) => id),
    ...rows.membership.map(({ memberId }) => memberId),
    ...rows.personnelAccess.map(({ personnelId }) => personnelId),
  ];
  const subjects = {
    members: [...new Set(members)],
    accounts: rows.account.map(({ id }) => id),
  };
  return changeAccess(db, subjects, async (tx) => {
    const outcomes: Record<RecordKind, ImportOutcome[]> = {
      member: await importMembers(tx, rows.member),
      account: await importAccounts(tx, rows.account),
      membership: await importMemberships(tx, rows.membership, nowMs),
      personnelAccess: await importGrants(tx, rows.personnelAccess),
      subscription: await importSubscriptions(tx, rows.subscription),
    };
    const added = Object.entries(outcomes).map(
      ([kind, each]) => [kind, each.filter(isAdded).length] as const,
    );
    const kindsAdded = added.filter(([, count]) => count > 0);
    if (kindsAdded.length > 0)
      await insertAudit(tx, { atMs: nowMs, action: 'rows.imported', after: Object.fromEntries(kindsAdded) });
    return records.map(({ kind }) => outcomes[kind].shift());
  });
}

async function toMember(row: RowOf<'member'>, roles: Roles, nowMs: number): Promise<ImportedMember> {
  const { role_type: roleType, confirmed, createdAt, password, email: given, ...rest } = row;
  const hash = await toHash(password);
  const rounds = passwordRounds(hash);
  const email = given === undefined ? (emailSchema.safeParse(row.sid).data ?? null) : given;
  return {
    ...rest,
    sidKey: emailKey(row.sid),
    usernameKey: usernameKey(row.username),
    firstNameKey: searchKey(row.firstName),
    lastNameKey: searchKey(row.lastName),
    email,
    emailKey: email === null ? null : emailKey(email),
    emailConfirmedAtMs: email !== null && confirmed ? nowMs : null,
    password: hash,
    passwordRounds: rounds === OWN_ROUNDS ? null : rounds,
    roleType,
    role: roles.labelOf(roleType),
    deletedAtMs: row.isDeleted ? nowMs : null,
    createdAtMs: createdAt ?? nowMs,
    updatedAtMs: nowMs,
  };
}

const isAdded = (outcome: ImportOutcome) => outcome === 'added';

/** A hash of low cost is wrapped. Without a password the hash is one that nobody knows the password of. */
async function toHash(password: string | null | undefined): Promise<string> {
  if (typeof password !== 'string') return dummyHash;
  const { kind } = readStoredPassword(password);
  if (kind === 'weak') return wrapPasswordHash(password);
  return kind === 'plain' ? hashPassword(password) : password;
}

function toAccount({ createdAt, ...row }: RowOf<'account'>, nowMs: number): ImportedAccount {
  return {
    ...row,
    nameKey: searchKey(row.name),
    deletedAtMs: row.isDeleted ? nowMs : null,
    createdAtMs: createdAt ?? nowMs,
    updatedAtMs: nowMs,
  };
}

function toSubscription(
  { trialEndsAt = null, ...row }: RowOf<'subscription'>,
  nowMs: number,
): ImportedSubscription {
  const { provider = null, providerCustomerId = null, providerSubscriptionId = null } = row;
  const written = { trialEndsAtMs: trialEndsAt, provider, providerCustomerId, providerSubscriptionId };
  return dated({ ...row, ...written }, nowMs);
}

function dated<Row extends object>(row: Row, nowMs: number) {
  return { ...row, createdAtMs: nowMs, updatedAtMs: nowMs };
}
