import { and, eq, gt, isNotNull, isNull } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { lockRows } from '../access/lock-rows.js';

/** A pending mail that stands for several notices. */
export interface MergedMail {
  id: number;
  idempotencyKey: string;
  merged: Record<string, number> | null;
}

/** The mail to a member's address that still takes notices, locked until the transaction ends: nobody delivers it meanwhile. */
export async function lockMergedMail(
  tx: Database,
  { memberId, recipient, nowMs }: { memberId: number; recipient: string; nowMs: number },
): Promise<MergedMail | undefined> {
  const { mailOutbox } = tx.tables;
  const { id, idempotencyKey, merged } = mailOutbox;
  const isOpen = and(
    eq(mailOutbox.memberId, memberId),
    eq(mailOutbox.recipient, recipient),
    eq(mailOutbox.state, 'pending'),
    eq(mailOutbox.attempts, 0),
    isNull(mailOutbox.leaseToken),
    isNotNull(merged),
    gt(mailOutbox.dueAtMs, nowMs),
  );
  await lockRows(tx, mailOutbox, { column: mailOutbox.sentAtMs, where: isOpen, mode: 'exclusive' });
  const [row] = await tx.select({ id, idempotencyKey, merged }).from(mailOutbox).where(isOpen).limit(1);
  return row;
}

/** Rewrites a mail that `lockMergedMail` locked. The caller has encrypted `text` and `html`. */
export async function setMergedMail(
  tx: Database,
  mailId: number,
  mail: { subject: string; text: string; html: string; merged: Record<string, number> },
): Promise<void> {
  const { mailOutbox } = tx.tables;
  await tx.write(tx.update(mailOutbox).set(mail).where(eq(mailOutbox.id, mailId)));
}
