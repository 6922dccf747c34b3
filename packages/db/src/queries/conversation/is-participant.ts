import { and, eq } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** Whether a member takes part in a conversation. */
export async function isParticipant(
  db: Database,
  { conversationId, memberId }: { conversationId: number; memberId: number },
): Promise<boolean> {
  const { participants } = db.tables;
  const [row] = await db
    .select({ id: participants.id })
    .from(participants)
    .where(and(eq(participants.conversationId, conversationId), eq(participants.memberId, memberId)));
  return row !== undefined;
}
