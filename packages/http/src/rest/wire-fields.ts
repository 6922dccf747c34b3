import { AppError, type InputIssue } from '@gatehouse/auth-core';
import { isUnknownField, unknownField } from '../server/request-failure.js';
import type { ProcedureRow } from './route.js';

/** The place in the HTTP request of a value of a procedure's input. */
export interface WireField {
  /** Its name in the input of the procedure. */
  readonly name: string;
  /** Its name in the request. */
  readonly wire: string;
  readonly place: 'field' | 'param';
  /** Whether an empty text is treated as absent, as in forms. */
  readonly mayBeEmpty: boolean;
}

/**
 * Which part of the request becomes which part of the input. It runs the row with markers instead of values, so the documents
 * match the behavior.
 * @throws {Error} if a value of the input does not come from a single part of the request
 */
export function wireFields(row: ProcedureRow): WireField[] {
  const input = row.input({ fields: marks('field'), params: marks('param') });
  const ofEmpty = new Map(Object.entries(row.input({ fields: empty(), params: marks('param') }) ?? {}));
  return Object.entries(input ?? {}).map(([name, value]) => {
    const [place, wire] = typeof value === 'string' ? value.split(':') : [];
    if (wire === undefined || (place !== 'field' && place !== 'param')) {
      throw new Error(`${row.path} makes up ${row.call}'s ${name}`);
    }
    return { name, wire, place, mayBeEmpty: ofEmpty.get(name) === undefined };
  });
}

/** An object that returns a marker for every name read from it. */
function marks(place: WireField['place']): Record<string, string> {
  return new Proxy({}, { get: (_, wire) => `${place}:${String(wire)}` });
}

/** An empty text for every name. */
function empty(): Record<string, string> {
  return new Proxy({}, { get: () => '' });
}

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
