import { and, asc, count, eq, isNull, lt, lte, ne, or, sql } from 'drizzle-orm';
import type { Database } from '../database.js';
import type { AccessTransaction } from './change-access.js';

/** A passkey of a member. */
export interface Passkey {
  id: number;
  memberId: number;
  /** In base64url, as is the public key in COSE. */
  credentialId: string;
  publicKey: string;
  rpId: string;
  counter: number;
  /** Null for an imported one that has not reported it yet, as for `backupEligible`. */
  userHandle: string | null;
  backupEligible: boolean | null;
  backedUp: boolean;
  /** Separated by blanks. */
  transports: string;
  name: string;
  createdAtMs: number;
  lastUsedAtMs: number | null;
  suspectAtMs: number | null;
}

/** A passkey to add. */
export interface NewPasskey {
  memberId: number;
  /** The digest of the credential's id. */
  credentialKey: string;
  credentialId: string;
  publicKey: string;
  rpId: string;
  counter: number;
  userHandle: string | null;
  backupEligible: boolean | null;
  backedUp: boolean;
  transports: string;
  name: string;
  createdAtMs: number;
  /** Set where adding it verified the member. */
  lastUsedAtMs: number | null;
}

/** Adds a passkey. False if a member already has the credential. */
export async function insertPasskey(tx: AccessTransaction, passkey: NewPasskey): Promise<boolean> {
  return tx.insertOnce(tx.tables.passkeys, passkey);
}

/** The passkey with this credential. */
export async function findPasskeyByKey(db: Database, credentialKey: string): Promise<Passkey | undefined> {
  const [row] = await db
    .select(passkeyColumns(db))
    .from(db.tables.passkeys)
    .where(eq(db.tables.passkeys.credentialKey, credentialKey));
  return row;
}

/** A member's passkeys, the oldest first. */
export async function listPasskeys(db: Database, memberId: number): Promise<Passkey[]> {
  const { passkeys } = db.tables;
  return db
    .select(passkeyColumns(db))
    .from(passkeys)
    .where(eq(passkeys.memberId, memberId))
    .orderBy(asc(passkeys.id));
}

/** Names a passkey. False when the member has no such passkey. */
export async function setPasskeyName(
  tx: Database,
  { id, memberId, name }: { id: number; memberId: number; name: string },
): Promise<boolean> {
  const { passkeys } = tx.tables;
  const rows = await tx.write(
    tx
      .update(passkeys)
      .set({ name })
      .where(and(eq(passkeys.id, id), eq(passkeys.memberId, memberId))),
  );
  return rows === 1;
}

/** Removes a passkey. False when the member has no such passkey. */
export async function removePasskey(
  tx: AccessTransaction,
  { id, memberId }: { id: number; memberId: number },
): Promise<boolean> {
  const { passkeys } = tx.tables;
  const rows = await tx.write(
    tx.delete(passkeys).where(and(eq(passkeys.id, id), eq(passkeys.memberId, memberId))),
  );
  return rows === 1;
}

/** Removes all passkeys of a member. */
export async function removePasskeysOf(tx: AccessTransaction, memberId: number): Promise<void> {
  const { passkeys } = tx.tables;
  await tx.write(tx.delete(passkeys).where(eq(passkeys.memberId, memberId)));
}

/** A use of a passkey whose signature was right. */
export interface PasskeyUse {
  id: number;
  memberId: number;
  /** The signature counter of the authenticator; 0 if it has none. */
  counter: number;
  backedUp: boolean;
  nowMs: number;
}

/**
 * Records the use of a passkey on one device. False when its counter is not above that of the last use, or the
 * passkey was removed or is suspect: of any number of uses with one counter, one is true.
 */
export async function usePasskeyOfOneDevice(tx: Database, use: PasskeyUse): Promise<boolean> {
  const { passkeys } = tx.tables;
  const { id, memberId, counter, backedUp, nowMs } = use;
  const hasRisen = lt(passkeys.counter, counter);
  const rows = await tx.write(
    tx
      .update(passkeys)
      .set({ counter, backedUp, lastUsedAtMs: nowMs })
      .where(
        and(isUsable(tx, { id, memberId }), counter === 0 ? or(hasRisen, eq(passkeys.counter, 0)) : hasRisen),
      ),
  );
  return rows === 1;
}

/** Records the use of a passkey that may have copies, whose counters differ. False when it was removed or is suspect. */
export async function useSyncedPasskey(tx: Database, use: PasskeyUse): Promise<boolean> {
  const { passkeys } = tx.tables;
  const { id, memberId, counter, backedUp, nowMs } = use;
  const highest = sql`case when ${passkeys.counter} > ${counter} then ${passkeys.counter} else ${counter} end`;
  const rows = await tx.write(
    tx
      .update(passkeys)
      .set({ counter: highest, backedUp, lastUsedAtMs: nowMs })
      .where(isUsable(tx, { id, memberId })),
  );
  return rows === 1;
}

/** Records what the first use of an imported passkey reveals. What is already known stays. */
export async function completePasskey(
  tx: Database,
  { id, userHandle, backupEligible }: { id: number; userHandle: string | undefined; backupEligible: boolean },
): Promise<void> {
  const { passkeys } = tx.tables;
  await tx.write(
    tx
      .update(passkeys)
      .set({
        userHandle: sql`coalesce(${passkeys.userHandle}, ${userHandle ?? null})`,
        backupEligible: sql`coalesce(${passkeys.backupEligible}, ${backupEligible})`,
      })
      .where(eq(passkeys.id, id)),
  );
}

/**
 * Marks a passkey on one device whose counter went back in a use that began after its last accepted one: there is a
 * copy. False when it is marked or removed already, or another use was accepted since.
 */
export async function setPasskeySuspect(
  tx: AccessTransaction,
  {
    id,
    memberId,
    counter,
    beganAtMs,
    nowMs,
  }: { id: number; memberId: number; counter: number; beganAtMs: number; nowMs: number },
): Promise<boolean> {
  const { passkeys } = tx.tables;
  const isOfOneDevice = or(isNull(passkeys.backupEligible), eq(passkeys.backupEligible, false));
  const isOver = or(isNull(passkeys.lastUsedAtMs), lt(passkeys.lastUsedAtMs, beganAtMs));
  const wentBack = and(lte(sql`${counter}`, passkeys.counter), ne(passkeys.counter, 0));
  const rows = await tx.write(
    tx
      .update(passkeys)
      .set({ suspectAtMs: nowMs })
      .where(and(isUsable(tx, { id, memberId }), isOfOneDevice, isOver, wentBack)),
  );
  return rows === 1;
}

/** The user id in a member's passkeys; null before the first one, undefined for an unknown member. */
export async function findPasskeyUserId(
  db: Database,
  memberId: number,
): Promise<{ passkeyUserId: string | null } | undefined> {
  const { members } = db.tables;
  const [row] = await db
    .select({ passkeyUserId: members.passkeyUserId })
    .from(members)
    .where(eq(members.id, memberId));
  return row;
}

/** Gives a member the user id of their passkeys. False when they have another one. */
export async function setPasskeyUserId(
  tx: AccessTransaction,
  { memberId, passkeyUserId }: { memberId: number; passkeyUserId: string },
): Promise<boolean> {
  const { members } = tx.tables;
  const isOpen = or(isNull(members.passkeyUserId), eq(members.passkeyUserId, passkeyUserId));
  const rows = await tx.write(
    tx
      .update(members)
      .set({ passkeyUserId })
      .where(and(eq(members.id, memberId), isOpen)),
  );
  return rows === 1;
}

/** How many passkeys were made for another relying party and therefore cannot be used. */
export async function countForeignPasskeys(db: Database, rpId: string): Promise<number> {
  const { passkeys } = db.tables;
  const [row] = await db.select({ foreign: count() }).from(passkeys).where(ne(passkeys.rpId, rpId));
  return row?.foreign ?? 0;
}

function isUsable({ tables }: Database, { id, memberId }: { id: number; memberId: number }) {
  const { passkeys } = tables;
  return and(eq(passkeys.id, id), eq(passkeys.memberId, memberId), isNull(passkeys.suspectAtMs));
}

function passkeyColumns({ tables }: Database) {
  const { id, memberId, credentialId, publicKey, rpId, counter, userHandle, backupEligible } =
    tables.passkeys;
  const { backedUp, transports, name, createdAtMs, lastUsedAtMs, suspectAtMs } = tables.passkeys;
  const what = { id, memberId, credentialId, publicKey, rpId, counter, userHandle, backupEligible };
  return { ...what, backedUp, transports, name, createdAtMs, lastUsedAtMs, suspectAtMs };
}
