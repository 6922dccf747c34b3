import { AppError, usernameKey } from '@gatehouse/auth-core';
import { DuplicateKeyError, insertPartner, insertPartnerSecret } from '@gatehouse/db';
import { recordAudit } from '../audit/record-audit.js';
import { generatePartnerSecret } from './generate-partner-secret.js';
import type { PartnerChange } from './partner-change.js';
import { partnerSecretContext } from './partner-secret-context.js';

/**
 * Adds a partner with its first secret, which is returned only now and stored encrypted.
 * @throws {AppError} `partner_taken` when a partner has this name
 */
export async function addPartner(
  change: PartnerChange,
  partner: { readonly name: string; readonly appUrl: string; readonly secretKey?: string | undefined },
): Promise<{ id: number; secretKey: string }> {
  const { db, services, nowMs, actorId } = change;
  const { name, appUrl, secretKey = generatePartnerSecret() } = partner;
  const nameKey = usernameKey(name);
  try {
    return await db.transaction(async (tx) => {
      const id = await insertPartner(tx, { name, nameKey, appUrl, nowMs });
      const sealed = services.cipher.seal(secretKey, partnerSecretContext(nameKey));
      await insertPartnerSecret(tx, { partnerId: id, sealed, nowMs });
      const after = { name, appUrl };
      await recordAudit(tx, change, {
        atMs: nowMs,
        actorId,
        action: 'partner.added',
        subjectKind: 'partner',
        subjectId: id,
        after,
      });
      return { id, secretKey };
    });
  } catch (error) {
    if (error instanceof DuplicateKeyError) throw new AppError('partner_taken', { cause: error });
    throw error;
  }
}
