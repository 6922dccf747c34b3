import { listConversations } from '@gatehouse/db';
import { idCursor, listInput, listView, openCursor, toPage } from '@gatehouse/http/page';
import { z } from 'zod';
import { accountOrOwnProcedure } from '../../core/guard/procedures.js';

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
export const list = accountOrOwnProcedure('conversation.read')
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
