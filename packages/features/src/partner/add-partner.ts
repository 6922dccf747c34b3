import { AppError, usernameKey } from '@gatehouse/auth-core';
import {
  type Database,
  DuplicateKeyError,
  findPartner,
  insertPartner,
  insertPartnerSecret,
} from '@gatehouse/db';
import { recordAudit } from '../audit/record-audit.js';
import { generatePartnerSecret } from './generate-partner-secret.js';
import type { PartnerChange } from './partner-change.js';
import { partnerSecretContext } from './partner-secret-context.js';

/**
 * Adds a partner with its first secret, which is returned only now and stored encrypted.
 * @throws {AppError} `partner_taken` when another partner is reached by this name or external id
 */
export async function addPartner(
  change: PartnerChange,
  partner: {
    readonly name: string;
    readonly appUrl: string;
    readonly externalId?: string | undefined;
    readonly secretKey?: string | undefined;
  },
): Promise<{ id: number; secretKey: string }> {
  const { db, services, nowMs, actorId } = change;
  const { name, appUrl, externalId, secretKey = generatePartnerSecret() } = partner;
  const nameKey = usernameKey(name);
  try {
    return await db.transaction(async (tx) => {
      await requireFree(tx, { name, externalId });
      const id = await insertPartner(tx, { name, nameKey, externalId, appUrl, nowMs });
      const sealed = services.cipher.seal(secretKey, partnerSecretContext(nameKey));
      await insertPartnerSecret(tx, { partnerId: id, sealed, nowMs });
      const after = { name, appUrl, ...(externalId === undefined ? {} : { externalId }) };
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

/**
 * A name and an external id reach one partner each, so that of a new partner may not be the other of one that exists. The
 * number of a partner may be the id of another: then its name reaches it.
 */
async function requireFree(
  tx: Database,
  { name, externalId }: { readonly name: string; readonly externalId: string | undefined },
): Promise<void> {
  for (const sent of [name, externalId]) {
    if (sent === undefined) continue;
    const found = await findPartner(tx, { sent, nameKey: usernameKey(sent) });
    if (found) throw new AppError('partner_taken');
  }
}
