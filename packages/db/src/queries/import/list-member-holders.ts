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

/** The members with one of these ids, login identifiers, usernames or addresses. */
export async function listMemberHolders(
  db: Pick<Database, 'select' | 'tables'>,
  rows: readonly MemberKeys[],
): Promise<MemberHolder[]> {
  if (rows.length === 0) return [];
  const { id, sidKey, usernameKey, emailKey, isPersonnel } = db.tables.members;
  const emailKeys = rows.flatMap((row) => row.emailKey ?? []);
  const found: MemberHolder[] = [];
  // One query per index, because a database uses no index for a combined condition.
  for (const isOneOf of [
    inArray(
      id,
      rows.map((row) => row.id),
    ),
    inArray(
      sidKey,
      rows.map((row) => row.sidKey),
    ),
    inArray(
      usernameKey,
      rows.map((row) => row.usernameKey),
    ),
    ...(emailKeys.length > 0 ? [inArray(emailKey, emailKeys)] : []),
  ])
    found.push(
      ...(await db
        .select({ id, sidKey, usernameKey, emailKey, isPersonnel })
        .from(db.tables.members)
        .where(isOneOf)),
    );
  return found;
}
