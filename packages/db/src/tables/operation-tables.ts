import type { Vocabulary } from '../dialect/mysql/mysql-vocabulary.js';
import { index, primary, unique } from '../dialect/table-indexes.js';

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
      subject: v.text(),
      text: v.text(),
      html: v.text(),
      state: v.string<MailState>(16),
      attempts: v.integer().default(0),
      dueAtMs: v.instant(),
      leaseToken: v.maybe.string(64),
      leaseUntilMs: v.maybe.instant(),
      /** How many notices of each subject a pending mail replaces; null for other mails. */
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

/** Which node runs a recurring job, and until when. */
export const defineLeases = (v: Vocabulary) =>
  v.table('leases', {
    name: v.key(128).primaryKey(),
    token: v.string(64),
    leaseUntilMs: v.instant(),
    dueAtMs: v.instant(),
    lastRunAtMs: v.maybe.instant(),
  });

/** The counted events. `seen` counts members by when they were last seen, the others count occurrences. */
export type StatisticName = 'signUp' | 'loginOk' | 'loginFailed' | 'loginLocked' | 'seen';

/** How often something happened in a quarter of an hour, in the whole service and to the members of each account. */
export const defineStatisticCounters = (v: Vocabulary) =>
  v.table(
    'statistic_counters',
    {
      /** 0 for the whole service. */
      accountId: v.reference(),
      name: v.key(32),
      /** Quarters of an hour since 1970-01-01T00:00:00Z: every time zone begins its days at one. */
      slot: v.integer(),
      count: v.integer(),
    },
    [
      primary('sums a range of time', 'accountId', 'name', 'slot'),
      index('removes counters older than the retention', 'slot'),
    ],
  );

/** A quantity at a moment. */
export type GaugeName = 'locked' | 'mails' | 'webhooks';

/** How much there was of something when it was last counted, in the whole service and of the members of each account. */
export const defineStatisticGauges = (v: Vocabulary) =>
  v.table(
    'statistic_gauges',
    {
      /** 0 for the whole service. */
      accountId: v.reference(),
      name: v.key(32),
      count: v.integer(),
      /** Since when the oldest of them waits. */
      oldestAtMs: v.maybe.instant(),
      atMs: v.instant(),
    },
    [primary('reads the gauges of an account', 'accountId', 'name')],
  );

/** When a member was last seen, as the statistics count it: in the whole service, and as a member of each account. */
export const defineSeenMembers = (v: Vocabulary) =>
  v.table(
    'seen_members',
    {
      memberId: v.reference(),
      /** 0 for the whole service. */
      accountId: v.reference(),
      /** Quarters of an hour since 1970-01-01T00:00:00Z. */
      slot: v.integer(),
    },
    [primary('moves a member from one counter to the next', 'memberId', 'accountId')],
  );

/** The running nodes, and what each says of itself. */
export const defineServiceNodes = (v: Vocabulary) =>
  v.table(
    'service_nodes',
    {
      /** The process: made at its start. */
      name: v.key(128).primaryKey(),
      service: v.string(32),
      /** The longest that a call waited for the log of access changes since the report before. */
      slowestMs: v.integer(),
      reportedAtMs: v.instant(),
    },
    [index('removes nodes that are gone', 'reportedAtMs')],
  );

/** The rows that were moved from the replaced system, and their content there when they were last moved. */
export const defineMovedRows = (v: Vocabulary) =>
  v.table(
    'moved_rows',
    {
      /** Of which kind, such as `members`. */
      kind: v.key(32),
      /** The id there, or what names the row there. */
      rowKey: v.key(190),
      /** A keyed digest of its content. */
      digest: v.digest(),
      /** When it was last written: a row here with another time was changed here. */
      broughtAtMs: v.instant(),
    },
    [primary('finds what became of the rows of a page', 'kind', 'rowKey')],
  );
