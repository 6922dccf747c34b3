import { createDataCipher } from '@gatehouse/auth-core';
import { findPartner, type PartnerRow } from '@gatehouse/db';
import { configShape, readConfig } from '@gatehouse/features/app/config';
import { partnerNameIn } from '@gatehouse/features/app/partner-name-in';
import type { PartnerChange } from '@gatehouse/features/partner/partner-change';
import { withDevelopmentSecrets } from '@gatehouse/runtime/config/development-secrets';
import type { CommandContext } from './command.js';
import { withDatabase } from './with-database.js';

/**
 * Lets the operator change partners. The environment provides what the change needs.
 * @throws {ConfigError} when DATABASE_URL or DATA_ENCRYPTION_KEY is not valid.
 */
export async function withPartnerChange<Result>(
  context: CommandContext,
  body: (change: PartnerChange) => Promise<Result>,
): Promise<Result> {
  const isDevelopment = context.env['NODE_ENV'] === 'development';
  const env = isDevelopment ? withDevelopmentSecrets(context.env, '.data') : context.env;
  const { DATA_ENCRYPTION_KEY, DATA_ENCRYPTION_KEY_PREVIOUS } = configShape;
  const keys = readConfig({ DATA_ENCRYPTION_KEY, DATA_ENCRYPTION_KEY_PREVIOUS }, env);
  const cipher = createDataCipher({
    key: keys.DATA_ENCRYPTION_KEY,
    previous: keys.DATA_ENCRYPTION_KEY_PREVIOUS,
  });
  const by = { actorId: null, address: null, requestId: null };
  return withDatabase({ ...context, env }, (db) => body({ db, cipher, nowMs: Date.now(), by }));
}

/** `withPartnerChange` for an existing partner. Without one it says so, with exit code 1. */
export async function withPartner(
  context: CommandContext,
  name: string,
  body: (change: PartnerChange, partner: PartnerRow) => Promise<number>,
): Promise<number> {
  return withPartnerChange(context, async (change) => {
    const partner = await findPartner(change.db, partnerNameIn(name) ?? { id: 0 });
    if (partner) return body(change, partner);
    context.say(`There is no partner called ${name}.`);
    return 1;
  });
}
