import { randomBytes } from 'node:crypto';
import { grantServing } from '@gatehouse/db/rights/mysql-rights';
import { createConnection } from 'mysql2/promise';

/** A MySQL user for one test, with exactly the rights of the services in one database. */
export interface ServingUser extends AsyncDisposable {
  readonly url: string;
  readonly account: string;
}

/**
 * Creates such a user for the migrated database of a URL, whose own user may create users. Without `granted`
 * the new user has no rights.
 */
export async function createServingUser(url: string, { granted = true } = {}): Promise<ServingUser> {
  const name = `serving_${randomBytes(6).toString('hex')}`;
  const password = randomBytes(12).toString('hex');
  const server = await createConnection({ uri: url });
  await server.query('create user ?@? identified by ?', [name, '%', password]);
  const account = `${name}@%`;
  const database = decodeURIComponent(new URL(url).pathname.slice(1));
  if (granted) await grantServing(url, { account, database });
  const serving = new URL(url);
  serving.username = name;
  serving.password = password;
  return {
    url: serving.href,
    account,
    async [Symbol.asyncDispose]() {
      await server.query('drop user ?@?', [name, '%']);
      await server.end();
    },
  };
}
