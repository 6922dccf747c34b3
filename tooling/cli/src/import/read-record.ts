import type { Roles } from '@gatehouse/auth-core';
import { z } from 'zod';
import { type ImportRecord, parseRecord, RECORD_KINDS } from './record.js';

const object = z.record(z.string(), z.unknown());

/** What a line says, or what is wrong with it: the names of fields, never their values, which may be passwords. */
export function readRecord(line: string, roles: Roles): ImportRecord | { problem: string } {
  const fields = object.safeParse(parseJson(line)).data ?? {};
  const [kind] = RECORD_KINDS.filter((each) => each in fields);
  if (kind === undefined || Object.keys(fields).length !== 1)
    return { problem: `is no JSON object with one field: ${RECORD_KINDS.join(', ')}` };
  const parsed = parseRecord(kind, fields[kind]);
  if (!parsed.success) {
    const issues = parsed.error.issues.map(({ path, message }) => `${[kind, ...path].join('.')}: ${message}`);
    return { problem: issues.join('; ') };
  }
  const role = roleIn(parsed.data);
  if (role !== undefined && roles.nameOf(role) === undefined)
    return { problem: `${kind}: ${role} is the number of no role` };
  return parsed.data;
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function roleIn(record: ImportRecord): number | undefined {
  if (record.kind === 'member') return record.row.role_type;
  return record.kind === 'membership' ? record.row.roleType : undefined;
}
