import { insertTestMember } from '@gatehouse/testkit';
import * as oauth from 'openid-client';
import { describe, expect, it } from 'vitest';
import { CALLBACK, signInThrough, startOauthWorld } from '../../test/oauth-world.js';

describe('an application that signs people in', () => {
  it('gets tokens that say who a person is, once the person consents', async () => {
    await using world = await startOauthWorld();
    const member = await insertTestMember(world.db, { isConfirmed: true, memberships: { 1: 3 } });
    const application = await world.application();
    const client = await world.client(application);
    const browser = world.browser(member);
    const begun = await client.begin();
    const page = await browser.visit(begun.url);
    expect(page).toMatchObject({ status: 200, url: expect.stringContaining('/interaction/') });
    expect(page.page).toContain('Let Wiki use your account?');
    const back = await browser.visit(page.url, {});
    expect(back.url.startsWith(`${CALLBACK}?code=`)).toBe(true);

    const tokens = await begun.finish(back.url);
    expect(tokens.claims()).toMatchObject({ sub: String(member.id), aud: application.clientId });
    expect(tokens.access_token).toMatch(/^gtha_/);
    const claims = await oauth.fetchUserInfo(client.config, tokens.access_token, String(member.id));
    expect(claims).toMatchObject({
      sub: String(member.id),
      email: member.email,
      email_verified: true,
      name: 'Test Member',
    });

    // The second time nobody is asked.
    const again = await signInThrough(world, application, member);
    expect(again.tokens.claims()?.sub).toBe(String(member.id));
  });
});
