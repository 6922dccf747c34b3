import {
  type DataCipher,
  dummyHash,
  foreignHash,
  isPasswordHash,
  SealedDataRefused,
  timingSafeEqualText,
  usernameKey,
} from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { findPartnerCredential } from '@gatehouse/db/queries/partner-secrets';
import {
  readBroughtAccounts,
  readBroughtGrants,
  readBroughtMembers,
  readBroughtMemberships,
  readBroughtPartners,
} from '@gatehouse/db/queries/read-brought-rows';
import { partnerSecretContext } from '@gatehouse/features/partner/rotate-partner-secret';
import { addressOf, type ImportRecord, type RecordKind, type RowOf } from '../import/import-record.js';

/** A field in which a row here differs from the row to be moved. */
export interface Difference {
  readonly field: string;
  readonly old?: unknown;
  readonly here?: unknown;
}

/** What a comparison needs. */
export interface Compared {
  readonly db: Database;
  /** Of this deployment. */
  readonly cipher: DataCipher;
  readonly nowMs: number;
}

/** The differences of each record from its row here; undefined if it does not exist. In the order of the records. */
export async function findDifferences(
  compared: Compared,
  records: readonly ImportRecord[],
): Promise<(readonly Difference[] | undefined)[]> {
  const { db } = compared;
  const members = byKey(await readBroughtMembers(db, idsOf(rowsOf(records, 'member'))), ({ id }) =>
    String(id),
  );
  const accounts = byKey(await readBroughtAccounts(db, idsOf(rowsOf(records, 'account'))), ({ id }) =>
    String(id),
  );
  const memberIds = rowsOf(records, 'membership').map(({ memberId }) => memberId);
  const memberships = byKey(
    await readBroughtMemberships(db, memberIds),
    ({ memberId, accountId }) => `${memberId} ${accountId}`,
  );
  const personnelIds = rowsOf(records, 'personnelAccess').map(({ personnelId }) => personnelId);
  const grants = byKey(
    await readBroughtGrants(db, personnelIds),
    ({ personnelId, accountId }) => `${personnelId} ${accountId}`,
  );
  const sent = rowsOf(records, 'partner');
  const names = sent.map(({ name }) => name);
  const partners = byKey(await readBroughtPartners(db, names), ({ name }) => name);
  const refused = new Set<string>();
  for (const { name, secretKey } of sent)
    if (secretKey !== undefined && !(await takesSecret(compared, name, secretKey))) refused.add(name);
  return records.map(({ kind, row }): readonly Difference[] | undefined => {
    switch (kind) {
      case 'member':
        return memberDifferences(row, members.get(String(row.id)));
      case 'account': {
        const { id, name, ownerId, isDeleted, createdAt } = row;
        return fieldsOf({ name, ownerId, isDeleted, createdAt }, accounts.get(String(id)));
      }
      case 'membership': {
        const { memberId, accountId, roleType, isDeleted, active } = row;
        return fieldsOf({ roleType, isDeleted, active }, memberships.get(`${memberId} ${accountId}`));
      }
      case 'personnelAccess': {
        const { personnelId, accountId, isDeleted, active } = row;
        return fieldsOf({ isDeleted, active }, grants.get(`${personnelId} ${accountId}`));
      }
      case 'partner': {
        const { name, externalId = null, appUrl } = row;
        const found = fieldsOf({ externalId, appUrl }, partners.get(name));
        return found !== undefined && refused.has(name) ? [...found, { field: 'secretKey' }] : found;
      }
      case 'subscription':
      case 'foreignId':
      case 'connection':
      case 'totp':
      case 'passkey':
        return [];
      default:
        return kind satisfies never;
    }
  });
}

type MemberHere = Awaited<ReturnType<typeof readBroughtMembers>>[number];

function memberDifferences(row: RowOf<'member'>, here: MemberHere | undefined): Difference[] | undefined {
  if (here === undefined) return undefined;
  const {
    sid,
    username,
    firstName,
    lastName,
    role_type,
    isPersonnel,
    isDeleted,
    defaultPaymentId,
    createdAt,
    confirmed,
  } = row;
  const wanted = {
    sid,
    username,
    firstName,
    lastName,
    email: addressOf(row),
    role_type,
    isPersonnel,
    isDeleted,
    defaultPaymentId,
    createdAt,
    // One that was confirmed only here is not a difference.
    confirmed: confirmed === true ? true : undefined,
  };
  // A different address is reported separately.
  const isSameAddress = here.email === wanted.email;
  const confirmedHere = here.emailConfirmedAtMs !== null || !isSameAddress;
  const asBrought = { ...here, role_type: here.bannedRoleType ?? here.role_type, confirmed: confirmedHere };
  const found = fieldsOf(wanted, asBrought) ?? [];
  return keepsPassword(row, here) ? found : [...found, { field: 'password' }];
}

/** Whether the member signs in with the password they had, or with one they have set here. */
function keepsPassword({ password, plainPassword }: RowOf<'member'>, here: MemberHere): boolean {
  if (here.passwordChangedAtMs !== null || !here.hasPassword) return true;
  const hasOne = isPasswordHash(here.password) && here.password !== dummyHash;
  if (typeof plainPassword === 'string') return hasOne;
  if (typeof password !== 'string') return true;
  // A sign-in replaces a hash of another kind or cost.
  const isSame = here.password === password || here.password === foreignHash(password);
  return isSame || (hasOne && (here.lastLoginAtMs !== null || here.password.startsWith('$wrapped$')));
}

/** Whether a partner signs in with this secret, also while another one is replacing it. */
async function takesSecret(
  { db, cipher, nowMs }: Compared,
  name: string,
  secretKey: string,
): Promise<boolean> {
  const found = await findPartnerCredential(db, { sent: name, nameKey: usernameKey(name) }, nowMs);
  if (found === undefined) return false;
  const context = partnerSecretContext(found.nameKey);
  return found.secrets.some(({ sealed }) => {
    try {
      return timingSafeEqualText(cipher.open(sealed, context), secretKey);
    } catch (error) {
      if (!(error instanceof SealedDataRefused)) throw error;
      return false;
    }
  });
}

function fieldsOf<Here extends object>(
  wanted: { readonly [Field in keyof Here]?: Here[Field] | undefined },
  here: Here | undefined,
): Difference[] | undefined {
  if (here === undefined) return undefined;
  return Object.entries(wanted).flatMap(([field, old]) => {
    const value: unknown = Reflect.get(here, field);
    return old === undefined || old === value ? [] : [{ field, old, here: value }];
  });
}

function rowsOf<Kind extends RecordKind>(records: readonly ImportRecord[], kind: Kind): RowOf<Kind>[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the kind of a record decides the type of its row
  return records.flatMap((record) => (record.kind === kind ? [record.row as RowOf<Kind>] : []));
}

const idsOf = (rows: readonly { readonly id: number }[]): number[] => rows.map(({ id }) => id);

function byKey<Row>(rows: readonly Row[], key: (row: Row) => string): ReadonlyMap<string, Row> {
  return new Map(rows.map((row) => [key(row), row]));
}
