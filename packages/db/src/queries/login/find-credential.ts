import { eq, or } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { type MemberRow, memberColumns } from '../access/member-columns.js';
import { given, prepareRead } from '../prepared.js';

/** The fields of a member that a login checks. */
export interface Credential extends MemberRow {
  sidKey: string;
  emailKey: string | null;
  /** A bcrypt hash; the password itself where `passwordIsPlain`; or a text with which nobody signs in. */
  password: string;
  /** Whether the operator declared that the stored text is the password. */
  passwordIsPlain: boolean;
  /** Bcrypt rounds of one comparison; null for a hash of our own cost. */
  passwordRounds: number | null;
  /** When a sign-in showed that the password is one of those tried first. */
  passwordListedAtMs: number | null;
  /** When they last signed in; null for somebody who never did. */
  lastLoginAtMs: number | null;
  /** Counts the changes of second factors and of the address. */
  factorEpoch: number;
  /** Whether a sign-in takes a second step. */
  secondFactor: boolean;
}

const find = prepareRead<Credential, { key: string }>((db) => {
  const { members } = db.tables;
  const { sidKey, emailKey } = members;
  return db
    .select(credentialColumns(db))
    .from(members)
    .where(or(eq(sidKey, given(sidKey, 'key')), eq(emailKey, given(emailKey, 'key'))))
    .limit(2);
});

/** The credential of the member with this login identifier, or else this e-mail address, deleted ones included. */
export async function findCredential(db: Database, key: string): Promise<Credential | undefined> {
  const rows = await find(db, { key });
  return rows.find(({ sidKey }) => sidKey === key) ?? rows[0];
}

/** The columns of a `Credential`. */
export function credentialColumns({ tables }: Database) {
  const { sidKey, emailKey, password, passwordIsPlain, passwordRounds, passwordListedAtMs } = tables.members;
  const { factorEpoch, lastLoginAtMs, secondFactor } = tables.members;
  const secrets = { sidKey, emailKey, password, passwordIsPlain, passwordRounds, passwordListedAtMs };
  const standing = { factorEpoch, lastLoginAtMs, secondFactor };
  return { ...memberColumns(tables), ...secrets, ...standing };
}
