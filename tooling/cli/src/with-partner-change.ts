import { findPartner, type PartnerRow } from '@gatehouse/db';
import { partnerNameIn } from '@gatehouse/features/core/guard/service-callers';
import type { PartnerChange } from '@gatehouse/features/partner/change-partner';
import type { CommandContext } from './command.js';
import { operatorAudit } from './operator-audit.js';
import { withDatabase } from './with-database.js';

/**
 * Lets the operator change partners. The environment provides the dependencies.
 * @throws {ConfigError} if DATABASE_URL is not valid, or DATA_ENCRYPTION_KEY if the change stores a secret.
 */
export async function withPartnerChange<Result>(
  context: CommandContext,
  body: (change: PartnerChange) => Promise<Result>,
): Promise<Result> {
  return withDatabase(context, (db) =>
    body({ ...operatorAudit(context), db, nowMs: Date.now(), actorId: null }),
  );
}

/** `withPartnerChange` for an existing partner. If it does not exist, it says so, with exit code 1. */
export async function withPartner(
  context: CommandContext,
  name: string,
  body: (change: PartnerChange, partner: PartnerRow) => Promise<number>,
): Promise<number> {
  return withPartnerChange(context, async (change) => {
    const partner = await findPartner(change.db, partnerNameIn(name));
    if (partner) return body(change, partner);
    context.say(`There is no partner called ${name}.`);
    return 1;
  });
}
