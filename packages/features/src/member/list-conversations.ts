import { AppError } from '@gatehouse/auth-core';
import {
  hasConversation,
  isParticipant,
  listConversations,
  listMessages,
} from '@gatehouse/db/queries/conversations';
import { sharesAccount } from '@gatehouse/db/queries/memberships';
import { idCursor, listInput, listView, openCursor, pageInput, toPage } from '@gatehouse/http/page';
import { z } from 'zod';
import { accountProcedure } from '../core/guard/procedure.js';

const conversationView = z.object({
  id: z.int(),
  title: z.string(),
  subject: z.object({ id: z.int(), name: z.string() }).nullable(),
  /** The first twenty participants, by id. */
  participants: z.array(z.object({ id: z.int(), firstName: z.string(), lastName: z.string() })),
  createdAt: z.iso.datetime(),
  lastMessageAt: z.iso.datetime().nullable(),
});

/**
 * The conversations of the selected account, newest first. Callers without permission to read all see those
 * they take part in.
 */
export const listAccountConversations = accountProcedure('conversation.read', { orOwn: true })
  .input(listInput({}))
  .output(listView(conversationView))
  .query(async ({ ctx, input }) => {
    const [beforeId] = openCursor(input.cursor, idCursor) ?? [];
    const rows = await listConversations(ctx.services.db, ctx.account.id, {
      beforeId,
      participantId: ctx.sees === 'own' ? ctx.caller.memberId : undefined,
      limit: input.limit + 1,
    });
    return toPage(
      rows,
      input.limit,
      ({ id }) => [id],
      ({ id, title, subject, participants, createdAtMs, lastMessageAtMs }) => ({
        id,
        title,
        subject,
        participants,
        createdAt: new Date(createdAtMs).toISOString(),
        lastMessageAt: lastMessageAtMs === null ? null : new Date(lastMessageAtMs).toISOString(),
      }),
    );
  });

const id = z.number().int().positive();

const messageView = z.object({
  id: z.int(),
  memberId: z.int(),
  firstName: z.string(),
  lastName: z.string(),
  body: z.string(),
  createdAt: z.iso.datetime(),
});

/**
 * The messages of a conversation of the selected account, oldest first. `memberId` is the member whose chat
 * the client shows: the caller (the default), a participant, or a member of the account. Callers without
 * permission to read all conversations can read their own, and get no information about other members.
 */
export const listConversationMessages = accountProcedure('conversation.read', { orOwn: true })
  .input(z.object({ memberId: id.optional(), conversationId: id, ...pageInput }))
  .output(listView(messageView))
  .query(async ({ ctx, input }) => {
    const { services, account, caller, sees } = ctx;
    const { conversationId, memberId = caller.memberId } = input;
    const takesPart = (who: number) => isParticipant(services.db, { conversationId, memberId: who });
    const isThere = await hasConversation(services.db, { accountId: account.id, conversationId });
    const isOpen = sees === 'all' || (await takesPart(caller.memberId));
    const isKnown =
      memberId === caller.memberId ||
      (await takesPart(memberId)) ||
      (sees === 'all' && (await sharesAccount(services.db, memberId, [account.id])));
    if (!isThere || !isOpen || !isKnown) throw new AppError('not_found');

    const [afterId] = openCursor(input.cursor, idCursor) ?? [0];
    const rows = await listMessages(services.db, conversationId, { afterId, limit: input.limit + 1 });
    return toPage(
      rows,
      input.limit,
      (row) => [row.id],
      ({ createdAtMs, id: messageId, memberId, firstName, lastName, body }) => ({
        id: messageId,
        memberId,
        firstName,
        lastName,
        body,
        createdAt: new Date(createdAtMs).toISOString(),
      }),
    );
  });
