import { AppError, type InputIssue } from '@gatehouse/auth-core';
import { isUnknownField, unknownField } from '../server/errors.js';
import type { ProcedureRow } from './route.js';
import { type WireField, wireFields } from './wire-fields.js';

const known = new WeakMap<ProcedureRow, readonly WireField[]>();

function fieldsOf(row: ProcedureRow): readonly WireField[] {
  const fields = known.get(row) ?? wireFields(row);
  known.set(row, fields);
  return fields;
}

/** Issues of a procedure's input under the request's names: `role_type.0` for `roleType.0`. */
export function asSent(row: ProcedureRow, issues: readonly InputIssue[]): InputIssue[] {
  const names = new Map(row.derived ? [] : fieldsOf(row).map(({ name, wire }) => [name, wire]));
  return issues.map((issue) => {
    if (isUnknownField(issue)) return issue;
    const { path, message } = issue;
    const [name = '', ...rest] = path.split('.');
    return { path: [names.get(name) ?? name, ...rest].join('.'), message };
  });
}

/**
 * Refuses unknown fields for a strict row.
 * @throws {AppError} `invalid_input`, naming every field that the row does not read
 */
export function refuseUnread(row: ProcedureRow, fields: Readonly<Record<string, unknown>>): void {
  if (!row.strict) return;
  const read = new Set(fieldsOf(row).flatMap(({ place, wire }) => (place === 'field' ? [wire] : [])));
  const unread = Object.keys(fields).filter((name) => !read.has(name));
  if (unread.length > 0) throw new AppError('invalid_input', { issues: unread.map(unknownField) });
}
