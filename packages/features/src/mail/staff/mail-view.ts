import type { ListedMail } from '@gatehouse/db';
import { z } from 'zod';
import { maskAddress } from '../../core/member-view.js';

/** Where a mail stands: waiting or on its way, taken by the provider, given up, or not sent because its address had enough. */
export const mailStates = z.enum(['queued', 'sent', 'failed', 'held']);

export type MailStateShown = z.output<typeof mailStates>;

/** A mail as staff see it: never its text. */
export const mailView = z
  .object({
    id: z.int(),
    /** Null for a mail to an address that is nobody's. */
    memberId: z.int().nullable(),
    kind: z.string(),
    state: mailStates,
    /** Masked, as `o***@acme.test`. */
    address: z.string(),
    attempts: z.int(),
    /** Why the last attempt failed. */
    reason: z.string().nullable(),
    /** When it was written. */
    at: z.iso.datetime(),
    sentAt: z.iso.datetime().nullable(),
    /** When the next attempt is due; null where there is none. */
    dueAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Mail' });

const SHOWN = { pending: 'queued', sent: 'sent', dead: 'failed', held: 'held', void: 'queued' } as const;

/** The stored state behind each that is shown. */
export const STORED_STATES = { queued: 'pending', sent: 'sent', failed: 'dead', held: 'held' } as const;

export function toMailView(row: ListedMail): z.output<typeof mailView> {
  return {
    id: row.id,
    memberId: row.memberId,
    kind: row.kind,
    state: SHOWN[row.state],
    address: maskAddress(row.recipient),
    attempts: row.attempts,
    reason: row.lastError === null ? null : withoutAddress(row.lastError, row.recipient),
    at: new Date(row.createdAtMs).toISOString(),
    sentAt: row.sentAtMs === null ? null : new Date(row.sentAtMs).toISOString(),
    dueAt: row.state === 'pending' ? new Date(row.dueAtMs).toISOString() : null,
  };
}

/** A mail server's answer often repeats the address. */
function withoutAddress(reason: string, recipient: string): string {
  if (recipient === '') return reason;
  const pattern = recipient.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
  return reason.replaceAll(new RegExp(pattern, 'gi'), () => maskAddress(recipient));
}
