import { timingSafeEqualText, usernameKey } from '@gatehouse/auth-core';
import { DuplicateKeyError, findPartnerCredential, type ImportOutcome } from '@gatehouse/db';
import { writePartner } from './add-partner.js';
import type { NewPartner } from './new-partner-schema.js';
import type { PartnerChange } from './partner-change.js';
import { partnerSecretContext } from './partner-secret-context.js';

/** What became of an imported partner: `secretKey` is the one generated for a partner that came without. */
export type PartnerOutcome = ImportOutcome | { readonly secretKey: string };

/** A partner that is there, or that an earlier row would add. */
interface KnownPartner {
  readonly name: string;
  readonly externalId: string | null;
  readonly appUrl: string;
  hasSecret(secretKey: string): boolean;
}

/** Finds the partner that this text reaches as a partnerId. */
type FindPartner = (sent: string) => Promise<KnownPartner | undefined> | KnownPartner | undefined;

/**
 * Adds a partner of another system unless it is there. One that differs from the partner of its name or id is a problem.
 * `change.db` is the handle of the import's transaction.
 */
export async function importPartner(change: PartnerChange, partner: NewPartner): Promise<PartnerOutcome> {
  const outcome = await judge(partner, findStored(change));
  if (outcome !== undefined) return outcome;
  try {
    const { secretKey } = await writePartner(change.db, change, partner);
    return partner.secretKey === undefined ? { secretKey } : 'added';
  } catch (error) {
    if (!(error instanceof DuplicateKeyError)) throw error;
    // Another command added one of this name or id after the check.
    return (
      (await judge(partner, findStored(change))) ?? {
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
    const outcome = await judge(partner, find);
    if (outcome !== undefined) return outcome;
    const { name, appUrl, externalId = null, secretKey } = partner;
    added.push({ name, appUrl, externalId, hasSecret: (given) => given === secretKey });
    return 'added';
  };
}

/** What becomes of a partner that need not be added; undefined for a new one. */
async function judge(partner: NewPartner, find: FindPartner): Promise<ImportOutcome | undefined> {
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
