import { index, unique } from '../dialect/index-row.js';
import type { Vocabulary } from '../dialect/mysql/vocabulary.js';

/**
 * `pending` mails wait or are in delivery, the provider accepted `sent` ones, and `dead` ones are given up.
 * `held` mails are never delivered, because their address had enough of them; staff see that they were asked for.
 * `void` mails are never delivered: they make an unknown address take as long as a known one.
 */
export type MailState = 'pending' | 'sent' | 'dead' | 'held' | 'void';

/** Mails. Each is written in the transaction of its cause and delivered by a worker. */
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
      /** How many notices of each subject a pending mail stands for; null for other mails. */
      merged: v.maybe.json<Record<string, number>>(),
      lastError: v.maybe.string(500),
      createdAtMs: v.instant(),
      sentAtMs: v.maybe.instant(),
    },
    [
      unique('the provider removes a second delivery of one mail by this key', 'idempotencyKey'),
      index('claims the mails that are due', 'state', 'dueAtMs'),
      index('lists the mails to a member', 'memberId', 'id'),
      index('lists the mails of one state', 'state', 'id'),
      index('removes old mails, and shows the newest in the development outbox', 'createdAtMs'),
    ],
  );
