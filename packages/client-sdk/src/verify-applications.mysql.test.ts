import { startMachineApplicationWorld } from '@gatehouse/features/test/machine-application-world';
import { signInThrough, startOauthWorld } from '@gatehouse/features/test/oauth-world';
import { insertTestMember } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { createVerifier } from './verify/verifier.js';

const by = (token: string) => ({ method: 'GET', headers: { authorization: `Bearer ${token}` } });

describe('an API of the product', () => {
  it('admits nobody with a token that an application got for Gatehouse itself', async () => {
    await using world = await startOauthWorld();
    const { baseUrl, main } = world;
    const agent = await world.application({ scopes: ['openid', 'read'] });
    const member = await insertTestMember(world.db, { isConfirmed: true, memberships: { 1: 1 } });
    const parameters = { resource: baseUrl, scope: 'read' };
    const { tokens } = await signInThrough(world, agent, member, {
      parameters,
      account: 1,
      scopes: ['read'],
    });
    const { access_token: bearer } = tokens;
    expect((await main.send('/v1/member/list', { bearer, body: {} })).status).toBe(200);
    const verifier = createVerifier({ url: main.url });
    expect(await verifier.verify(by(bearer))).toBeNull();
    expect(await verifier.verify({ method: 'GET', headers: { token: bearer } })).toBeNull();
    await expect(verifier.require('member.list')(by(bearer))).rejects.toMatchObject({ status: 401 });
    const own = await verifier.verify({ method: 'GET', headers: { token: member.token } });
    expect(own).toMatchObject({ member: { id: member.id } });
    const me = await main.send('/auth/me', { bearer });
    const application = { applicationId: agent.id, actsAs: 'member' };
    expect(await me.json()).toMatchObject({ application });
  });

  it('admits no application that calls Gatehouse as its machine', async () => {
    await using started = await startMachineApplicationWorld();
    const { application, world } = started;
    const { main } = world;
    const { clientId, id: applicationId, secret } = application;
    const answer = await fetch(`${main.url}/oauth/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials', resource: world.baseUrl }),
    });
    const { access_token: bearer } = (await answer.json()) as { access_token: string };
    const me = await main.send('/auth/me', { bearer });
    const told = { key: null, application: { applicationId, actsAs: 'machine' } };
    expect(await me.json()).toMatchObject(told);
    expect(await createVerifier({ url: main.url }).verify(by(bearer))).toBeNull();
  });
});
