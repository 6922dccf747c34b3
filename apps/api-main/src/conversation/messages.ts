import { accountOrOwnProcedure, idCursor, listView, openCursor, pageInput, toPage } from '@gatehouse/api-kit';
import { AppError } from '@gatehouse/auth-core';
import { type Database, hasConversation, isParticipant, listMessages, sharesAccount } from '@gatehouse/db';
import { z } from 'zod';

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
 * What was said in a conversation of the selected account, oldest first. `memberId` says whose chat the client shows:
 * the caller, somebody who takes part, or a member of the account. Those who may not read every conversation read the
 * ones they take part in.
 */
export const messages = accountOrOwnProcedure('conversation.read')
  .input(z.object({ memberId: id, conversationId: id, ...pageInput }))
  .output(listView(messageView))
  .query(async ({ ctx, input }) => {
    const { kit, account, caller } = ctx;
    const { conversationId } = input;
    const isThere = await hasConversation(kit.db, { accountId: account.id, conversationId });
    const isOpen =
      ctx.sees === 'all' || (await isParticipant(kit.db, { conversationId, memberId: caller.memberId }));
    const isKnown = input.memberId === caller.memberId || (await belongs(kit.db, account.id, input));
    if (!isThere || !isOpen || !isKnown) throw new AppError('not_found');

    const [afterId] = openCursor(input.cursor, idCursor) ?? [0];
    const rows = await listMessages(kit.db, conversationId, { afterId, limit: input.limit + 1 });
    return toPage(
      rows,
      input.limit,
      (row) => [row.id],
      ({ createdAtMs, ...row }) => ({ ...row, createdAt: new Date(createdAtMs).toISOString() }),
    );
  });

async function belongs(
  db: Database,
  accountId: number,
  { conversationId, memberId }: { conversationId: number; memberId: number },
): Promise<boolean> {
  return (await isParticipant(db, { conversationId, memberId })) || sharesAccount(db, memberId, [accountId]);
}
