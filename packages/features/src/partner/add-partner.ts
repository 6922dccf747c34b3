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
import type { NewPartner } from './new-partner-schema.js';
import type { PartnerChange } from './partner-change.js';
import { partnerSecretContext } from './partner-secret-context.js';

/**
 * Adds a partner with its first secret, which is returned only now and stored encrypted.
 * @throws {AppError} `partner_taken` when another partner is reached by this name or external id
 */
export async function addPartner(
  change: PartnerChange,
  partner: NewPartner,
): Promise<{ id: number; secretKey: string }> {
  try {
    return await change.db.transaction(async (tx) => {
      await requireFree(tx, partner);
      return writePartner(tx, change, partner);
    });
  } catch (error) {
    if (error instanceof DuplicateKeyError) throw new AppError('partner_taken', { cause: error });
    throw error;
  }
}

/**
 * Writes a partner, its first secret and the line in the audit log. The caller has checked that its name and external id are free.
 * @throws {DuplicateKeyError} when they are not
 */
export async function writePartner(
  tx: Database,
  change: Omit<PartnerChange, 'db'>,
  { name, appUrl, externalId, secretKey = generatePartnerSecret() }: NewPartner,
): Promise<{ id: number; secretKey: string }> {
  const { services, nowMs, actorId } = change;
  const nameKey = usernameKey(name);
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
}

/**
 * A name and an external id reach one partner each, so that of a new partner may not be the other of one that exists. The
 * number of a partner may be the id of another: then its name reaches it.
 */
async function requireFree(tx: Database, { name, externalId }: NewPartner): Promise<void> {
  for (const sent of [name, externalId]) {
    if (sent === undefined) continue;
    const found = await findPartner(tx, { sent, nameKey: usernameKey(sent) });
    if (found) throw new AppError('partner_taken');
  }
}
