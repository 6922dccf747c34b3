import type { ClientMetadata } from 'oidc-provider';
import { describe, expect, it } from 'vitest';
import type { FormBrowser, Page } from '../test/form-browser.js';
import { startOidcIdentityProvider } from '../test/oidc-identity-provider.js';
import { type AtProvider, PEER_DOMAIN, startPeerWorld } from '../test/peer-world.js';

const SECRET = 'Anchor: Meadow+17 & 50%';

const logIn = (browser: FormBrowser, page: Page) =>
  browser.send(page, { login: 'ada', password: 'Harvest-Tunnel-31' });

/** Signs in, and agrees to what the service asks for. */
const asAda: AtProvider = async (browser, page) => browser.send(await logIn(browser, page));

/** An identity provider and an account that know each other. */
async function startBoth({
  hasClaimsInIdToken = false,
  client = {},
}: {
  hasClaimsInIdToken?: boolean;
  client?: Partial<ClientMetadata>;
} = {}) {
  const claimsOf = (name: string) => ({
    email: `${name}@${PEER_DOMAIN}`,
    email_verified: true,
    given_name: 'Ada',
    groups: ['engineers', 'admins'],
  });
  const idp = await startOidcIdentityProvider(claimsOf, { hasClaimsInIdToken });
  const peer = await startPeerWorld();
  const { oidc } = await peer.save('sso.saveOidc', {
    issuer: idp.issuer,
    clientId: 'gatehouse client',
    clientSecret: SECRET,
    scopes: ['openid', 'email', 'profile', 'groups'],
    roleMap: [{ claim: 'groups', value: 'admins', roleType: 2 }],
  });
  idp.register({
    client_id: 'gatehouse client',
    client_secret: SECRET,
    redirect_uris: [oidc?.redirectUri ?? ''],
    post_logout_redirect_uris: [peer.world.service.services.config.APP_URL],
    backchannel_logout_uri: oidc?.backchannelLogoutUri ?? '',
    backchannel_logout_session_required: true,
    ...client,
  });
  return {
    idp,
    peer,
    async [Symbol.asyncDispose]() {
      await peer[Symbol.asyncDispose]();
      await idp[Symbol.asyncDispose]();
    },
  };
}

describe('a third-party OpenID Connect provider', () => {
  it.each([true, false])(
    'signs people in, with their claims in the ID token: %s',
    async (hasClaimsInIdToken) => {
      await using both = await startBoth({ hasClaimsInIdToken });
      const { peer } = both;
      expect(await peer.test(asAda)).toMatchObject({
        state: 'passed',
        claims: { groups: ['engineers', 'admins'] },
        mapping: { subject: 'ada', email: `ada@${PEER_DOMAIN}`, roleType: 2, person: 'new' },
      });
      await peer.activate();
      const browser = peer.browser();
      const token = await peer.signIn(asAda, browser);
      expect(await peer.status(token)).toBe(200);
      // The session there is enough for the next time.
      const again = await peer.signIn((_, page) => Promise.resolve(page), browser);
      expect(await peer.status(again)).toBe(200);
    },
  );

  it.each(['PS256', 'ES256', 'EdDSA'] as const)('may sign with %s', async (algorithm) => {
    await using both = await startBoth({ client: { id_token_signed_response_alg: algorithm } });
    const { idp, peer } = both;
    idp.use([idp.makeKey(), idp.makeKey(algorithm)]);
    expect(await peer.test(asAda)).toMatchObject({ state: 'passed' });
  });

  it('changes its key: the new one is accepted within a minute, and the old one no longer', async () => {
    await using both = await startBoth();
    const { idp, peer } = both;
    const [first, second] = [idp.makeKey(), idp.makeKey()];
    idp.use([first]);
    await peer.test(asAda);
    await peer.activate();
    const before = await peer.signIn(asAda);
    idp.use([second, first]);
    peer.world.wait(61_000);
    expect(await peer.status(await peer.signIn(asAda))).toBe(200);
    idp.use([second]);
    peer.world.wait(61_000);
    expect(await peer.status(await peer.signIn(asAda))).toBe(200);
    idp.use([first], [second]);
    peer.world.wait(301_000);
    expect((await peer.visit(asAda)).get('error')).toBe('provider_failed');
    expect(await peer.status(before)).toBe(200);
  });

  it('ends its session when a person signs out here', async () => {
    await using both = await startBoth();
    const { peer } = both;
    await peer.test(asAda);
    await peer.activate();
    const browser = peer.browser();
    const token = await peer.signIn(asAda, browser);
    const asked = await browser.open(await peer.signOut(token));
    expect(await peer.status(token)).toBe(401);
    const end = await browser.send(asked, {}, { logout: 'yes' });
    expect([end.url.href, end.status]).toEqual([peer.appUrl, 0]);
    const next = await browser.open((await peer.shown()).startUrl);
    expect(next.forms.some(({ fields }) => 'password' in fields)).toBe(true);
  });

  it('ends our sessions of a browser when a person signs out there', async () => {
    await using both = await startBoth();
    const { idp, peer } = both;
    await peer.test(asAda);
    await peer.activate();
    const browser = peer.browser();
    const [here, elsewhere] = [await peer.signIn(asAda, browser), await peer.signIn(asAda)];
    expect([await peer.status(here), await peer.status(elsewhere)]).toEqual([200, 200]);
    await browser.send(await browser.open(idp.endUrl), {}, { logout: 'yes' });
    expect([await peer.status(here), await peer.status(elsewhere)]).toEqual([401, 200]);
  });

  it('shows the owner in a test what is wrong', async () => {
    await using both = await startBoth();
    const { idp, peer } = both;
    const cancel: AtProvider = (browser, page) =>
      browser.open(/href="([^"]*\/abort)"/.exec(page.text)?.[1] ?? '');
    expect(await peer.failedTest(cancel)).toBe('failed: answer: access_denied');
    await peer.save('sso.saveOidc', { clientSecret: 'Anchor-Meadow-18' });
    expect(await peer.failedTest(asAda)).toBe('failed: token: status 401');
    await peer.save('sso.saveOidc', { issuer: `${idp.issuer}/`, clientSecret: SECRET });
    expect(await peer.failedTest(asAda)).toBe('failed: discovery: another issuer');
  });
});
