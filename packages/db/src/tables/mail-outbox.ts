import { index, unique } from '../dialect/index-row.js';
import type { Vocabulary } from '../dialect/mysql/vocabulary.js';

/**
 * `pending` waits or is being delivered, `sent` was taken by the provider, `dead` is given up, `void` is never
 * delivered: it makes an unknown address take as long to answer as a known one.
 */
export type MailState = 'pending' | 'sent' | 'dead' | 'void';

/** Mails, each written in the transaction of what it is about and delivered by a worker. */
export const defineMailOutbox = (v: Vocabulary) =>
  v.table(
    'mail_outbox',
    {
      id: v.id(),
      idempotencyKey: v.key(128),
      kind: v.string(64),
      memberId: v.maybe.reference(),
      recipient: v.string(320),
      subject: v.string(255),
      text: v.text(),
      html: v.text(),
      state: v.string<MailState>(16),
      attempts: v.integer().default(0),
      dueAtMs: v.instant(),
      leaseToken: v.maybe.string(64),
      leaseUntilMs: v.maybe.instant(),
      lastError: v.maybe.string(500),
      createdAtMs: v.instant(),
      sentAtMs: v.maybe.instant(),
    },
    [
      unique('the provider removes a second delivery of one mail by this key', 'idempotencyKey'),
      index('claims the mails that are due', 'state', 'dueAtMs'),
      index('removes old mails, and shows the newest in the development outbox', 'createdAtMs'),
    ],
  );
