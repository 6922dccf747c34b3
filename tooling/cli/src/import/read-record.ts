import { looksLikeDigest, type Roles } from '@gatehouse/auth-core';
import { z } from 'zod';
import { type ImportRecord, parseRecord, RECORD_KINDS, type RecordKind } from './record.js';

const object = z.record(z.string(), z.unknown());
const numbered = z.object({ id: z.int().positive() });

/** An invalid line. */
interface UnreadableRecord {
  readonly problem: string;
  /** The name other lines use for it, if it can be read. */
  readonly name?: string | undefined;
}

/** The problem of a line whose plain password may be the hash of another system. */
const DIGEST =
  'member.plainPassword: looks like a hash, with which anybody who has seen it would sign in; ' +
  'if it is a password, give the number of the line in the file of --accept-lines';

const OUR_SECRET = 'partner.secretKey: is a secret of this service; the partner needs one of its own';

/**
 * The content of a line, or its problem with the field names. Values are left out, because they may be
 * passwords.
 * @param isAccepted whether the operator has looked at its password
 * @param isOurSecret whether a text is a secret of this service
 */
export function readRecord(
  line: string,
  roles: Roles,
  { isAccepted, isOurSecret }: { isAccepted: boolean; isOurSecret: (text: string) => boolean },
): ImportRecord | UnreadableRecord {
  const fields = object.safeParse(parseJson(line)).data ?? {};
  const [kind] = RECORD_KINDS.filter((each) => each in fields);
  if (kind === undefined || Object.keys(fields).length !== 1)
    return { problem: `is no JSON object with one field: ${RECORD_KINDS.join(', ')}` };
  const parsed = parseRecord(kind, fields[kind]);
  if (!parsed.success) {
    const issues = parsed.error.issues.map(({ path, message }) => `${[kind, ...path].join('.')}: ${message}`);
    return { problem: issues.join('; '), name: nameIn(kind, fields[kind]) };
  }
  if (!isAccepted && hasDigest(parsed.data)) return { problem: DIGEST, name: nameIn(kind, fields[kind]) };
  const secretKey = parsed.data.kind === 'partner' ? parsed.data.row.secretKey : undefined;
  if (secretKey !== undefined && isOurSecret(secretKey)) return { problem: OUR_SECRET };
  const role = roleIn(parsed.data);
  if (role !== undefined && roles.nameOf(role) === undefined)
    return { problem: `${kind}: ${role} is the number of no role`, name: nameIn(kind, fields[kind]) };
  return parsed.data;
}

function hasDigest(record: ImportRecord): boolean {
  return record.kind === 'member' && looksLikeDigest(record.row.plainPassword ?? '');
}

function nameIn(kind: RecordKind, row: unknown): string | undefined {
  const id = numbered.safeParse(row).data?.id;
  return id !== undefined && (kind === 'member' || kind === 'account') ? `${kind} ${id}` : undefined;
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
