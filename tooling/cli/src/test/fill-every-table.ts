import { randomBytes } from 'node:crypto';
import type { DataCipher } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { listColumns, type WholeColumn } from '@gatehouse/db/queries/list-columns';
import { insertWholeRows, type WholeRow } from '@gatehouse/db/queries/read-whole-tables';
import { memberCipher, sealState } from '@gatehouse/features/audit/member-cipher';
import { TABLE_PLANS } from '../export/table-plans.js';

const ROWS = [1, 2, 3];

/**
 * Writes rows into every table of an export, in which every column has a value. Ids and references are 1 to 3.
 * @returns the secrets among them, as they are and as they are stored
 */
export async function fillEveryTable(db: Database, cipher: DataCipher): Promise<string[]> {
  const secrets: string[] = [];
  for (const [table, { secrets: secret = {}, contexts, leftOut = {} }] of TABLE_PLANS) {
    const columns = listColumns(table);
    const rows = ROWS.map((number): WholeRow => rowOf(columns, number));
    const contextOf = await contexts?.(db, rows);
    for (const row of rows)
      for (const { name, kind } of columns) {
        const isSecret = Object.hasOwn(secret, name) || Object.hasOwn(leftOut, name);
        if (!isSecret || kind !== 'text') continue;
        const plain = randomBytes(16).toString('hex');
        const isSealed = contextOf !== undefined && Object.hasOwn(secret, name);
        row[name] = isSealed ? cipher.seal(plain, contextOf(row, name)) : plain;
        secrets.push(plain, String(row[name]));
      }
    await insertWholeRows(db, table, rows);
  }
  const key = await memberCipher(db, { cipher, now: Date.now }, 1);
  const after = sealState(key, { roleType: 5, email: 'sealed@many.test', role: null });
  await db.insert(db.tables.auditLog, {
    atMs: 7,
    action: 'member.changed',
    subjectKind: 'member',
    subjectId: '1',
    after,
  });
  return secrets;
}

function rowOf(columns: readonly WholeColumn[], number: number): WholeRow {
  return Object.fromEntries(columns.map((column, at) => [column.name, valueIn(column, { number, at })]));
}

function valueIn({ name, kind }: WholeColumn, { number, at }: { number: number; at: number }): unknown {
  if (kind === 'flag') return number % 2 === 1;
  if (kind === 'json') return { list: [number, 'ä"\n\u2028', null], 2: true, name };
  if (kind === 'number')
    return name === 'id' || name.endsWith('Id') || name.endsWith('Key') ? number : at * 10 + number;
  if (name === 'locale') return 'en';
  return `${number}ü${at}`;
}
