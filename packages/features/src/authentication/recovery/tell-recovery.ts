import { emailKey } from '@gatehouse/auth-core';
import { type Database, findFormerAddress, findMember } from '@gatehouse/db';
import type { Services } from '../../core/app/services.js';
import { appLink } from '../../mail/app-link.js';
import type { RecoveryStage } from '../../mail/kinds/recovery.js';
import { queueMail } from '../../mail/queue-mail.js';
import { sealCancelToken } from './cancel-token.js';

const WEEK_MS = 7 * 86_400_000;

/** Mails a member how their recovery goes on: to their address, and to the one they had a week before it. */
export async function tellRecovery(
  tx: Database,
  services: Pick<Services, 'cipher' | 'config' | 'limits' | 'now'>,
  recovery: { id: number; memberId: number; openedAtMs: number; effectiveAtMs: number },
  stage: RecoveryStage,
): Promise<void> {
  const { id, memberId, openedAtMs, effectiveAtMs } = recovery;
  const { email = null } = (await findMember(tx, memberId)) ?? {};
  const former = await findFormerAddress(tx, { memberId, atMs: openedAtMs - WEEK_MS });
  const others = former !== undefined && (email === null || emailKey(former) !== emailKey(email));
  const link = appLink(services.config, 'recovery', sealCancelToken(services, id));
  const data = { stage, atMs: services.now(), effectiveAtMs, link };
  for (const to of [...(email === null ? [] : [email]), ...(others ? [former] : [])])
    await queueMail(tx, services, { kind: 'recovery', to, memberId, isFormer: to === former, data });
}
