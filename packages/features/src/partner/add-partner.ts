import { AppError, timingSafeEqualText, usernameKey } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { DuplicateKeyError } from '@gatehouse/db/database-errors';
import type { ImportOutcome } from '@gatehouse/db/queries/insert-imported-rows';
import { findPartnerCredential, insertPartnerSecret } from '@gatehouse/db/queries/partner-secrets';
import { findPartner, insertPartner } from '@gatehouse/db/queries/partners';
import { recordAudit } from '../audit/record-audit.js';
import type { PartnerChange } from './change-partner.js';
import type { NewPartner } from './partner-schemas.js';
import { generatePartnerSecret, partnerSecretContext } from './rotate-partner-secret.js';

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
async function writePartner(
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
 * A name and an external id reach one partner each, so neither of a new partner may equal one of an existing partner. The number
 * of a partner may be the id of another: then its name reaches it.
 */
async function requireFree(tx: Database, { name, externalId }: NewPartner): Promise<void> {
  for (const sent of [name, externalId]) {
    if (sent === undefined) continue;
    const found = await findPartner(tx, { sent, nameKey: usernameKey(sent) });
    if (found) throw new AppError('partner_taken');
  }
}

/** The outcome for an imported partner: `secretKey` is the one generated for a partner that came without one. */
export type PartnerOutcome = ImportOutcome | { readonly secretKey: string };

/** An existing partner, or one that an earlier row would add. */
interface KnownPartner {
  readonly name: string;
  readonly externalId: string | null;
  readonly appUrl: string;
  hasSecret(secretKey: string): boolean;
}

/** Finds the partner that this text reaches as a partnerId. */
type FindPartner = (sent: string) => Promise<KnownPartner | undefined> | KnownPartner | undefined;

/**
 * Adds a partner of another system unless it exists. One that differs from the partner of its name or id is a problem.
 * `change.db` is the handle of the import's transaction.
 */
export async function importPartner(change: PartnerChange, partner: NewPartner): Promise<PartnerOutcome> {
  const outcome = await authorize(partner, findStored(change));
  if (outcome !== undefined) return outcome;
  try {
    const { secretKey } = await writePartner(change.db, change, partner);
    return partner.secretKey === undefined ? { secretKey } : 'added';
  } catch (error) {
    if (!(error instanceof DuplicateKeyError)) throw error;
    // Another command added one of this name or id after the check.
    return (
      (await authorize(partner, findStored(change))) ?? {
        problem: 'its name or partnerId is taken: bring it again',
      }
    );
  }
}

/** Predicts the outcomes of `importPartner`, treating earlier rows as imported. Writes and locks nothing. */
export function createPartnerForecast(
  change: PartnerChange,
): (partner: NewPartner) => Promise<ImportOutcome> {
  const added: KnownPartner[] = [];
  const stored = findStored(change);
  const find: FindPartner = async (sent) =>
    (await stored(sent)) ?? added.find(({ name, externalId }) => isReachedBy(sent, { name, externalId }));
  return async (partner) => {
    const outcome = await authorize(partner, find);
    if (outcome !== undefined) return outcome;
    const { name, appUrl, externalId = null, secretKey } = partner;
    added.push({ name, appUrl, externalId, hasSecret: (given) => given === secretKey });
    return 'added';
  };
}

/** The outcome for a partner that need not be added; undefined for a new one. */
async function authorize(partner: NewPartner, find: FindPartner): Promise<ImportOutcome | undefined> {
  const { name, appUrl, externalId, secretKey } = partner;
  let isThere = false;
  for (const sent of externalId === undefined ? [name] : [name, externalId]) {
    const known = await find(sent);
    if (known === undefined) continue;
    if (usernameKey(known.name) !== usernameKey(name))
      return { problem: `partner ${known.name} has this name or partnerId` };
    const differs = [
      known.name !== name && 'name',
      known.externalId !== (externalId ?? null) && 'partnerId',
      known.appUrl !== appUrl && 'appUrl',
      secretKey !== undefined && !known.hasSecret(secretKey) && 'secretKey',
    ].filter((field) => field !== false);
    if (differs.length > 0)
      return { problem: `partner ${known.name} is there already, with another ${differs.join(', ')}` };
    isThere = true;
  }
  return isThere ? 'there' : undefined;
}

function findStored({ db, services, nowMs }: PartnerChange): FindPartner {
  return async (sent) => {
    const found = await findPartnerCredential(db, { sent, nameKey: usernameKey(sent) }, nowMs);
    if (found === undefined) return undefined;
    const context = partnerSecretContext(found.nameKey);
    return {
      ...found,
      hasSecret: (secretKey) =>
        found.secrets.some(({ sealed }) =>
          timingSafeEqualText(services.cipher.open(sealed, context), secretKey),
        ),
    };
  };
}

const isReachedBy = (sent: string, { name, externalId }: Pick<KnownPartner, 'name' | 'externalId'>) =>
  externalId === sent || usernameKey(name) === usernameKey(sent);
