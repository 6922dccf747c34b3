import { randomBytes } from 'node:crypto';
import { type DataCipher, dummyHash, isPasswordHash, type Roles } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import {
  findRowsHere,
  listRowsSince,
  type MovedTable,
  type RowHere,
  readPartnerSecrets,
} from '@gatehouse/db/queries/rows-to-move-back';
import { partnerSecretContext } from '@gatehouse/features/partner/rotate-partner-secret';
import { connectionSecretContext } from '@gatehouse/features/social/proven-identity';
import { addressOf } from '../import/import-record.js';
import type { MovedKindName } from './moved-kinds.js';
import type { MovedFields } from './read-field.js';
import type { MovedRecord } from './to-moved-row.js';

/** A row in the fields of the replaced system, null where it has nothing. */
export interface RowBack {
  /** The same for the row there and the row here. */
  readonly identity: string;
  readonly fields: MovedFields;
}

/** What reading rows back needs. */
export interface BackContext {
  readonly db: Database;
  readonly cipher: DataCipher;
  readonly roles: Roles;
  /** The moment of the switch, in epoch milliseconds. */
  readonly sinceMs: number;
}

interface BackKind<Name extends MovedTable> {
  readonly table: Name;
  /** The field by which rows are found here. */
  readonly by: string;
  readonly identity: readonly string[];
  readonly toFields: (row: RowHere<Name>, context: BackContext) => MovedFields;
}

const define = <Name extends MovedTable>(kind: BackKind<Name>): BackKind<Name> => kind;

/** How the rows of each kind are read here. */
const KINDS = {
  members: define({
    table: 'members',
    by: 'id',
    identity: ['id'],
    toFields: ({ sid, username, roleType, firstName, lastName, email, ...row }, { sinceMs, roles }) => ({
      id: row.id,
      sid,
      username,
      role_type: roleType,
      role: roles.labelOf(roleType),
      firstName,
      lastName,
      email,
      confirmed: row.emailConfirmedAtMs !== null,
      isPersonnel: row.isPersonnel,
      isDeleted: row.isDeleted,
      defaultPaymentId: row.defaultPaymentId,
      createdAt: row.createdAtMs,
      password: passwordBack(row, sinceMs),
    }),
  }),
  accounts: define({
    table: 'accounts',
    by: 'id',
    identity: ['id'],
    toFields: ({ id, name, ownerId, isDeleted, createdAtMs }) => ({
      id,
      name,
      ownerId,
      isDeleted,
      createdAt: createdAtMs,
    }),
  }),
  memberships: define({
    table: 'memberships',
    by: 'memberId',
    identity: ['memberId', 'accountId'],
    toFields: ({ memberId, accountId, roleType, isDeleted, active }, { roles }) => ({
      memberId,
      accountId,
      roleType,
      role: roles.labelOf(roleType),
      isDeleted,
      active,
    }),
  }),
  personnelAccess: define({
    table: 'personnelGrants',
    by: 'personnelId',
    identity: ['personnelId', 'accountId'],
    toFields: ({ personnelId, accountId, isDeleted, active }) => ({
      personnelId,
      accountId,
      isDeleted,
      active,
    }),
  }),
  subscriptions: define({
    table: 'subscriptions',
    by: 'accountId',
    identity: ['accountId'],
    toFields: ({ accountId, state, trialEndsAtMs, provider, ...row }) => ({
      accountId,
      state,
      trialEndsAt: trialEndsAtMs,
      provider,
      providerCustomerId: row.providerCustomerId,
      providerSubscriptionId: row.providerSubscriptionId,
    }),
  }),
  partners: define({
    table: 'partners',
    by: 'name',
    identity: ['name'],
    toFields: ({ name, appUrl, externalId }) => ({ name, appUrl, partnerId: externalId }),
  }),
  connections: define({
    table: 'socialConnections',
    by: 'providerUserId',
    identity: ['provider_Id', 'providerUserId'],
    toFields: ({ accessToken, refreshToken, ...row }, { cipher }) => {
      const open = (sealed: string | null, column: 'accessToken' | 'refreshToken') =>
        sealed === null ? null : cipher.open(sealed, connectionSecretContext(row, column));
      return {
        memberId: row.memberId,
        provider_Id: row.providerId,
        providerUserId: row.providerUserId,
        accessToken: open(accessToken, 'accessToken'),
        refresh_token: open(refreshToken, 'refreshToken'),
        token_status: row.tokenStatus,
        expiresAt: row.expiresAtMs,
        FbAccounts: row.fbAccounts,
        IgAccounts: row.igAccounts,
        LnAccounts: row.lnAccounts,
        TwtAccounts: row.twtAccounts,
        detail: { id: row.providerUserId, name: row.displayName, email: row.email },
        createdAt: row.createdAtMs,
      };
    },
  }),
  subjects: define({
    table: 'subjects',
    by: 'id',
    identity: ['id'],
    toFields: ({ id, accountId, name, isDeleted, createdAtMs }) => ({
      id,
      accountId,
      name,
      isDeleted,
      createdAt: createdAtMs,
    }),
  }),
  conversations: define({
    table: 'conversations',
    by: 'id',
    identity: ['id'],
    toFields: ({ id, accountId, subjectId, title, isDeleted, createdAtMs }) => ({
      id,
      accountId,
      subjectId,
      title,
      isDeleted,
      createdAt: createdAtMs,
    }),
  }),
  participants: define({
    table: 'participants',
    by: 'conversationId',
    identity: ['conversationId', 'memberId'],
    toFields: ({ conversationId, memberId, joinedAtMs }) => ({
      conversationId,
      memberId,
      createdAt: joinedAtMs,
    }),
  }),
  messages: define({
    table: 'messages',
    by: 'id',
    identity: ['id'],
    toFields: ({ id, conversationId, memberId, body, createdAtMs }) => ({
      id,
      conversationId,
      memberId,
      body,
      createdAt: createdAtMs,
    }),
  }),
  affiliates: define({
    table: 'affiliates',
    by: 'memberId',
    identity: ['memberId'],
    toFields: ({ memberId, code, commissionBasisPoints, payoutEmail, active, createdAtMs }) => ({
      memberId,
      code,
      commissionPercent: commissionBasisPoints / 100,
      payoutEmail,
      active,
      createdAt: createdAtMs,
    }),
  }),
} as const satisfies { readonly [Kind in MovedKindName]: unknown };

/** The field by which rows of a kind are found here. */
export const fieldFinding = (kind: MovedKindName): string => KINDS[kind].by;

/** The field with a column of its own there by which they are found in the replaced system. */
export const fieldFindingThere = (kind: MovedKindName): string =>
  kind === 'connections' ? 'memberId' : KINDS[kind].by;

/** Values that are equal for a row there and here, by its fields. */
export function identityOf(kind: MovedKindName, fields: MovedFields): string {
  return KINDS[kind].identity.map((field) => String(fields[field])).join('/');
}

/** The rows here that have one of these values in the field that finds them. */
export async function findRowsBack(
  context: BackContext,
  kind: MovedKindName,
  values: readonly (string | number)[],
): Promise<RowBack[]> {
  return toRowsBack(context, kind, await findRowsHere(context.db, KINDS[kind].table, values));
}

/** The rows that were made here since the switch, in portions. */
export async function* listRowsBack(
  context: BackContext,
  kind: MovedKindName,
  limit: number,
): AsyncGenerator<RowBack[]> {
  let after = 0;
  for (;;) {
    const { db, sinceMs } = context;
    const rows = await listRowsSince(db, KINDS[kind].table, { sinceMs, after, limit });
    const last = rows.at(-1);
    if (last === undefined) return;
    yield await toRowsBack(context, kind, rows);
    after = last.id;
  }
}

async function toRowsBack(
  context: BackContext,
  kind: MovedKindName,
  found: readonly { readonly id: number }[],
): Promise<RowBack[]> {
  const rows = found.filter((row) => !('isMachine' in row && row.isMachine === true));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the rows are those of the table of this kind
  const toFields = KINDS[kind].toFields as unknown as (row: object, context: BackContext) => MovedFields;
  const secrets = kind === 'partners' ? await openSecrets(context, rows) : undefined;
  return rows.map((row) => {
    const secretKey = secrets?.get(row.id);
    const fields = { ...toFields(row, context), ...(secretKey === undefined ? {} : { secretKey }) };
    return { identity: identityOf(kind, fields), fields };
  });
}

async function openSecrets(
  { db, cipher }: BackContext,
  rows: readonly { readonly id: number; readonly nameKey?: unknown }[],
): Promise<ReadonlyMap<number, string>> {
  const sealed = await readPartnerSecrets(
    db,
    rows.map(({ id }) => id),
  );
  const opened = new Map<number, string>();
  for (const { id, nameKey } of rows) {
    const secret = sealed.get(id);
    if (secret !== undefined) opened.set(id, cipher.open(secret, partnerSecretContext(String(nameKey))));
  }
  return opened;
}

type PasswordColumns = Pick<
  RowHere<'members'>,
  'password' | 'hasPassword' | 'passwordIsPlain' | 'passwordChangedAtMs' | 'createdAtMs' | 'erasedAtMs'
>;

/** The beginning of a stored text that is not a password and that nobody knows. */
export const NOBODYS = '!';

/**
 * The password as the replaced system reads it, if it was set since the switch: its bcrypt hash. A member without one, or an erased one, gets a text
 * that nobody knows, because that system also takes the stored text itself for the password.
 */
function passwordBack(
  { password, hasPassword, passwordIsPlain, passwordChangedAtMs, createdAtMs, erasedAtMs }: PasswordColumns,
  sinceMs: number,
): string | undefined {
  const isHash = isPasswordHash(password) && password !== dummyHash && hasPassword && !passwordIsPlain;
  const isSet = (passwordChangedAtMs ?? createdAtMs) >= sinceMs;
  if (!isSet && erasedAtMs === null) return undefined;
  return isHash ? password : `${NOBODYS}${randomBytes(32).toString('base64url')}`;
}

/** A moved row in its current state here, in its fields. */
export function fieldsThere(record: MovedRecord): MovedFields {
  if (record.is !== 'imported') {
    if (record.is !== 'connections') return record.row;
    const { tokenStatus, ...row } = record.row;
    return { ...row, token_status: tokenStatus };
  }
  const { kind, row } = record.record;
  if (kind === 'member') return { ...row, email: addressOf(row) };
  if (kind !== 'partner') return row;
  const { externalId, ...partner } = row;
  return { ...partner, partnerId: externalId };
}
