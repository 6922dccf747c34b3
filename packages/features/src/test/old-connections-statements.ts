import { expect } from 'vitest';
import { changeColumn } from './change-column.js';
import { OK, type OldStatement } from './old-statement.js';
import type { OldWorld } from './old-world.js';
import { socialSession } from './social-session.js';

const HOUR_MS = 3_600_000;
const aText = expect.any(String) as string;
const accounts = expect.arrayContaining([{ id: aText, name: aText }]) as unknown;

const PROVIDERS: readonly [key: string, id: number][] = [
  ['facebook', 1],
  ['twitter', 2],
  ['google', 3],
  ['linkedin', 4],
  ['github', 5],
  ['tiktok', 6],
];

/** The lists of accounts, by the provider that fills them. */
const LISTS: readonly [field: string, key: string][] = [
  ['FbAccounts', 'facebook'],
  ['IgAccounts', 'facebook'],
  ['LnAccounts', 'linkedin'],
  ['TwtAccounts', 'twitter'],
];

/** Each state, and what puts a connection into it. */
const STATES: readonly [status: string, column: string, value: string | number][] = [
  ['valid', 'expires_at_ms', Date.now() + HOUR_MS],
  ['expiring', 'renew_due_at_ms', Date.now() - HOUR_MS],
  ['expired', 'expires_at_ms', Date.now() - HOUR_MS],
  ['revoked', 'token_status', 'revoked'],
  ['error', 'token_status', 'error'],
];

/** Where Facebook tells the pages of a person, and the Instagram accounts that belong to them. */
const WITH_PAGES = { FACEBOOK_SCOPES: 'public_profile email pages_show_list' };

let people = 0;

/** The connections of somebody new, who signed in through a provider. */
async function connectionsOf(
  world: OldWorld,
  key: string,
  changed?: { column: string; value: string | number },
) {
  people += 1;
  const person = { id: `7002${people}`, email: `connected.${people}@example.org` };
  const { token, userId } = await socialSession(world.main, key, person);
  if (changed !== undefined) {
    const place = { table: 'social_connections', column: changed.column, by: 'member_id', id: userId };
    await changeColumn(world.main.database, place, changed.value);
  }
  return world.ask('GET', '/auth/connections', { token });
}

/** The connections of members with social providers. */
export const CONNECTION_STATEMENTS: readonly OldStatement[] = [
  ...PROVIDERS.map(
    ([key, provider_Id]): OldStatement => ({
      says: `the provider_Id of ${key} is ${provider_Id}`,
      ask: (world) => connectionsOf(world, key),
      answers: { ...OK, body: { data: [{ provider_Id }] } },
    }),
  ),
  ...STATES.map(
    ([token_status, column, value]): OldStatement => ({
      says: `token_status of a connection may be ${token_status}`,
      ask: (world) => connectionsOf(world, 'tiktok', { column, value }),
      answers: { ...OK, body: { data: [{ token_status }] } },
    }),
  ),
  ...LISTS.map(
    ([field, key]): OldStatement => ({
      says: `${field} of a connection is a list of accounts in JSON`,
      ask: async (world) => {
        await using other = await world.configured(WITH_PAGES);
        return await connectionsOf(other, key);
      },
      answers: { ...OK, body: { data: [{ [field]: accounts }] } },
    }),
  ),
  {
    says: 'a connection through facebook shows the e-mail, the displayName and the picture',
    ask: (world) => connectionsOf(world, 'facebook'),
    answers: { ...OK, body: { data: [{ email: aText, displayName: aText, detail: { pictureUrl: aText } }] } },
  },
  {
    says: 'detail of a connection is JSON text with the profile',
    differs: 'Flags in answers are',
    ask: (world) => connectionsOf(world, 'google'),
    answers: { ...OK, body: { data: [{ detail: expect.any(Object) as object }] } },
  },
  {
    says: 'a connection shows accessToken and refresh_token of the provider',
    differs: 'No response or log contains a secret',
    ask: async (world) => {
      const answer = await connectionsOf(world, 'google');
      const names = ['accessToken', 'refresh_token', 'refreshToken', '-access-', '-refresh-'];
      return { ...answer, text: names.filter((name) => answer.text.includes(name)).join() };
    },
    answers: { ...OK, body: { data: [{ provider: 'google' }] }, text: '' },
  },
];
