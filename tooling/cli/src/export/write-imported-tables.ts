import type { DataCipher } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import type { ColumnKind } from '@gatehouse/db/queries/list-columns';
import {
  insertWholeRows,
  keyOfRow,
  type RowKey,
  type WholeRow,
} from '@gatehouse/db/queries/read-whole-tables';
import { skipMemberIds } from '@gatehouse/db/queries/skip-ids';
import { beginImport } from '@gatehouse/db/queries/unfinished-import';
import type { AuditLine } from '@gatehouse/features/audit/list-audit';
import { sealAuditRows } from '@gatehouse/features/audit/seal-audit-rows';
import { z } from 'zod';
import { CommandError } from '../command-error.js';
import type { ExportCipher } from './export-cipher.js';
import { type ExportField, type ExportManifest, fieldsOf, fileOf } from './export-manifest.js';
import { readTableLines } from './read-export.js';
import { TABLE_PLANS, type TableName } from './table-plans.js';

const ROWS_AT_ONCE = 500;
const LENGTH_AT_ONCE = 1024 * 1024;

interface ImportInput {
  /** Empty. */
  readonly db: Database;
  /** Of this deployment. */
  readonly cipher: DataCipher;
  /** Of the export; undefined for one without secrets. */
  readonly exported: ExportCipher | undefined;
  readonly folder: string;
  readonly manifest: ExportManifest;
  readonly nowMs: number;
  readonly advance: (rows: number) => void;
}

/**
 * Writes the rows of all files. Members come last, so that nobody signs in to an incomplete database, and nobody who registers in
 * one gets the id of an imported member. The caller ends the note that an import is running.
 * @throws {CommandError} for a line that is not a row of its table, and for a file that was changed after it was verified
 */
export async function writeImportedTables(input: ImportInput): Promise<void> {
  await skipMemberIds(input.db, await highestMemberId(input));
  await beginImport(input.db);
  for (const table of TABLE_PLANS.keys()) {
    let [number, length] = [0, 0];
    let rows: WholeRow[] = [];
    const write = async () => {
      if (rows.length > 0) await writeRows(input, table, rows);
      input.advance(rows.length);
      [rows, length] = [[], 0];
    };
    const read = createRowReader(table, input.exported !== undefined);
    for await (const line of readTableLines(input.folder, input.manifest, table)) {
      number += 1;
      rows.push(read(line, number));
      length += line.length;
      if (rows.length >= ROWS_AT_ONCE || length >= LENGTH_AT_ONCE) await write();
    }
    await write();
  }
}

async function highestMemberId({ exported, folder, manifest }: ImportInput): Promise<number> {
  const read = createRowReader('members', exported !== undefined);
  let [number, highest] = [0, 0];
  for await (const line of readTableLines(folder, manifest, 'members')) {
    number += 1;
    highest = Math.max(highest, Number(read(line, number)['id']));
  }
  return highest;
}

const SHAPES = {
  flag: z.boolean(),
  number: z.int(),
  text: z.string(),
  json: z.unknown(),
} as const satisfies Record<ColumnKind, z.ZodType>;

/** Reads lines as rows that have the fields of the table and no others. */
function createRowReader(table: TableName, hasSecrets: boolean): (line: string, number: number) => WholeRow {
  const fields = fieldsOf(table).filter(({ isSecret }) => hasSecrets || !isSecret);
  const shape = z.strictObject(Object.fromEntries(fields.map((field) => [field.name, shapeOf(field)])));
  return (line, number) => {
    const { data, error } = shape.safeParse(parsed(line));
    if (data !== undefined) return data;
    const [issue] = error.issues;
    const where = issue?.path.join('.') ?? '';
    throw new CommandError(
      `${fileOf(table)}, line ${number}: is no row of this table (${[where, issue?.message].join(' ').trim()}).`,
    );
  };
}

function shapeOf({ kind, isNullable, isSecret }: ExportField): z.ZodType {
  if (isSecret) return z.string().nullable();
  return isNullable ? SHAPES[kind].nullable() : SHAPES[kind];
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

async function writeRows(input: ImportInput, table: TableName, exported: readonly WholeRow[]): Promise<void> {
  const { db, cipher } = input;
  const { contexts } = TABLE_PLANS.get(table) ?? {};
  const contextOf = await contexts?.(db, exported);
  const rows = exported.map((row): WholeRow => {
    const secrets = secretsOf(input, table, row);
    const kept = Object.entries(secrets).map(([name, value]): [string, unknown] => [
      name,
      contextOf !== undefined && typeof value === 'string' ? cipher.seal(value, contextOf(row, name)) : value,
    ]);
    return { ...row, ...Object.fromEntries(kept), ...leftOutOf(table, input.nowMs) };
  });
  await db.transaction(async (tx) => {
    const sealed = table === 'auditLog' ? await sealAuditPage(tx, cipher, rows) : rows;
    await insertWholeRows(tx, table, sealed);
  });
}

/** The decrypted secrets of a row, or replacements for those that the export does not have. */
function secretsOf({ db, exported }: ImportInput, table: TableName, row: WholeRow): WholeRow {
  const { secrets = {} } = TABLE_PLANS.get(table) ?? {};
  const key: RowKey = keyOfRow(db, table, row);
  return Object.fromEntries(
    Object.entries(secrets).map(([column, without]): [string, unknown] => {
      const sealed = row[column] ?? null;
      if (exported !== undefined && sealed !== null)
        return [column, exported.open(sealed, { table, column, key })];
      return [column, without()];
    }),
  );
}

function leftOutOf(table: TableName, nowMs: number): WholeRow {
  const { leftOut = {} } = TABLE_PLANS.get(table) ?? {};
  return Object.fromEntries(Object.entries(leftOut).map(([name, value]) => [name, value(nowMs)]));
}

function sealAuditPage(tx: Database, cipher: DataCipher, rows: readonly WholeRow[]): Promise<WholeRow[]> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each row was read with the shape of this table
  return sealAuditRows(tx, { cipher, now: Date.now }, rows as readonly (AuditLine & WholeRow)[]);
}
