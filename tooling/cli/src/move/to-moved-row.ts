import {
  foreignHash,
  isPasswordHash,
  looksLikeDigest,
  mayBePlain,
  type Roles,
  readStoredPassword,
} from '@gatehouse/auth-core';
import type { ReplacedValue } from '@gatehouse/db/replaced/open-replaced-database';
import { type ImportRecord, type RecordKind, readRecord } from '../import/import-record.js';
import { CONTENT_SCHEMAS, type ContentKind, type ContentRow } from './content-records.js';
import type { MovedKindName } from './moved-kinds.js';
import type { MovedFields } from './read-field.js';

/** How the password of a member is moved: the cost of its hash. */
export type PasswordWork = 'kept' | 'hashed' | 'wrapped' | 'none';

/** A row that can be moved. */
export type MovedRecord =
  | { readonly is: 'imported'; readonly record: ImportRecord }
  | { [Kind in ContentKind]: { readonly is: Kind; readonly row: ContentRow<Kind> } }[ContentKind];

/** A row of the old database, as it would be moved. */
export interface MovedRow {
  readonly kind: MovedKindName;
  /** The key in the old database, by which a line names it and a second run finds it. */
  readonly key: string;
  /** The values of its key columns. */
  readonly keyValues: readonly ReplacedValue[];
  readonly record?: MovedRecord;
  /** Why it is not moved. */
  readonly problem?: string;
  /** What is not moved with it. */
  readonly notes: readonly string[];
  readonly password: PasswordWork;
  /** Whether it was deleted there. */
  readonly isDeleted: boolean;
  /** The rows it refers to, by kind and key. */
  readonly needs: readonly (readonly [MovedKindName, string])[];
}

/** What is known of a row beyond its own columns. */
export interface RowContext {
  readonly kind: MovedKindName;
  readonly key: string;
  readonly keyValues: readonly ReplacedValue[];
  readonly roles: Roles;
  /** Whether the operator says that stored texts that are not hashes are passwords. */
  readonly arePlain: boolean;
  /** Whether the operator has reviewed this member's plain password. */
  readonly isAccepted: boolean;
  readonly isOurSecret: (text: string) => boolean;
  /** The owner of an account by its memberships, if no column names one. */
  readonly ownerId?: number | undefined;
  /** Whether a member has access as staff, if no column says so. */
  readonly isPersonnel?: boolean | undefined;
}

const IMPORTED: Readonly<Partial<Record<MovedKindName, RecordKind>>> = {
  members: 'member',
  accounts: 'account',
  memberships: 'membership',
  personnelAccess: 'personnelAccess',
  subscriptions: 'subscription',
  partners: 'partner',
};

/** The record of an old row, or why there is none. */
export function toMovedRow(fields: MovedFields, context: RowContext): MovedRow {
  const { kind, key, keyValues } = context;
  const own = { kind, key, keyValues, isDeleted: fields['isDeleted'] === 1, needs: needsOf(kind, fields) };
  const imported = IMPORTED[kind];
  if (imported === undefined) return { ...own, notes: [], password: 'none', ...readContent(kind, fields) };
  const { row, notes, password } = importedRow(fields, context);
  const { roles, isOurSecret } = context;
  const read = readRecord(JSON.stringify({ [imported]: row }), roles, { isAccepted: true, isOurSecret });
  return 'problem' in read
    ? { ...own, notes: [], password: 'none', problem: read.problem }
    : { ...own, notes, password, record: { is: 'imported', record: read } };
}

function readContent(
  kind: MovedKindName,
  fields: MovedFields,
): { record: MovedRecord } | { problem: string } {
  const isContent = (name: string): name is ContentKind => name in CONTENT_SCHEMAS;
  if (!isContent(kind)) return { problem: 'is of no known kind' };
  const parsed = CONTENT_SCHEMAS[kind].safeParse(defined(fields));
  if (parsed.success) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema of a kind makes the rows of that kind
    return { record: { is: kind, row: parsed.data } as MovedRecord };
  }
  const issues = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  return { problem: issues.join('; ') };
}

function importedRow(fields: MovedFields, context: RowContext) {
  const row = defined(fields);
  const none = { notes: [], password: 'none' as const };
  if (context.kind === 'members') return memberRow(row, context);
  if (context.kind === 'accounts')
    return { ...none, row: { ...row, ownerId: row['ownerId'] ?? context.ownerId } };
  return { ...none, row };
}

function memberRow(fields: MovedFields, context: RowContext) {
  const { isPersonnel, key } = context;
  const { password: stored, email, sid, username, ...rest } = fields;
  const { note, work, ...password } = passwordOf(typeof stored === 'string' ? stored : '', context);
  const named = nameFor(username, rest, key);
  return {
    row: {
      ...rest,
      sid: sid ?? email,
      ...(email === undefined || email === '' ? {} : { email }),
      username: named.username,
      isPersonnel: rest['isPersonnel'] ?? (isPersonnel === true ? 1 : 0),
      ...password,
    },
    notes: [note, named.note].filter((each) => each !== undefined),
    password: work,
  };
}

/** The stored password as a field of an import, or why it is not moved. */
function passwordOf(
  stored: string,
  { arePlain, isAccepted }: Pick<RowContext, 'arePlain' | 'isAccepted'>,
): { password?: string; plainPassword?: string; note?: string; work: PasswordWork } {
  if (stored === '') return { work: 'none' };
  if (isPasswordHash(stored) || foreignHash(stored) !== undefined)
    return { password: stored, work: readStoredPassword(stored).kind === 'weak' ? 'wrapped' : 'kept' };
  if (!arePlain)
    return {
      work: 'none',
      note: without(
        'it is no hash that is known; if such texts are the passwords themselves, give --plain-passwords',
      ),
    };
  if (!mayBePlain(stored)) return { work: 'none', note: without('it is no text of 1 to 72 bytes') };
  if (!isAccepted && looksLikeDigest(stored))
    return {
      work: 'none',
      note: without(
        'it looks like a hash that is not taken; if it is the password itself, give this number in the file of --accept-lines',
      ),
    };
  return { plainPassword: stored, work: 'hashed' };
}

const without = (why: string) => `comes without its password, which a reset by mail replaces: ${why}`;

/** The most characters of a name in a username that is made of it. */
const MAX_NAME_PART = 100;

/** A username, made from the name if there is none. */
function nameFor(username: unknown, { firstName, lastName }: MovedFields, key: string) {
  if (typeof username === 'string' && username.trim() !== '') return { username };
  const full = [firstName, lastName]
    .filter((each) => typeof each === 'string' && each.trim() !== '')
    .join(' ');
  const made = `${full === '' ? 'member' : [...full].slice(0, MAX_NAME_PART).join('')} ${key}`;
  return { username: made, note: 'had no username, and comes with one made from its name and number' };
}

/** The rows that a row refers to, by kind and key. */
export function needsOf(kind: MovedKindName, fields: MovedFields): (readonly [MovedKindName, string])[] {
  const refer = (to: MovedKindName, field: string): (readonly [MovedKindName, string])[] => {
    const value = fields[field];
    return typeof value === 'number' ? [[to, String(value)]] : [];
  };
  switch (kind) {
    case 'members':
    case 'partners':
      return [];
    case 'accounts':
      return refer('members', 'ownerId');
    case 'memberships':
      return [...refer('members', 'memberId'), ...refer('accounts', 'accountId')];
    case 'personnelAccess':
      return [...refer('members', 'personnelId'), ...refer('accounts', 'accountId')];
    case 'subscriptions':
    case 'subjects':
      return refer('accounts', 'accountId');
    case 'connections':
    case 'affiliates':
      return refer('members', 'memberId');
    case 'conversations':
      return [...refer('accounts', 'accountId'), ...refer('subjects', 'subjectId')];
    case 'participants':
    case 'messages':
      return [...refer('conversations', 'conversationId'), ...refer('members', 'memberId')];
  }
}

function defined(fields: MovedFields): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** The key of a row as one text. */
export function keyText(values: readonly ReplacedValue[]): string {
  return values.join('/');
}
