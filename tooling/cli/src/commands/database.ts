import { findMysqlAccount, grantServing } from '@gatehouse/db/rights/mysql-rights';
import { configShape, readConfig } from '@gatehouse/features/core/config';
import { seedDemo as seed } from '@gatehouse/features/deployment/seed-demo';
import { DEMONSTRATION_PASSWORD } from '@gatehouse/runtime/config/secrets';
import type { CommandContext } from '../command.js';
import { defineCommand } from '../define-command.js';
import { dataCipherIn } from '../operator-audit.js';
import { databaseUrls, withDatabase } from '../with-database.js';

export const migrate = defineCommand({
  name: 'migrate',
  summary:
    'apply the migrations that are missing, and let the services use their tables; safe to run twice and while services run',
  async run(context) {
    await withDatabase(
      context,
      async (db) => {
        const { applied } = await db.migrate();
        for (const name of applied) context.say(`applied ${name}`);
        context.say(
          applied.length === 0
            ? 'Nothing to apply: the database is up to date.'
            : `${applied.length} applied.`,
        );
      },
      { as: 'migrating', tables: 'any' },
    );
    return letServe(context);
  },
});

/** With a separate user for the services, a new table is usable only after a grant. */
async function letServe(context: CommandContext): Promise<number> {
  const { serving, migrating, areTwo } = databaseUrls(context);
  if (!areTwo) return 0;
  const account = await findMysqlAccount(serving);
  try {
    await grantServing(migrating, account);
    context.say(`${account.account} may serve: no table, and no line of the audit log, is theirs to change.`);
    return 0;
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'error';
    context.say(
      `${account.account} was given no rights (${reason}): let somebody who may run what gatehouse grants prints.`,
    );
    return 1;
  }
}

export const seedDemo = defineCommand({
  name: 'seed-demo',
  summary: 'write the demonstration data, once; refused in production',
  async run(context) {
    const { NODE_ENV } = readConfig({ NODE_ENV: configShape.NODE_ENV }, context.env);
    if (NODE_ENV === 'production') {
      context.say('Refused: NODE_ENV is production (or not set, which means the same).');
      return 1;
    }
    return withDatabase(context, async (db) => {
      const isNew = await seed(db, {
        cipher: dataCipherIn(context.env),
        nowMs: Date.now(),
      });
      context.say(
        isNew
          ? `Written. Every password is ${DEMONSTRATION_PASSWORD}`
          : 'The database is not empty: nothing written.',
      );
      return 0;
    });
  },
});
