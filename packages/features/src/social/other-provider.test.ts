import { createApp } from '@gatehouse/api-main/app';
import { startService } from '@gatehouse/testkit';
import { Events, type MutableResponse, OAuth2Server } from 'oauth2-mock-server';
import { describe, expect, inject, it } from 'vitest';
import { createSocialBrowser } from '../test/social-browser.js';

const dialect = inject('dialect');

/** The main service with a provider that is not in our list. */
async function start(prefix: 'GOOGLE' | 'LINKEDIN') {
  const provider = new OAuth2Server();
  await provider.issuer.keys.generate('RS256');
  await provider.start(0, '127.0.0.1');
  const { url = '' } = provider.issuer;
  const service = await startService(createApp, {
    dialect,
    application: 'web',
    env: {
      [`${prefix}_CLIENT_ID`]: 'gatehouse',
      [`${prefix}_CLIENT_SECRET`]: 'a secret of the tests',
      [`${prefix}_AUTHORIZATION_URL`]: `${url}/authorize`,
      [`${prefix}_TOKEN_URL`]: `${url}/token`,
      [`${prefix}_PROFILE_URL`]: `${url}/userinfo`,
    },
  });
  return {
    provider,
    service,
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await provider.stop();
    },
  };
}

const telling = (claims: Record<string, unknown>) => (response: MutableResponse) => {
  response.body = claims;
};

describe.each(['google', 'linkedin'] as const)('%s, played by independent software,', (key) => {
  it('signs in the member whom its userinfo names, and nobody if it names none', async () => {
    await using world = await start(key === 'google' ? 'GOOGLE' : 'LINKEDIN');
    const { provider, service } = world;
    const bodies: Record<string, unknown>[] = [];
    provider.service.on(
      Events.BeforeResponse,
      (_response: MutableResponse, request: { body: Record<string, unknown> }) => {
        bodies.push(request.body);
      },
    );
    provider.service.on(
      Events.BeforeUserinfo,
      telling({ sub: 'jkl-123', name: 'Jo Klein', email: 'owner@acme.test', email_verified: true }),
    );
    const endOf = async () => {
      const browser = createSocialBrowser(service);
      const { location } = await browser.open(`/social/${key}`);
      const consent = await fetch(location, { redirect: 'manual' });
      return new URL((await browser.open(consent.headers.get('location') ?? '')).location);
    };
    const token = (await endOf()).searchParams.get('user');
    const signedIn = await service.send('/webauthenticate', { body: { social: true, token } });
    expect(await signedIn.json()).toMatchObject({ status: true, userId: 3 });
    expect(bodies).toMatchObject([
      {
        grant_type: 'authorization_code',
        client_id: 'gatehouse',
        client_secret: 'a secret of the tests',
        redirect_uri: `http://127.0.0.1:4000/social/${key}/callback`,
      },
    ]);
    expect(bodies.map((body) => 'code_verifier' in body)).toEqual([key === 'google']);

    provider.service.on(Events.BeforeUserinfo, telling({ name: 'Nobody' }));
    expect((await endOf()).search).toBe('?error=provider_failed');
  });
});
