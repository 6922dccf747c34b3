import { findMysqlAccount, grantStatements, type MysqlAccount } from '@gatehouse/db/rights/mysql-rights';
import { defineCommand } from '../define-command.js';
import { databaseUrls } from '../with-database.js';

export const grants = defineCommand({
  name: 'grants',
  summary: 'print what the database user of the services needs on MySQL',
  usage: ['[--for <user@host>]'],
  options: {
    for: {
      type: 'string',
      value: '<user@host>',
      about: 'a user there is not yet, instead of the one of DATABASE_URL',
    },
  },
  async run(context, { values }) {
    const { serving } = databaseUrls(context);
    if (!serving.startsWith('mysql://')) {
      context.say('The embedded database has no users; its file belongs to the user who runs the services.');
      return 1;
    }
    if (values.for !== undefined && !/.@./.test(values.for)) {
      context.say('usage: gatehouse grants [--for user@host]');
      return 2;
    }
    const { account, database } = await accountOf(serving, values.for);
    for (const statement of grantStatements(database, account)) context.say(`${statement};`);
    return 0;
  },
});

async function accountOf(url: string, named: string | undefined): Promise<MysqlAccount> {
  if (named === undefined) return findMysqlAccount(url);
  return { account: named, database: decodeURIComponent(new URL(url).pathname.slice(1)) };
}
