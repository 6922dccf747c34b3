import { and, asc, getTableColumns, gt, gte, inArray, isNull, type SQL } from 'drizzle-orm';
import type { MySqlColumn } from 'drizzle-orm/mysql-core';
import type { Database } from '../database.js';
import type { Tables } from '../tables/define-tables.js';

/** The tables that a move fills, the column by which it finds rows of the replaced system there, and when a row was made. */
const PLACES = {
  members: ['id', 'createdAtMs'],
  accounts: ['id', 'createdAtMs'],
  memberships: ['memberId', 'createdAtMs'],
  personnelGrants: ['personnelId', 'createdAtMs'],
  subscriptions: ['accountId', 'createdAtMs'],
  partners: ['name', 'createdAtMs'],
  socialConnections: ['providerUserId', 'createdAtMs'],
  subjects: ['id', 'createdAtMs'],
  conversations: ['id', 'createdAtMs'],
  participants: ['conversationId', 'joinedAtMs'],
  messages: ['id', 'createdAtMs'],
  affiliates: ['memberId', 'createdAtMs'],
} as const satisfies { readonly [Name in keyof Tables]?: readonly [string, string] };

export type MovedTable = keyof typeof PLACES;

/** A whole row of one of these tables. */
export type RowHere<Name extends MovedTable> = Tables[Name]['$inferSelect'];

/** The rows with one of these values in the column that finds them. */
export async function findRowsHere<Name extends MovedTable>(
  db: Database,
  name: Name,
  values: readonly (string | number)[],
): Promise<readonly RowHere<Name>[]> {
  if (values.length === 0) return [];
  return select(db, name, inArray(columnOf(db, name, PLACES[name][0]), [...new Set(values)]));
}

/** The rows that were made since a moment, in the order of their ids; `after` pages on. */
export async function listRowsSince<Name extends MovedTable>(
  db: Database,
  name: Name,
  { sinceMs, after, limit }: { sinceMs: number; after: number; limit: number },
): Promise<readonly RowHere<Name>[]> {
  const id = columnOf(db, name, 'id');
  const made = columnOf(db, name, PLACES[name][1]);
  return select(db, name, and(gt(id, after), gte(made, sinceMs)), limit);
}

async function select<Name extends MovedTable>(
  db: Database,
  name: Name,
  where: SQL | undefined,
  limit = Number.MAX_SAFE_INTEGER,
): Promise<readonly RowHere<Name>[]> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every table is read in the same way, and the name decides its rows
  const table = db.tables[name] as Tables['members'];
  const rows: readonly unknown[] = await db
    .select()
    .from(table)
    .where(where)
    .orderBy(asc(table.id))
    .limit(limit);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- they are those of the table of this name
  return rows as readonly RowHere<Name>[];
}

function columnOf(db: Database, name: MovedTable, column: string): MySqlColumn {
  const columns: Readonly<Record<string, MySqlColumn>> = getTableColumns(db.tables[name]);
  const found = columns[column];
  if (found === undefined) throw new Error(`${name} has no column ${column}`);
  return found;
}

/** The newest secret of each partner, as it is stored, by the id of the partner. */
export async function readPartnerSecrets(
  db: Database,
  partnerIds: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (partnerIds.length === 0) return new Map();
  const { id, partnerId, secret, retiresAtMs } = db.tables.partnerSecrets;
  const rows = await db
    .select({ partnerId, secret })
    .from(db.tables.partnerSecrets)
    .where(and(inArray(partnerId, [...partnerIds]), isNull(retiresAtMs)))
    .orderBy(asc(id));
  return new Map(rows.map((row) => [row.partnerId, row.secret]));
}
