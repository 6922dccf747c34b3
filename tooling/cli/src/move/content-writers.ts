import type { DataCipher } from '@gatehouse/auth-core';
import type { AccessTransaction } from '@gatehouse/db/queries/change-access';
import {
  type ChangeOutcome,
  changeImportedAffiliate,
  changeImportedConnection,
  changeImportedConversation,
  changeImportedMessage,
  changeImportedSubject,
  type ImportedAffiliate,
  type ImportedConnection,
  type ImportedConversation,
  type ImportedMessage,
  type ImportedParticipant,
  type ImportedSubject,
  importAffiliates,
  importConnections,
  importConversations,
  importMessages,
  importParticipants,
  importSubjects,
} from '@gatehouse/db/queries/import-content';
import type { ImportOutcome } from '@gatehouse/db/queries/insert-imported-rows';
import { codeKey } from '@gatehouse/features/core/inputs';
import { connectionSecretContext } from '@gatehouse/features/social/proven-identity';
import type { ContentKind, ContentRow } from './content-records.js';

/** Writes rows of one kind. */
export interface ContentWriter<Kind extends ContentKind> {
  add(tx: AccessTransaction, rows: readonly ContentRow<Kind>[]): Promise<ImportOutcome[]>;
  change(tx: AccessTransaction, row: ContentRow<Kind>): Promise<ChangeOutcome>;
  /** The members whose access to data changes. */
  membersOf(row: ContentRow<Kind>): readonly number[];
}

type ContentWriters = { readonly [Kind in ContentKind]: ContentWriter<Kind> };

/** The writers of the kinds that `gatehouse import` does not accept. Tokens are encrypted on the way. */
export function createContentWriters({
  cipher,
  nowMs,
}: {
  cipher: DataCipher;
  nowMs: number;
}): ContentWriters {
  const toConnection = (row: ContentRow<'connections'>): ImportedConnection => {
    const { provider_Id: providerId, providerUserId, accessToken, refresh_token: refreshToken } = row;
    const seal = (token: string, column: 'accessToken' | 'refreshToken') =>
      cipher.seal(token, connectionSecretContext({ providerId, providerUserId }, column));
    const expiresAtMs = row.expiresAt ?? null;
    return {
      memberId: row.memberId,
      providerId,
      providerUserId,
      email: row.email,
      displayName: row.displayName,
      accessToken: seal(accessToken, 'accessToken'),
      refreshToken: (refreshToken ?? null) === null ? null : seal(refreshToken ?? '', 'refreshToken'),
      tokenStatus: row.tokenStatus,
      scopes: null,
      fbAccounts: row.FbAccounts,
      igAccounts: row.IgAccounts,
      lnAccounts: row.LnAccounts,
      twtAccounts: row.TwtAccounts,
      detail: { displayName: row.displayName, email: row.email },
      expiresAtMs,
      // A token that ends is renewed soon after the switch.
      renewDueAtMs:
        expiresAtMs === null || row.tokenStatus === 'revoked' ? null : Math.max(nowMs, expiresAtMs - HOUR_MS),
      createdAtMs: row.createdAt ?? nowMs,
      updatedAtMs: nowMs,
    };
  };
  const toSubject = ({ createdAt, ...row }: ContentRow<'subjects'>): ImportedSubject => ({
    ...row,
    deletedAtMs: row.isDeleted ? nowMs : null,
    createdAtMs: createdAt ?? nowMs,
  });
  const toConversation = ({
    createdAt,
    subjectId,
    ...row
  }: ContentRow<'conversations'>): ImportedConversation => ({
    ...row,
    subjectId: subjectId ?? null,
    createdAtMs: createdAt ?? nowMs,
  });
  const toParticipant = ({ createdAt, ...row }: ContentRow<'participants'>): ImportedParticipant => ({
    ...row,
    joinedAtMs: createdAt ?? nowMs,
  });
  const toMessage = ({ createdAt, ...row }: ContentRow<'messages'>): ImportedMessage => ({
    ...row,
    createdAtMs: createdAt ?? nowMs,
  });
  const toAffiliate = (row: ContentRow<'affiliates'>): ImportedAffiliate => ({
    memberId: row.memberId,
    code: row.code,
    codeKey: codeKey(row.code),
    commissionBasisPoints: Math.round(row.commissionPercent * 100),
    payoutEmail: row.payoutEmail,
    active: row.active,
    createdAtMs: row.createdAt ?? nowMs,
    updatedAtMs: nowMs,
  });
  const byMember = ({ memberId }: { memberId: number }) => [memberId];
  const nobody = () => [];
  return {
    connections: {
      add: (tx, rows) => importConnections(tx, rows.map(toConnection)),
      change: (tx, row) => changeImportedConnection(tx, toConnection(row)),
      membersOf: byMember,
    },
    subjects: {
      add: (tx, rows) => importSubjects(tx, rows.map(toSubject)),
      change: (tx, row) => changeImportedSubject(tx, toSubject(row)),
      membersOf: nobody,
    },
    conversations: {
      add: (tx, rows) => importConversations(tx, rows.map(toConversation)),
      change: (tx, row) => changeImportedConversation(tx, toConversation(row)),
      membersOf: nobody,
    },
    participants: {
      add: (tx, rows) => importParticipants(tx, rows.map(toParticipant)),
      change: async () => 'changed',
      membersOf: nobody,
    },
    messages: {
      add: (tx, rows) => importMessages(tx, rows.map(toMessage)),
      change: (tx, row) => changeImportedMessage(tx, toMessage(row)),
      membersOf: nobody,
    },
    affiliates: {
      add: (tx, rows) => importAffiliates(tx, rows.map(toAffiliate)),
      change: (tx, row) => changeImportedAffiliate(tx, toAffiliate(row)),
      membersOf: nobody,
    },
  };
}

const HOUR_MS = 3_600_000;
