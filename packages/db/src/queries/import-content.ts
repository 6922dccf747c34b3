import { and, eq, inArray } from 'drizzle-orm';
import type { Database } from '../database.js';
import { DuplicateKeyError } from '../database-errors.js';
import type { Tables } from '../tables/define-tables.js';
import type { AccessTransaction } from './change-access.js';
import { type ImportOutcome, insertNew } from './insert-imported-rows.js';

type Row<Name extends keyof Tables> = Tables[Name]['$inferInsert'];

/** A subject of another system. */
export type ImportedSubject = Row<'subjects'> & { id: number };

/** A conversation of another system. */
export type ImportedConversation = Row<'conversations'> & { id: number };

/** A message of another system. */
export type ImportedMessage = Row<'messages'> & { id: number };

export type ImportedParticipant = Row<'participants'>;
export type ImportedConnection = Row<'socialConnections'>;
/** An affiliate of another system; without a payout address it is that of the member. */
export type ImportedAffiliate = Omit<Row<'affiliates'>, 'payoutEmail'> & { payoutEmail: string | undefined };

/** What became of a row that was changed there. */
export type ChangeOutcome = 'changed' | { readonly problem: string };

const gone: ChangeOutcome = { problem: 'is not here any more' };

const changedIf = (rows: number, otherwise: ChangeOutcome = gone): ChangeOutcome =>
  rows === 1 ? 'changed' : otherwise;

/** Adds subjects with their ids, and leaves existing ones unchanged. */
export async function importSubjects(
  tx: AccessTransaction,
  rows: readonly ImportedSubject[],
): Promise<ImportOutcome[]> {
  const there = await ownersById(tx, tx.tables.subjects, rows);
  return insertNew(tx, tx.tables.subjects, rows, { check: (row) => sameAccount('subject', row, there) });
}

/** Adds conversations with their ids, and leaves existing ones unchanged. */
export async function importConversations(
  tx: AccessTransaction,
  rows: readonly ImportedConversation[],
): Promise<ImportOutcome[]> {
  const there = await ownersById(tx, tx.tables.conversations, rows);
  return insertNew(tx, tx.tables.conversations, rows, {
    check: (row) => sameAccount('conversation', row, there),
  });
}

async function ownersById(
  tx: Database,
  table: Tables['subjects'] | Tables['conversations'],
  rows: readonly { readonly id: number }[],
): Promise<ReadonlyMap<number, number>> {
  if (rows.length === 0) return new Map();
  const found = await tx
    .select({ id: table.id, accountId: table.accountId })
    .from(table)
    .where(
      inArray(
        table.id,
        rows.map(({ id }) => id),
      ),
    );
  return new Map(found.map(({ id, accountId }) => [id, accountId]));
}

function sameAccount(
  called: string,
  { id, accountId }: { id: number; accountId: number },
  there: ReadonlyMap<number, number>,
): ImportOutcome | undefined {
  const known = there.get(id);
  if (known === undefined) return undefined;
  return known === accountId ? 'there' : { problem: `${called} ${id} is there already, in another account` };
}

/** Adds participants, and leaves existing ones unchanged. */
export async function importParticipants(
  tx: AccessTransaction,
  rows: readonly ImportedParticipant[],
): Promise<ImportOutcome[]> {
  return insertNew(tx, tx.tables.participants, rows, { check: () => undefined });
}

/** Adds messages with their ids, and to each conversation when the last of them was. Leaves existing ones unchanged. */
export async function importMessages(
  tx: AccessTransaction,
  rows: readonly ImportedMessage[],
): Promise<ImportOutcome[]> {
  if (rows.length === 0) return [];
  const { conversations, messages } = tx.tables;
  const found = await tx
    .select({ id: messages.id, conversationId: messages.conversationId })
    .from(messages)
    .where(
      inArray(
        messages.id,
        rows.map(({ id }) => id),
      ),
    );
  const there = new Map(found.map(({ id, conversationId }) => [id, conversationId]));
  const outcomes = await insertNew(tx, messages, rows, {
    check({ id, conversationId }) {
      const known = there.get(id);
      if (known === undefined) return undefined;
      return known === conversationId
        ? 'there'
        : { problem: `message ${id} is there already, in another conversation` };
    },
  });
  const last = new Map<number, number>();
  for (const { conversationId, createdAtMs } of rows)
    last.set(conversationId, Math.max(last.get(conversationId) ?? 0, createdAtMs));
  for (const [id, atMs] of last) {
    const [known] = await tx
      .select({ atMs: conversations.lastMessageAtMs })
      .from(conversations)
      .where(eq(conversations.id, id));
    if ((known?.atMs ?? 0) < atMs)
      await tx.write(tx.update(conversations).set({ lastMessageAtMs: atMs }).where(eq(conversations.id, id)));
  }
  return outcomes;
}

/**
 * Connects identities at providers to their members. Those of another member are a problem, and so are those of staff with an
 * unproven address, whose owner is unknown.
 */
export async function importConnections(
  tx: AccessTransaction,
  rows: readonly ImportedConnection[],
): Promise<ImportOutcome[]> {
  if (rows.length === 0) return [];
  const { members, socialConnections } = tx.tables;
  const staff = await tx
    .select({ id: members.id, ownerProvenAtMs: members.ownerProvenAtMs })
    .from(members)
    .where(
      and(
        inArray(
          members.id,
          rows.map(({ memberId }) => memberId),
        ),
        eq(members.isPersonnel, true),
      ),
    );
  const unproven = new Set(
    staff.filter(({ ownerProvenAtMs }) => ownerProvenAtMs === null).map(({ id }) => id),
  );
  const holderOf = async ({ providerId, providerUserId }: ImportedConnection) => {
    const [found] = await tx
      .select({ memberId: socialConnections.memberId })
      .from(socialConnections)
      .where(
        and(
          eq(socialConnections.providerId, providerId),
          eq(socialConnections.providerUserId, providerUserId),
        ),
      );
    return found?.memberId;
  };
  return insertNew(tx, socialConnections, rows, {
    check: ({ memberId }) =>
      unproven.has(memberId)
        ? {
            problem: `member ${memberId} is staff, and nobody has proven their address: they connect it again`,
          }
        : undefined,
    async checkAgain(row) {
      const holder = await holderOf(row);
      if (holder === undefined) return undefined;
      return holder === row.memberId ? 'there' : { problem: `this identity belongs to member ${holder}` };
    },
  });
}

/** Makes members affiliates, and leaves existing ones unchanged. */
export async function importAffiliates(
  tx: AccessTransaction,
  rows: readonly ImportedAffiliate[],
): Promise<ImportOutcome[]> {
  if (rows.length === 0) return [];
  const { affiliates, members } = tx.tables;
  const ids = rows.map(({ memberId }) => memberId);
  const found = await tx
    .select({ memberId: affiliates.memberId })
    .from(affiliates)
    .where(inArray(affiliates.memberId, ids));
  const there = new Set(found.map(({ memberId }) => memberId));
  const people = await tx
    .select({ id: members.id, email: members.email })
    .from(members)
    .where(inArray(members.id, ids));
  const addresses = new Map(people.map(({ id, email }) => [id, email]));
  const complete = rows.map((row) => ({
    ...row,
    payoutEmail: row.payoutEmail ?? addresses.get(row.memberId) ?? '',
  }));
  return insertNew(tx, affiliates, complete, {
    check({ memberId, payoutEmail }) {
      if (there.has(memberId)) return 'there';
      return payoutEmail === ''
        ? { problem: 'has no address for payouts, and neither has the member' }
        : undefined;
    },
    checkAgain: async () => ({ problem: 'another affiliate has this code' }),
  });
}

/** Sets a subject's name to the current one there. */
export async function changeImportedSubject(
  tx: AccessTransaction,
  { id, accountId, createdAtMs: _createdAtMs, ...row }: ImportedSubject,
): Promise<ChangeOutcome> {
  const { subjects } = tx.tables;
  const isIt = and(eq(subjects.id, id), eq(subjects.accountId, accountId));
  return changedIf(await tx.write(tx.update(subjects).set(row).where(isIt)));
}

/** Sets a conversation's title and subject to the current ones there. */
export async function changeImportedConversation(
  tx: AccessTransaction,
  { id, accountId, createdAtMs: _createdAtMs, lastMessageAtMs: _last, ...row }: ImportedConversation,
): Promise<ChangeOutcome> {
  const { conversations } = tx.tables;
  const isIt = and(eq(conversations.id, id), eq(conversations.accountId, accountId));
  return changedIf(await tx.write(tx.update(conversations).set(row).where(isIt)));
}

/** Sets a message's text to the current one there. */
export async function changeImportedMessage(
  tx: AccessTransaction,
  { id, conversationId, memberId, body }: ImportedMessage,
): Promise<ChangeOutcome> {
  const { messages } = tx.tables;
  const isIt = and(
    eq(messages.id, id),
    eq(messages.conversationId, conversationId),
    eq(messages.memberId, memberId),
  );
  return changedIf(await tx.write(tx.update(messages).set({ body }).where(isIt)));
}

/** Sets a connection's tokens to the current ones there. */
export async function changeImportedConnection(
  tx: AccessTransaction,
  { memberId, providerId, providerUserId, createdAtMs: _createdAtMs, ...row }: ImportedConnection,
): Promise<ChangeOutcome> {
  const { socialConnections } = tx.tables;
  const isIt = and(
    eq(socialConnections.memberId, memberId),
    eq(socialConnections.providerId, providerId),
    eq(socialConnections.providerUserId, providerUserId),
  );
  return changedIf(await tx.write(tx.update(socialConnections).set(row).where(isIt)));
}

/** Sets an affiliate's terms to the current ones there. */
export async function changeImportedAffiliate(
  tx: AccessTransaction,
  { memberId, payoutEmail, createdAtMs: _createdAtMs, ...row }: ImportedAffiliate,
): Promise<ChangeOutcome> {
  const { affiliates } = tx.tables;
  const set = { ...row, ...(payoutEmail === undefined ? {} : { payoutEmail }) };
  try {
    return changedIf(await tx.write(tx.update(affiliates).set(set).where(eq(affiliates.memberId, memberId))));
  } catch (error) {
    if (!(error instanceof DuplicateKeyError)) throw error;
    return { problem: 'another affiliate has this code' };
  }
}
