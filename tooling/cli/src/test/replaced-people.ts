import { hashPassword } from '@gatehouse/auth-core';
import type { ReplacedTestDatabase } from '@gatehouse/testkit';

/** A person of the replaced system who could sign in. */
export interface ReplacedPerson {
  readonly id: number;
  readonly sid: string;
  readonly password: string | undefined;
  /** Why they are not moved, or what is left out; undefined for most. */
  readonly flaw?: 'twin' | 'damaged' | 'came back' | 'a mark';
}

/** How many people there are in an account of the test. */
const TEAM = 10;

const NAMES = [
  ['Zoë', 'Müller'],
  ['Łukasz', 'Żółć'],
  ['שרה', 'כהן'],
  ['محمد', 'الأمين'],
  ['李', '小龍'],
  ['', ''],
  ['W'.repeat(255), 'O’Neill'],
  ['Ann', 'Lee'],
] as const;

/**
 * Fills the tables of the replaced system with made-up people, ten in each account, and every kind of unusual old data: hashes of
 * several costs, plain and damaged passwords, names in many scripts, twins by case, missing usernames.
 * @param takesHashes whether some passwords are in plain text or of a low cost, each of which costs a hash during the move
 */
export async function insertReplacedPeople(
  old: ReplacedTestDatabase,
  count: number,
  { takesHashes }: { readonly takesHashes: boolean },
): Promise<ReplacedPerson[]> {
  const hashes = await Promise.all(
    [takesHashes ? 4 : 10, 10, 12].map((cost) => hashPassword('Known-Before-1', cost)),
  );
  const people: (ReplacedPerson & { row: Record<string, unknown> })[] = [];
  for (let id = 1; id <= count; id += 1) people.push(person(id, hashes, takesHashes));
  await insertMany(
    old,
    'members',
    people.map(({ row }) => row),
  );
  const accounts = Array.from({ length: Math.ceil(count / TEAM) }, (_, at) => at + 1);
  await insertMany(
    old,
    'accounts',
    accounts.map((id) => ({
      id,
      name: `Account ${id} ${NAMES[id % 5]?.[1]}`,
      isDeleted: id % 50 === 0 ? 1 : 0,
      createdAt: '2019-05-06 07:08:09',
    })),
  );
  await insertMany(
    old,
    'account_members',
    people.map(({ id }) => ({
      memberId: id,
      accountId: Math.ceil(id / TEAM),
      roleType: id % TEAM === 1 ? 1 : (id % 4) + 2,
      isDeleted: id % 97 === 0 ? 1 : 0,
      active: id % 89 === 0 ? 0 : 1,
    })),
  );
  await old.insert('personnel_accounts', [
    { personnelId: 2, accountId: 3, isDeleted: 0, active: 1 },
    { personnelId: 2, accountId: 4, isDeleted: 1, active: 1 },
  ]);
  await insertMany(
    old,
    'subscriptions',
    accounts.map((accountId) => ({
      accountId,
      status: ['active', 'trial', 'cancelled'][accountId % 3],
      trialEnd: '2027-01-02 03:04:05',
      provider: accountId % 2 === 0 ? '2' : '1',
      customerId: `cus_${accountId}`,
      subscriptionId: `sub_${accountId}`,
    })),
  );
  await old.insert('partners', [
    {
      partnerId: '4711',
      partnerName: 'Nordwind GmbH',
      secretKey: 'k'.repeat(40),
      appUrl: 'https://nordwind.example',
      pToken: 'old.partner.token',
      pTokenExpiry: '2026-01-01 00:00:00',
    },
  ]);
  await insertContent(old);
  return people.map(({ row: _row, ...rest }) => rest);
}

async function insertMany(
  old: ReplacedTestDatabase,
  table: string,
  rows: readonly Record<string, unknown>[],
): Promise<void> {
  for (let at = 0; at < rows.length; at += 1_000) await old.insert(table, rows.slice(at, at + 1_000));
}

async function insertContent(old: ReplacedTestDatabase): Promise<void> {
  await old.insert('social_connections', [
    connection(5, 1, { id: '10001', name: 'Ann Lee', email: 'ann@social.test' }, 'valid'),
    connection(5, 2, { data: { id: '20001', name: 'Ann' } }, '0'),
    connection(6, 4, { sub: 'li-1', name: 'Zoë' }, null),
    connection(7, 1, { name: 'nobody' }, 'valid'),
  ]);
  await old.insert('subjects', [
    { id: 3, accountId: 1, name: 'Holidays', isDeleted: 0 },
    { id: 4, accountId: 1, name: 'Gone', isDeleted: 1 },
  ]);
  await old.insert('conversations', [
    { id: 8, accountId: 1, subjectId: 3, title: 'Where to?', isDeleted: 0, createdAt: '2021-02-03 04:05:06' },
    { id: 9, accountId: 1, subjectId: null, title: 'Talk', isDeleted: 0, createdAt: '2021-02-03 04:05:06' },
  ]);
  await old.insert('conversation_members', [
    { conversationId: 8, memberId: 1 },
    { conversationId: 8, memberId: 5 },
  ]);
  await old.insert('messages', [
    { id: 21, conversationId: 8, memberId: 1, message: 'To the sea 🌊', createdAt: '2021-02-03 04:05:07' },
    { id: 22, conversationId: 8, memberId: 5, message: 'לים', createdAt: '2021-02-03 04:05:08' },
  ]);
  await old.insert('affiliates', [{ memberId: 5, affiliateCode: 'ANN-5', commission: 12.5 }]);
  await old.insert('webhook_log', [{ type: 'charge', body: '{}', status: 'done' }]);
}

function connection(memberId: number, provider_Id: number, detail: object, token_status: string | null) {
  return {
    memberId,
    provider_Id,
    accessToken: `access-${memberId}-${provider_Id}`,
    refresh_token: `refresh-${memberId}-${provider_Id}`,
    token_status,
    FbAccounts: JSON.stringify(provider_Id === 1 ? [{ id: 1, name: 'Page' }] : null),
    detail: JSON.stringify(detail),
  };
}

function person(
  id: number,
  [low, own, high]: readonly string[],
  takesHashes: boolean,
): ReplacedPerson & { row: Record<string, unknown> } {
  const [firstName, lastName] = NAMES[id % NAMES.length] ?? ['', ''];
  const isDoubled = id % 250 === 7 || id % 250 === 24;
  const sid = id % 11 === 0 && !isDoubled ? `M${id}@Straße.test` : `m${id}@old.test`;
  const row = {
    id,
    sid,
    username: id % 13 === 0 ? null : `Member ${id}`,
    password: [own, low, own, own, high, own][id % 6],
    role_type: id === 2 ? 6 : id % 101 === 0 ? 11 : 5,
    role: 'User Member',
    firstName,
    lastName,
    access_token: id % 7 === 0 ? 'a1b2c3' : null,
    auth_token: id % 7 === 0 ? 'old-auth-token' : null,
    isDeleted: id % 53 === 0 ? 1 : 0,
    createdAt: id % 17 === 0 ? null : '2018-03-04 05:06:07',
  };
  if (takesHashes && id % 50 === 7)
    return { id, sid, password: 'Plain-Before-1', row: { ...row, password: 'Plain-Before-1' } };
  if (id % 200 === 9)
    return { id, sid, password: undefined, flaw: 'damaged', row: { ...row, password: '$2b$10$damaged' } };
  if (id % 200 === 10) return { id, sid, password: undefined, row: { ...row, password: null } };
  if (id % 250 === 8)
    return { id, sid, password: undefined, flaw: 'twin', row: { ...row, sid: `M${id - 1}@OLD.test` } };
  // A person who was deleted, and came back under another number.
  if (id % 250 === 24)
    return { id, sid, password: undefined, flaw: 'came back', row: { ...row, isDeleted: 1 } };
  if (id % 250 === 25)
    return {
      id,
      sid: `m${id - 1}@old.test`,
      password: 'Known-Before-1',
      row: { ...row, sid: `m${id - 1}@old.test`, isDeleted: 0 },
    };
  if (id % 250 === 16)
    return { id, sid, password: undefined, flaw: 'a mark', row: { ...row, username: 'a@b.test' } };
  return { id, sid, password: 'Known-Before-1', row };
}
