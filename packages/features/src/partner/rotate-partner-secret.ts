import { randomBytes } from 'node:crypto';
import { AppError } from '@gatehouse/auth-core';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import {
  findNewestPartnerSecret,
  insertPartnerSecret,
  removePartnerSecrets,
  setPartnerSecret,
} from '@gatehouse/db/queries/partner-secrets';
import { findPartner, setPartner } from '@gatehouse/db/queries/partners';
import { recordAudit } from '../audit/record-audit.js';
import type { PartnerChange } from './change-partner.js';

/** A new secretKey: 43 characters, 256 random bits. */
export function generatePartnerSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** The encryption context of a partner's secrets: its own row only. A partner's name never changes. */
export function partnerSecretContext(nameKey: string): string {
  return `partner:${nameKey}:secretKey`;
}

interface PartnerRotation {
  /** Returned only this once. */
  readonly secretKey: string;
  /** Until when the previous secret also works, in epoch milliseconds; null when it does not. */
  readonly previousUntilMs: number | null;
}

/**
 * Gives a partner a new secret. The previous one also works for `overlapSeconds`, and older ones end at once,
 * so at most two are valid. With 0 only the new one works, and tokens of the others end with them.
 * @throws {AppError} `not_found`
 */
export async function rotatePartnerSecret(
  change: PartnerChange,
  rotation: { readonly partnerId: number; readonly overlapSeconds: number },
): Promise<PartnerRotation> {
  const { db, services, nowMs, actorId } = change;
  const { partnerId, overlapSeconds } = rotation;
  const secretKey = generatePartnerSecret();
  return changeAccess(db, { partners: [partnerId] }, async (tx) => {
    // This update also locks the partner's row, so concurrent rotations run one after the other.
    if (!(await setPartner(tx, { partnerId, nowMs }))) throw new AppError('not_found');
    const partner = await findPartner(tx, { id: partnerId });
    if (!partner) throw new AppError('not_found');
    const previous = overlapSeconds > 0 ? await findNewestPartnerSecret(tx, partnerId, nowMs) : undefined;
    await removePartnerSecrets(tx, { partnerId, exceptId: previous?.id });
    const overlapEndMs = nowMs + overlapSeconds * 1000;
    const previousUntilMs = previous ? Math.min(previous.retiresAtMs ?? overlapEndMs, overlapEndMs) : null;
    if (previous && previousUntilMs !== null) {
      await setPartnerSecret(tx, { secretId: previous.id, retiresAtMs: previousUntilMs });
    }
    const sealed = services.cipher.seal(secretKey, partnerSecretContext(partner.nameKey));
    const secretId = await insertPartnerSecret(tx, { partnerId, sealed, nowMs });
    await recordAudit(tx, change, {
      atMs: nowMs,
      actorId,
      action: 'partner.secret_rotated',
      subjectKind: 'partner',
      subjectId: partnerId,
      after: { secretId, previousUntilMs },
    });
    return { secretKey, previousUntilMs };
  });
}

/**
 * Ends a rotation early: only the newest secret works, and tokens of the other end with it. Returns whether a
 * rotation was in progress.
 * @throws {AppError} `not_found`
 */
export async function finishPartnerRotation(change: PartnerChange, partnerId: number): Promise<boolean> {
  const { db, nowMs, actorId } = change;
  return changeAccess(db, { partners: [partnerId] }, async (tx) => {
    if (!(await setPartner(tx, { partnerId, nowMs }))) throw new AppError('not_found');
    const newest = await findNewestPartnerSecret(tx, partnerId, nowMs);
    const removed = await removePartnerSecrets(tx, { partnerId, exceptId: newest?.id });
    if (removed === 0) return false;
    const entry = { action: 'partner.rotation_finished', subjectKind: 'partner', subjectId: partnerId };
    await recordAudit(tx, change, {
      atMs: nowMs,
      actorId,
      ...entry,
      after: { secretId: newest?.id ?? null },
    });
    return true;
  });
}
