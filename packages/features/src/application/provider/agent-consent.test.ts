import { setTimeout } from 'node:timers/promises';
import { setAccountPolicy } from '@gatehouse/db/queries/account-policy';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { lockMemberRow } from '@gatehouse/db/queries/lock-rows';
import { removeMembership } from '@gatehouse/db/queries/memberships';
import { insertTestMember } from '@gatehouse/testkit';
import * as oauth from 'openid-client';
import { expect, it } from 'vitest';
import { type OauthWorld, signInThrough, startOauthWorld } from '../../test/oauth-world.js';

const agentOf = (world: OauthWorld) =>
  world.application({
    name: 'Helper',
    scopes: ['openid', 'read', 'manage', 'member.list'],
  });

const asking = (world: OauthWorld, scope: string) => ({ resource: world.baseUrl, scope });

it('a person gives an agent some of what it asked for, in one account', async () => {
  await using world = await startOauthWorld();
  const agent = await agentOf(world);
  const member = await insertTestMember(world.db, { isConfirmed: true, memberships: { 1: 1, 2: 1 } });
  const parameters = asking(world, 'member.list manage event.read');
  const { browser, begun, client } = await beginning(world, agent, member, parameters);
  const { url, page } = await browser.visit(begun.url);
  expect(page).toContain('In that organization, the app may:');
  expect(page).not.toContain('checked');
  // The application may not ask for it.
  expect(page).not.toContain('Read events');
  const nothing = await browser.visit(url, { account: '2' });
  expect([nothing.status, nothing.page]).toEqual([
    400,
    expect.stringContaining('Choose what the app may do'),
  ]);
  const { url: back } = await browser.visit(url, { account: '2', scopes: 'member.list' });
  const tokens = await begun.finish(back);
  expect([tokens.scope, tokens.refresh_token]).toEqual(['member.list', expect.stringMatching(/^gthr_/)]);
  const told = await oauth.tokenIntrospection(client.config, tokens.access_token);
  expect(told).toMatchObject({ active: true, scope: 'member.list', aud: world.baseUrl });
  const refreshed = await oauth.refreshTokenGrant(client.config, tokens.refresh_token ?? '');
  expect(refreshed.scope).toBe('member.list');
  const userinfo = oauth.fetchUserInfo(client.config, refreshed.access_token, String(member.id));
  await expect(userinfo).rejects.toMatchObject({ status: 403 });
});

it('an agent that asks for more needs consent again, and loses what its member does not choose this time', async () => {
  await using world = await startOauthWorld();
  const agent = await agentOf(world);
  const member = await insertTestMember(world.db, { isConfirmed: true, memberships: { 1: 1 } });
  const first = asking(world, 'read manage');
  await signInThrough(world, agent, member, { parameters: first, account: 1, scopes: ['read', 'manage'] });
  const again = await beginning(world, agent, member, first);
  const { url } = await again.browser.visit(again.begun.url);
  expect((await again.begun.finish(url)).scope).toBe('read manage');
  const anew = { ...first, prompt: 'consent' };
  await signInThrough(world, agent, member, { parameters: anew, account: 1, scopes: ['read'] });
  const { consents } = world.db.tables;
  expect(await world.db.select({ scopes: consents.scopes }).from(consents)).toEqual([{ scopes: ['read'] }]);
});

it('a member who is removed from the account while a consent waits in the queue gives none', async () => {
  await using world = await startOauthWorld();
  const { db } = world;
  const agent = await agentOf(world);
  const member = await insertTestMember(db, { isConfirmed: true, memberships: { 1: 1, 2: 1 } });
  const { browser, begun } = await beginning(world, agent, member, asking(world, 'read'));
  const { url } = await browser.visit(begun.url);
  const scope = { members: [member.id], accounts: [1] };
  const waiting = await changeAccess(db, scope, async (tx) => {
    await lockMemberRow(tx, member.id, 'exclusive');
    const sent = browser.send(url, { account: '1', scopes: 'read' });
    await setTimeout(500);
    await removeMembership(tx, { memberId: member.id, accountId: 1, nowMs: Date.now() });
    return { sent };
  });
  expect((await waiting.sent).status).toBe(401);
  expect(await db.select().from(db.tables.consents)).toEqual([]);
});

it('an application keeps its rights at the API when it signs the person in again without asking for them', async () => {
  await using world = await startOauthWorld();
  const agent = await world.application({ scopes: ['openid', 'account', 'read'] });
  const member = await insertTestMember(world.db, { isConfirmed: true, memberships: { 1: 1 } });
  const parameters = asking(world, 'read');
  const first = await signInThrough(world, agent, member, { parameters, account: 1, scopes: ['read'] });
  await signInThrough(world, agent, member, { parameters: { scope: 'openid account' }, account: 1 });
  const { config } = first.client;
  const refreshed = await oauth.refreshTokenGrant(config, first.tokens.refresh_token ?? '');
  expect(refreshed.scope).toBe('read');
});

it('an application learns what a token still allows after its member allowed less', async () => {
  await using world = await startOauthWorld();
  const agent = await agentOf(world);
  const member = await insertTestMember(world.db, { isConfirmed: true, memberships: { 1: 1 } });
  const parameters = asking(world, 'read manage');
  const both = { parameters, account: 1, scopes: ['read', 'manage'] };
  const { client, tokens } = await signInThrough(world, agent, member, both);
  const told = async () => {
    const plain = await oauth.tokenIntrospection(client.config, tokens.access_token);
    // Another parameter leads to the library.
    const other = await oauth.tokenIntrospection(client.config, tokens.access_token, { a: 'b' });
    return [plain.scope, other.scope];
  };
  expect(await told()).toEqual(['read manage', 'read manage']);
  const less = { parameters: { ...parameters, prompt: 'consent' }, account: 1, scopes: ['read'] };
  await signInThrough(world, agent, member, less);
  expect(await told()).toEqual(['read', 'read']);
});

it('an agent is refused for another API, and for one that the application may not call', async () => {
  await using world = await startOauthWorld();
  const agent = await agentOf(world);
  const wiki = await world.application({ scopes: ['openid'] });
  const member = await insertTestMember(world.db, { isConfirmed: true, memberships: { 1: 1 } });
  const errorOf = async (application: typeof agent, parameters: Record<string, string>) => {
    const { browser, begun } = await beginning(world, application, member, parameters);
    const { url } = await browser.visit(begun.url);
    return new URL(url).searchParams.get('error');
  };
  const elsewhere = { resource: 'https://api.example.com', scope: 'read' };
  expect(await errorOf(agent, elsewhere)).toBe('invalid_target');
  expect(await errorOf(wiki, asking(world, 'read'))).toBe('invalid_target');
});

it('an account that forbids agents is not offered, and the address of the API may end with a slash', async () => {
  await using world = await startOauthWorld();
  const agent = await agentOf(world);
  const member = await insertTestMember(world.db, { isConfirmed: true, memberships: { 1: 1, 2: 1 } });
  await changeAccess(world.db, { accounts: [1] }, (tx) =>
    setAccountPolicy(tx, {
      accountId: 1,
      nowMs: Date.now(),
      requiredLevel: 1,
      requiredFromMs: null,
      requiredUntilThen: 1,
      allowsAgents: false,
    }),
  );
  const parameters = { resource: `${world.baseUrl}/`, scope: 'read' };
  const { browser, begun } = await beginning(world, agent, member, parameters);
  const { url, page } = await browser.visit(begun.url);
  expect(page).toContain('value="2"');
  expect(page).not.toContain('value="1"');
  const refused = await browser.visit(url, { account: '1', scopes: 'read' });
  expect(refused.status).toBe(400);
  const { url: back } = await browser.visit(url, { account: '2', scopes: 'read' });
  expect((await begun.finish(back)).scope).toBe('read');
});

async function beginning(
  world: OauthWorld,
  application: Parameters<OauthWorld['client']>[0],
  member: { readonly token: string },
  parameters: Record<string, string>,
) {
  const client = await world.client(application);
  return { client, browser: world.browser(member), begun: await client.begin(parameters) };
}

it('programs of an account learn which applications its members approved, and which they withdrew', async () => {
  await using world = await startOauthWorld();
  const agent = await agentOf(world);
  const member = await insertTestMember(world.db, { isConfirmed: true, memberships: { 1: 1, 2: 1 } });
  const both = { parameters: asking(world, 'read manage'), account: 1, scopes: ['read', 'manage'] };
  await signInThrough(world, agent, member, both);
  const less = { parameters: { ...asking(world, 'read manage'), prompt: 'consent' }, account: 1 };
  await signInThrough(world, agent, member, { ...less, scopes: ['read'] });
  const outside = await world.application({ scopes: ['openid'] });
  await signInThrough(world, outside, member, { parameters: { scope: 'openid' } });
  const list = await world.main.send('/v1/consent/applications', { token: member.token });
  const { data } = (await list.json()) as { data: { id: number }[] };
  for (const { id: consentId } of data)
    await world.main.send('/v1/consent/withdraw', {
      token: member.token,
      method: 'POST',
      body: { consentId },
    });
  const { events } = world.db.tables;
  const told = (await world.db.select().from(events)).filter(({ type }) => type.startsWith('consent.'));
  const to = (id: number, scopes: string[]) => ({ memberId: member.id, to: `application:${id}`, scopes });
  const accounts = (ids: number[]) => ({ accounts: ids });
  expect(told).toMatchObject([
    { type: 'consent.given', accountId: 1, data: to(agent.id, ['read', 'manage']), audience: accounts([1]) },
    { type: 'consent.given', accountId: 1, data: to(agent.id, ['read']), audience: accounts([1]) },
    { type: 'consent.given', accountId: null, data: to(outside.id, ['openid']), audience: accounts([]) },
    { type: 'consent.withdrawn', accountId: 1, data: to(agent.id, ['read']), audience: accounts([1]) },
    { type: 'consent.withdrawn', accountId: null, data: to(outside.id, ['openid']), audience: accounts([]) },
  ]);
  expect(told.map(({ subjectKind, subjectId, actorKind }) => [subjectKind, subjectId, actorKind])).toEqual(
    told.map(() => ['member', member.id, 'member']),
  );
});
