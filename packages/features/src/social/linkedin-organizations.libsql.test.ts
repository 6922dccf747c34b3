import { providerEnvironment } from '@gatehouse/simulator';
import { describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import { socialSession } from '../test/social-session.js';
import { type SocialWorld, startSocialWorld } from '../test/social-world.js';

const dialect = inject('dialect');
const APPROVED = { LINKEDIN_SCOPES: 'openid profile email r_organization_admin' };
const ROBIN = { id: 'urn:li:person:700100200', name: 'Robin Rivera' };
const ORGANIZATIONS = [
  { id: 'urn:li:organization:2414183', name: 'Rivera Bakery' },
  { id: 'urn:li:organization:5515715', name: 'Rivera Foundation' },
];

const list = z.object({ data: z.array(z.looseObject({ LnAccounts: z.unknown() })) });

async function accountsAfterSignIn({ service }: SocialWorld): Promise<unknown> {
  const { token } = await socialSession(service, 'linkedin');
  const response = await service.send('/auth/connections', { token });
  return list.parse(await response.json()).data[0]?.LnAccounts;
}

describe('the organizations of a person at LinkedIn', () => {
  it.each(['r_organization_admin', 'rw_organization_admin'])(
    'are in LnAccounts beside the person, limited to those that they may act for, when the scope is %s',
    async (scope) => {
      await using world = await startSocialWorld({
        dialect,
        env: { LINKEDIN_SCOPES: `openid profile ${scope}` },
      });
      expect(await accountsAfterSignIn(world)).toEqual([ROBIN, ...ORGANIZATIONS]);
    },
  );

  it.each([
    'rateLimit',
    'gateway404',
    'redirect',
    'xml',
    'hang',
    'error500',
    'refuse',
    'html',
    'huge',
    'list',
    'null',
    'reset',
    'wrongTypes',
    'empty',
  ] as const)('do not fail a sign-in when LinkedIn answers %s', async (organizations) => {
    await using world = await startSocialWorld({ dialect, env: APPROVED });
    world.simulator.tell('linkedin', { organizations });
    expect(await accountsAfterSignIn(world)).toEqual([ROBIN]);
  });

  it('are there once LinkedIn answers again', async () => {
    await using world = await startSocialWorld({ dialect, env: APPROVED });
    world.simulator.tell('linkedin', { organizations: 'error500' });
    expect(await accountsAfterSignIn(world)).toEqual([ROBIN]);
    world.simulator.tell('linkedin', { organizations: null });
    expect(await accountsAfterSignIn(world)).toEqual([ROBIN, ...ORGANIZATIONS]);
  });

  it('are requested only with their scope, and only from the host that issued the token', async () => {
    for (const env of [
      {},
      { LINKEDIN_SCOPES: 'openid profile r_organization_social' },
      { LINKEDIN_SCOPES: 'openid profile w_organization_social' },
      { LINKEDIN_SCOPES: 'openid profile r_organization_administrator' },
      { LINKEDIN_SCOPES: 'openid profile xrw_organization_admin' },
    ]) {
      await using without = await startSocialWorld({ dialect, env });
      expect(await accountsAfterSignIn(without)).toEqual([ROBIN]);
    }

    await using elsewhere = await startSocialWorld({
      dialect,
      env: { ...APPROVED, LINKEDIN_ORGANIZATIONS_URL: '' },
    });
    expect(Object.keys(providerEnvironment(elsewhere.simulator.url))).toContain('LINKEDIN_ORGANIZATIONS_URL');
    expect(await accountsAfterSignIn(elsewhere)).toEqual([ROBIN]);
  });
});
