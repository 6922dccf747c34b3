import { randomId, SealedDataRefused } from '@gatehouse/auth-core';
import type { MailRow } from '@gatehouse/db/queries/list-mails';
import { claimMails, type MailOutcome, setMailOutcome } from '@gatehouse/db/queries/mail-queue';
import type { Job } from '@gatehouse/runtime/jobs/job-runner';
import { backoffMs } from '@gatehouse/runtime/jobs/job-runner';
import type { Delivery } from '@gatehouse/runtime/mail/mail-driver';
import type { Services } from '../core/context.js';
import { isMailKind, MAIL_KINDS } from './mail-kinds.js';
import { openMail } from './queue-mail.js';

const AT_ONCE = 10;
/** The mails of a node that dies are due again after this, in milliseconds; longer than any attempt. */
const LEASE_MS = 60_000;
const RETRIES = { firstMs: 5_000, longestMs: 30 * 60_000 };
const LIFE_OF_UNKNOWN_KIND_MS = 24 * 3_600_000;

/**
 * Delivers due mails, each claimed by one node with a lease. A mail that is not accepted is retried at
 * growing intervals until it expires. An expired or permanently refused mail is dead, and visible to
 * operators.
 */
export const mailDelivery: Job<Services> = {
  name: 'mail',
  everyMs: 5_000,
  async run(services) {
    const nowMs = services.now();
    const leaseToken = randomId();
    const mails = await claimMails(services.db, {
      leaseToken,
      leaseUntilMs: nowMs + LEASE_MS,
      limit: AT_ONCE,
      nowMs,
    });
    await Promise.all(
      mails.map(async (mail) => {
        const outcome = await attempt(services, mail);
        await setMailOutcome(services.db, { id: mail.id, leaseToken }, outcome);
        services.metrics.countMail(outcome.state === 'pending' ? 'postponed' : outcome.state);
        if (outcome.state === 'dead') services.log.notice('mail.dead', { job: 'mail', id: mail.id });
      }),
    );
    return mails.length;
  },
};

async function attempt(services: Services, mail: MailRow): Promise<MailOutcome> {
  const endMs = mail.createdAtMs + lifeOf(mail.kind);
  if (services.now() >= endMs) {
    return { state: 'dead', reason: mail.lastError ?? 'too late', keepsContent: false };
  }
  const delivery = await deliver(services, mail);
  const nowMs = services.now();
  switch (delivery.outcome) {
    case 'sent':
      return { state: 'sent', atMs: nowMs, keepsContent: services.mail.keepsContent };
    case 'refused':
      return { state: 'dead', reason: delivery.reason, keepsContent: true };
    case 'retry': {
      const dueAtMs = nowMs + backoffMs(RETRIES, mail.attempts);
      if (dueAtMs >= endMs) return { state: 'dead', reason: delivery.reason, keepsContent: false };
      return { state: 'pending', dueAtMs, reason: delivery.reason };
    }
  }
}

async function deliver(services: Services, mail: MailRow): Promise<Delivery> {
  try {
    const { idempotencyKey, kind, recipient } = mail;
    const content = openMail(services.cipher, idempotencyKey, mail);
    return await services.mail.deliver({ idempotencyKey, kind, to: recipient, ...content });
  } catch (error) {
    services.log.failure('mail delivery', error);
    if (error instanceof SealedDataRefused) return { outcome: 'refused', reason: 'not readable' };
    return { outcome: 'retry', reason: 'fault' };
  }
}

function lifeOf(kind: string): number {
  return isMailKind(kind) ? MAIL_KINDS[kind].lifeMs : LIFE_OF_UNKNOWN_KIND_MS;
}
