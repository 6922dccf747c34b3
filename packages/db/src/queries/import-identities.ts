import { and, eq, inArray } from 'drizzle-orm';
import type { Database } from '../database.js';
import type { AccessTransaction } from './change-access.js';
import { type ImportOutcome, importProblems, insertNew } from './insert-imported-rows.js';
import { setMemberFactors } from './member-factors.js';
import type { NewPasskey } from './member-passkeys.js';

/** A provider by which a member of another system signed in. It has no tokens: the next sign-in brings them. */
export interface ImportedConnection {
  memberId: number;
  providerId: number;
  providerUserId: string;
  email: string | null;
  displayName: string | null;
  createdAtMs: number;
  updatedAtMs: number;
}

/** Adds connections of identities that nobody has, and leaves existing ones unchanged. */
export async function importConnections(
  tx: AccessTransaction,
  rows: readonly ImportedConnection[],
): Promise<ImportOutcome[]> {
  if (rows.length === 0) return [];
  const people = await listMembersThere(tx, rows);
  const there = await listConnectionOwners(tx, rows);
  const stored = rows.map((row) => ({ ...row, tokenStatus: 'expired' as const }));
  return insertNew(tx, tx.tables.socialConnections, stored, {
    check: (row) => checkOwner(row, people) ?? checkConnection(row, there),
    checkAgain: async (row) => checkConnection(row, await listConnectionOwners(tx, [row])),
  });
}

type Identity = Pick<ImportedConnection, 'memberId' | 'providerId' | 'providerUserId'>;

/** Whether an identity is known, or connected to somebody else. Undefined if it can be added. */
export function checkConnection(
  row: Identity,
  there: ReadonlyMap<string, number>,
): ImportOutcome | undefined {
  const owner = there.get(identityKey(row));
  if (owner === undefined) return undefined;
  return owner === row.memberId ? 'there' : importProblems.identityIsTaken(owner);
}

/** The members to whom these identities are connected, by `identityKey`. */
export async function listConnectionOwners(
  db: Pick<Database, 'select' | 'tables'>,
  rows: readonly Identity[],
): Promise<ReadonlyMap<string, number>> {
  const owners = new Map<string, number>();
  const { memberId, providerId, providerUserId } = db.tables.socialConnections;
  for (const id of new Set(rows.map((row) => row.providerId))) {
    const ids = rows.filter((row) => row.providerId === id).map((row) => row.providerUserId);
    const found = await db
      .select({ memberId, providerId, providerUserId })
      .from(db.tables.socialConnections)
      .where(and(eq(providerId, id), inArray(providerUserId, ids)));
    for (const row of found) owners.set(identityKey(row), row.memberId);
  }
  return owners;
}

/** One text for an identity at a provider. */
export function identityKey(row: Pick<Identity, 'providerId' | 'providerUserId'>): string {
  return `${row.providerId} ${row.providerUserId}`;
}

/** The authenticator app of a member of another system. */
export interface ImportedTotp {
  memberId: number;
  /** Encrypted for this member. */
  secret: string;
  confirmedAtMs: number;
  createdAtMs: number;
}

/** Adds authenticator apps to members who have none. Their sign-ins take a second step from now on. */
export async function importTotps(
  tx: AccessTransaction,
  rows: readonly ImportedTotp[],
): Promise<ImportOutcome[]> {
  if (rows.length === 0) return [];
  const people = await listMembersThere(tx, rows);
  const there = await listTotpHolders(tx, rows);
  const outcomes = await insertNew(tx, tx.tables.totpFactors, rows, {
    check(row) {
      const problem = checkOwner(row, people);
      return problem ?? (there.has(row.memberId) ? 'there' : undefined);
    },
  });
  for (const [at, { memberId, createdAtMs: nowMs }] of rows.entries())
    if (outcomes[at] === 'added') await setMemberFactors(tx, memberId, { nowMs, secondFactor: true });
  return outcomes;
}

/** Which of these members have an authenticator app. */
export async function listTotpHolders(
  db: Pick<Database, 'select' | 'tables'>,
  rows: readonly { readonly memberId: number }[],
): Promise<ReadonlySet<number>> {
  if (rows.length === 0) return new Set();
  const { memberId } = db.tables.totpFactors;
  const found = await db
    .select({ memberId })
    .from(db.tables.totpFactors)
    .where(
      inArray(
        memberId,
        rows.map((row) => row.memberId),
      ),
    );
  return new Set(found.map((row) => row.memberId));
}

/** A WebAuthn credential of another system. */
export interface ImportedPasskey {
  passkey: Omit<NewPasskey, 'lastUsedAtMs'>;
  nowMs: number;
  /** Whether the member's sign-ins take a second step from now on. */
  isSecondStep: boolean;
}

/** Adds passkeys that nobody has, and leaves existing ones unchanged. */
export async function importPasskeys(
  tx: AccessTransaction,
  rows: readonly ImportedPasskey[],
): Promise<ImportOutcome[]> {
  if (rows.length === 0) return [];
  const stored = rows.map(({ passkey }) => ({ ...passkey, lastUsedAtMs: null }));
  const people = await listMembersThere(tx, stored);
  const there = await listPasskeyHolders(tx, stored);
  const outcomes = await insertNew(tx, tx.tables.passkeys, stored, {
    check: (row) => checkOwner(row, people) ?? checkPasskey(row, there),
    checkAgain: async (row) => checkPasskey(row, await listPasskeyHolders(tx, [row])),
  });
  for (const [at, { passkey, nowMs, isSecondStep }] of rows.entries())
    if (outcomes[at] === 'added')
      await setMemberFactors(tx, passkey.memberId, {
        nowMs,
        ...(isSecondStep ? { secondFactor: true } : {}),
      });
  return outcomes;
}

type PasskeyHolder = Pick<NewPasskey, 'memberId' | 'credentialKey'>;

/** Whether a passkey is known, or somebody else has it. Undefined if it can be added. */
export function checkPasskey(
  { memberId, credentialKey }: PasskeyHolder,
  there: ReadonlyMap<string, number>,
): ImportOutcome | undefined {
  const owner = there.get(credentialKey);
  if (owner === undefined) return undefined;
  return owner === memberId ? 'there' : importProblems.passkeyIsTaken(owner);
}

/** The members who have these passkeys, by `credentialKey`. */
export async function listPasskeyHolders(
  db: Pick<Database, 'select' | 'tables'>,
  rows: readonly PasskeyHolder[],
): Promise<ReadonlyMap<string, number>> {
  if (rows.length === 0) return new Map();
  const { memberId, credentialKey } = db.tables.passkeys;
  const found = await db
    .select({ memberId, credentialKey })
    .from(db.tables.passkeys)
    .where(
      inArray(
        credentialKey,
        rows.map((row) => row.credentialKey),
      ),
    );
  return new Map(found.map((row) => [row.credentialKey, row.memberId]));
}

/**
 * Why a way to sign in is not added to a member; undefined if it may be added. Those of staff with an unproven address have an
 * unknown owner.
 * @param people whether each member's ways to sign in are known to be theirs
 */
export function checkOwner(
  { memberId }: { readonly memberId: number },
  people: ReadonlyMap<number, boolean>,
): ImportOutcome | undefined {
  const mayGet = people.get(memberId);
  if (mayGet === undefined) return importProblems.noMember(memberId);
  return mayGet ? undefined : importProblems.unprovenSignIn(memberId);
}

/** The members of these rows, and whether they may get ways to sign in from another system. */
export async function listMembersThere(
  db: Pick<Database, 'select' | 'tables'>,
  rows: readonly { readonly memberId: number }[],
): Promise<ReadonlyMap<number, boolean>> {
  if (rows.length === 0) return new Map();
  const { id, isPersonnel, ownerProvenAtMs } = db.tables.members;
  const memberIds = [...new Set(rows.map((row) => row.memberId))];
  const found = await db
    .select({ id, isPersonnel, ownerProvenAtMs })
    .from(db.tables.members)
    .where(inArray(id, memberIds));
  return new Map(found.map((row) => [row.id, !row.isPersonnel || row.ownerProvenAtMs !== null]));
}
