import { randomUUID } from 'node:crypto';
import { createDataCipher, searchKey } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { insertAccount } from '@gatehouse/db/queries/change-accounts';
import { insertEndpoint, removeEndpoint, setEndpoint } from '@gatehouse/db/queries/event-endpoints';
import { sequenceEvents } from '@gatehouse/db/queries/events';
import { DEPLOYMENT } from '@gatehouse/features/endpoint/endpoint-scope';
import { generateEndpointSecret, sealEndpointSecret } from '@gatehouse/features/endpoint/endpoint-secrets';
import { recordSystemEvent } from '@gatehouse/features/event/record-events';
import { addLoginMembers } from './add-login-members.js';
import type { LoadRequest } from './measure.js';
import { type BenchWorld, signIn } from './world.js';

const ACCOUNTS = 200;

const OWNERS = 8;

const AT_ONCE = 200;

/** An account, and the e-mail address of its owner. */
export interface OwnedAccount {
  readonly id: number;
  readonly owner: string;
}

/** Accounts whose owners sign in with the demonstration password. */
export async function addAccounts(world: BenchWorld, db: Database): Promise<OwnedAccount[]> {
  const emails = new Set(await addLoginMembers(world, OWNERS));
  const { id, email } = db.tables.members;
  const owners = (await db.select({ id, email }).from(db.tables.members)).flatMap((member) =>
    member.email !== null && emails.has(member.email) ? { id: member.id, email: member.email } : [],
  );
  return changeAccess(db, {}, async (tx) => {
    const accounts: OwnedAccount[] = [];
    while (accounts.length < ACCOUNTS) {
      const owner = owners[accounts.length % OWNERS] ?? { id: 0, email: '' };
      const name = `Account ${accounts.length}`;
      const account = { name, nameKey: searchKey(name), ownerId: owner.id, roleType: 1 };
      const accountId = await insertAccount(tx, { ...account, trialEndsAtMs: null, nowMs: Date.now() });
      accounts.push({ id: accountId, owner: owner.email });
    }
    return accounts;
  });
}

/** Makes the next request that gives an account another name, each time of another account. */
export async function renamesOver(
  origin: string,
  accounts: readonly OwnedAccount[],
): Promise<() => LoadRequest> {
  const tokens = new Map<string, string>();
  for (const owner of new Set(accounts.map((account) => account.owner)))
    tokens.set(owner, await signIn(origin, owner));
  let turn = 0;
  return () => {
    turn += 1;
    const { id, owner } = accounts[turn % accounts.length] ?? { id: 0, owner: '' };
    const headers = { token: tokens.get(owner) ?? '', accountid: String(id) };
    return { path: '/v1/account/rename', headers, body: { name: `Account ${randomUUID()}` } };
  };
}

/** Writes events of the accounts in turn, and gives them their places. */
export async function writeEvents(
  db: Database,
  accounts: readonly OwnedAccount[],
  count: number,
): Promise<void> {
  for (let written = 0; written < count; written += AT_ONCE) {
    await db.transaction(async (tx) => {
      for (let turn = written; turn < Math.min(count, written + AT_ONCE); turn += 1) {
        const accountId = accounts[turn % accounts.length]?.id ?? 0;
        await recordSystemEvent(tx, { type: 'account.updated', accountId, changed: ['name'] }, Date.now());
      }
    });
  }
  while ((await sequenceEvents(db, randomUUID(), AT_ONCE)) > 0);
}

/**
 * Adds live endpoints of the deployment, which get the events after a position of the feed.
 * @returns a function that removes them
 */
export async function addEndpoints(
  { env }: BenchWorld,
  db: Database,
  { urls, position }: { urls: readonly string[]; position: number },
): Promise<() => Promise<void>> {
  const cipher = createDataCipher({ key: env['DATA_ENCRYPTION_KEY'] ?? '' });
  const nowMs = Date.now();
  const ids: number[] = [];
  for (const url of urls) {
    const wanted = { url, types: ['account.*'], description: 'Bench', active: true };
    const made = { ...DEPLOYMENT, ...wanted, level: 1, savedById: 1, position };
    const id = await insertEndpoint(db, made, nowMs);
    ids.push(id);
    const secret = sealEndpointSecret({ cipher }, id, generateEndpointSecret());
    await setEndpoint(db, id, { secret, state: 'live' });
  }
  return async () => {
    for (const id of ids) await removeEndpoint(db, id);
  };
}

const SIZE = {
  libsql: 'select page_count * page_size from pragma_page_count(), pragma_page_size()',
  mysql: `select sum(data_length + index_length) from information_schema.tables
    where table_schema = database() and table_name in ('events', 'event_audiences', 'event_deliveries')`,
};

/** The bytes of the tables of events and their indexes, on the embedded database of all tables; and how many deliveries they hold. */
export async function sizeOfEvents(db: Database): Promise<{ bytes: number; deliveries: number }> {
  if (db.dialect === 'mysql')
    await db.readRows('analyze table events, event_audiences, event_deliveries', []);
  const [size] = await db.readRows(SIZE[db.dialect], []);
  const [row] = await db.readRows('select count(*) from event_deliveries', []);
  return { bytes: Number(size?.[0]), deliveries: Number(row?.[0]) };
}
