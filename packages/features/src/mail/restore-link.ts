import type { Database } from '@gatehouse/db/database';
import type { ReturningHolder } from '@gatehouse/db/queries/read-members';
import type { Services } from '../core/context.js';
import type { AskedFrom } from '../core/rate-limit/known-device.js';
import { appLink } from './app-link.js';
import { queueMail } from './queue-mail.js';

const DAY_MS = 86_400_000;
/** The link is valid for longer than the grace period, so that it can show that the period is over. */
const LINK_DAYS_AFTER = 30;

/** A link that brings back a member who deleted themselves, with a proof. */
export function restoreLink(
  { config, tokens }: Pick<Services, 'config' | 'tokens'>,
  { memberId, erasesAtMs }: { memberId: number; erasesAtMs: number },
): string {
  const { token } = tokens.sealOneUse(
    { type: 'memberRestore', userId: memberId, erasesAtMs },
    (config.MEMBER_GRACE_DAYS + LINK_DAYS_AFTER) * (DAY_MS / 1000),
  );
  return appLink(config, 'restore', token);
}

/** Mails a link to come back to somebody who deleted themselves. Only their mailbox learns that they did. */
export async function mailReturn(
  tx: Database,
  services: Services,
  { deleted: { id: memberId, email: to, erasesAtMs }, share }: { deleted: ReturningHolder; share: AskedFrom },
): Promise<void> {
  const data = { erasesAtMs, link: restoreLink(services, { memberId, erasesAtMs }) };
  await queueMail(tx, services, { kind: 'comeBack', to, memberId, share, data });
}
