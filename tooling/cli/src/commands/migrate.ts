import { findMysqlAccount, grantServing } from '@gatehouse/db';
import type { CommandContext } from '../command.js';
import { databaseUrls } from '../database-urls.js';
import { defineCommand } from '../define-command.js';
import { withDatabase } from '../with-database.js';

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
