import { and, eq } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** Whether an account has a conversation that is not removed. */
export async function hasConversation(
  db: Database,
  { accountId, conversationId }: { accountId: number; conversationId: number },
): Promise<boolean> {
  const { conversations } = db.tables;
  const [row] = await db
    .select({ id: conversations.id })
    .from(conversations)
    .where(
      and(
        eq(conversations.id, conversationId),
        eq(conversations.accountId, accountId),
        eq(conversations.isDeleted, false),
      ),
    );
  return row !== undefined;
}
