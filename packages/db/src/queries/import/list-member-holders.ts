import { inArray } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** The fields in which an imported member may conflict with an existing one. */
export interface MemberKeys {
  readonly id: number;
  readonly sidKey: string;
  readonly usernameKey: string;
  readonly emailKey: string | null;
}

/** An existing member, by the same keys. */
export interface MemberHolder extends MemberKeys {
  readonly isPersonnel: boolean;
}

/** The members with one of these ids, usernames, login identifiers or addresses, which may stand for each other. */
export async function listMemberHolders(
  db: Pick<Database, 'select' | 'tables'>,
  rows: readonly MemberKeys[],
): Promise<MemberHolder[]> {
  if (rows.length === 0) return [];
  const { id, sidKey, usernameKey, emailKey, isPersonnel } = db.tables.members;
  const names = [...new Set(rows.flatMap((row) => [row.sidKey, row.emailKey ?? row.sidKey]))];
  const found: MemberHolder[] = [];
  // One query per index, because a database uses no index for a combined condition.
  for (const isOneOf of [
    inArray(
      id,
      rows.map((row) => row.id),
    ),
    inArray(sidKey, names),
    inArray(emailKey, names),
    inArray(
      usernameKey,
      rows.map((row) => row.usernameKey),
    ),
  ])
    found.push(
      ...(await db
        .select({ id, sidKey, usernameKey, emailKey, isPersonnel })
        .from(db.tables.members)
        .where(isOneOf)),
    );
  return found;
}
