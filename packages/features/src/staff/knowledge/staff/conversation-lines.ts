import { type Database, listConversations, listMessages } from '@gatehouse/db';

const CONVERSATIONS_AT_ONCE = 50;
const MESSAGES_PER_LINE = 500;

/**
 * The conversations of an account as JSON lines, newest first: `{ id, title, subject, createdAt, part,
 * messages: [{ memberId, at, body }] }`. A long conversation takes several lines, numbered by `part` from 1.
 * They contain no names or addresses.
 *
 * @param requireAccess called before each read; throws if the reader has lost access
 */
export async function* conversationLines(
  db: Database,
  accountId: number,
  requireAccess: () => Promise<void>,
): AsyncGenerator<string> {
  let beforeId: number | undefined;
  for (;;) {
    await requireAccess();
    const conversations = await listConversations(db, accountId, { beforeId, limit: CONVERSATIONS_AT_ONCE });
    for (const { id, title, subject, createdAtMs } of conversations) {
      const head = {
        id,
        title,
        subject: subject?.name ?? null,
        createdAt: new Date(createdAtMs).toISOString(),
      };
      let afterId = 0;
      for (let part = 1; ; part += 1) {
        await requireAccess();
        const rows = await listMessages(db, id, { afterId, limit: MESSAGES_PER_LINE });
        const messages = rows.map((row) => ({
          memberId: row.memberId,
          at: new Date(row.createdAtMs).toISOString(),
          body: row.body,
        }));
        yield `${JSON.stringify({ ...head, part, messages })}\n`;
        afterId = rows.at(-1)?.id ?? 0;
        if (rows.length < MESSAGES_PER_LINE) break;
      }
    }
    beforeId = conversations.at(-1)?.id;
    if (conversations.length < CONVERSATIONS_AT_ONCE) return;
  }
}
