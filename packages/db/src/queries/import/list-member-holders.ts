import { inArray } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** By what a member who is brought may clash with one who is there. */
export interface MemberKeys {
  readonly id: number;
  readonly sidKey: string;
  readonly usernameKey: string;
  readonly emailKey: string | null;
}

/** A member who is there, by the same keys. */
export interface MemberHolder extends MemberKeys {
  readonly isPersonnel: boolean;
}

/** The members who have the number, login identifier, username or address of one of these. */
export async function listMemberHolders(
  db: Pick<Database, 'select' | 'tables'>,
  rows: readonly MemberKeys[],
): Promise<MemberHolder[]> {
  if (rows.length === 0) return [];
  const { id, sidKey, usernameKey, emailKey, isPersonnel } = db.tables.members;
  const emailKeys = rows.flatMap((row) => row.emailKey ?? []);
  const found: MemberHolder[] = [];
  // One question for each index: of several at once a database uses none.
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
