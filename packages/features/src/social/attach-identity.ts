import { type Database, findMember, insertConnection } from '@gatehouse/db';
import { recordAudit } from '../audit/record-audit.js';
import type { Context } from '../core/context.js';
import { findSocialProviderById } from '../core/social-providers/social-providers.js';
import { appLink } from '../mail/app-link.js';
import { queueMail } from '../mail/queue-mail.js';
import { connectionContent } from './connection-content.js';
import type { ProvenIdentity } from './proven-identity.js';

/**
 * Connects an identity to an existing member in the caller's transaction, and notifies them by mail.
 * @throws {DuplicateKeyError} if the identity is already connected to any member
 */
export async function attachIdentity(
  tx: Database,
  { services, call }: Pick<Context, 'services' | 'call'>,
  { memberId, identity }: { memberId: number; identity: ProvenIdentity },
): Promise<number> {
  const nowMs = services.now();
  const { providerId, profile } = identity;
  const connectionId = await insertConnection(tx, {
    ...connectionContent({ cipher: services.cipher, nowMs }, identity),
    memberId,
    providerId,
    providerUserId: profile.providerUserId,
    nowMs,
  });
  const member = await findMember(tx, memberId);
  if (member !== undefined && member.email !== null) {
    await queueMail(tx, services, {
      kind: 'newConnection',
      to: member.email,
      memberId,
      data: {
        providerName: findSocialProviderById(providerId)?.name ?? 'social',
        atMs: nowMs,
        link: appLink(services.config, 'forgot'),
      },
    });
  }
  await recordAudit(
    tx,
    { services, call },
    {
      atMs: nowMs,
      action: 'connection.added',
      actorId: memberId,
      subjectKind: 'connection',
      subjectId: connectionId,
      after: { memberId, providerId },
    },
  );
  return connectionId;
}
