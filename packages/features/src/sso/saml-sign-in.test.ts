import { inflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createSamlIdentityProvider, type SaidByIdp } from '../test/saml-identity-provider.js';
import { type SamlWorld, startSamlWorld } from '../test/saml-world.js';
import { SAML } from './saml-names.js';

const IDP = { ssoUrl: 'https://idp.acme.example/sso' };

async function answer(saml: SamlWorld, requestId: string, sent?: string) {
  const response = await saml.post('acs', { SAMLResponse: sent ?? saml.idp.answer(saml.said(requestId)) });
  const location = response.headers.get('location');
  return { status: response.status, location, code: location?.match(/\?code=([0-9a-f]{64})$/)?.[1] };
}

describe('a sign-in by SAML', () => {
  it('signs in the browser whose request it answers, once', async () => {
    await using saml = await startSamlWorld();
    const { requestId, browser } = await saml.begin();
    const first = await answer(saml, requestId);
    expect(first).toMatchObject({
      status: 303,
      location: expect.stringContaining(`/sso/${saml.key}/finish?`),
    });
    const rows = await saml.world.db.select().from(saml.world.db.tables.ssoRuns);
    expect(rows).toHaveLength(2);
    expect(JSON.stringify(rows)).not.toMatch(/ada(?:@|-17)/);
    const stranger = await saml.begin();
    expect(await saml.finish(stranger.browser, first.code)).toEqual({ error: 'invalid_state' });
    expect(await saml.finish(browser, first.code)).toEqual({ user: expect.any(String) });
    expect(await saml.finish(browser, first.code)).toEqual({ error: 'invalid_state' });
    const second = await answer(saml, requestId);
    expect(await saml.finish(browser, second.code)).toEqual({ error: 'invalid_state' });
    const late = await saml.begin();
    const third = await answer(saml, late.requestId);
    saml.world.wait(61_000);
    expect(await saml.finish(late.browser, third.code)).toEqual({ error: 'invalid_state' });
  });

  it('gives access to the account until the person signs out, here and at the identity provider', async () => {
    await using saml = await startSamlWorld();
    const signIn = async () => {
      const { requestId, browser } = await saml.begin();
      const said = saml.said(requestId);
      const { code } = await answer(saml, requestId, saml.idp.answer(said));
      const { user = '' } = await saml.finish(browser, code);
      const body = { tempLogin: true, token: user };
      const response = await saml.world.service.send('/webauthenticate', { body });
      const { token } = z.looseObject({ token: z.string() }).parse(await response.json());
      return { token, said };
    };
    const me = async (token: string) =>
      (await saml.world.other.send('/auth/me', { token, accountId: saml.accountId })).status;
    const here = await signIn();
    expect(await me(here.token)).toBe(200);
    const end = await saml.world.service.send('/auth/logout', { token: here.token, body: {} });
    const { logoutUrl } = z.looseObject({ logoutUrl: z.string() }).parse(await end.json());
    const asked = new URL(logoutUrl);
    expect(`${asked.origin}${asked.pathname}`).toBe('https://idp.acme.example/slo');
    expect(asked.searchParams.get('Signature')).toMatch(/^[A-Za-z0-9+/=]{344}$/);
    const xml = inflateRawSync(Buffer.from(asked.searchParams.get('SAMLRequest') ?? '', 'base64')).toString();
    expect(xml).toContain(`<samlp:SessionIndex>${here.said.sessionIndex}</samlp:SessionIndex>`);
    expect(xml).toContain(`Format="${here.said.nameIdFormat}">ada-17</saml:NameID>`);
    expect(await me(here.token)).toBe(401);
    const [one, two] = [await signIn(), await signIn()];
    const request = {
      destination: saml.urls().logoutUrl,
      nameId: 'ada-17',
      sessionIndexes: [one.said.sessionIndex],
      nowMs: Date.now(),
    };
    const SAMLRequest = saml.idp.logoutForm(request);
    expect((await saml.post('logout', { SAMLRequest })).status).toBe(303);
    expect([await me(one.token), await me(two.token)]).toEqual([401, 200]);
  });

  it('ends with the session at the identity provider if that ends first', async () => {
    await using saml = await startSamlWorld();
    const signIn = async (endsInMs: number): Promise<Record<string, unknown>> => {
      const { requestId, browser } = await saml.begin();
      const said = saml.said(requestId);
      const endsAt = new Date(said.nowMs + endsInMs).toISOString();
      const assertion = saml.idp
        .assertion(said)
        .replace('SessionIndex', `SessionNotOnOrAfter="${endsAt}" SessionIndex`);
      const sent = Buffer.from(saml.idp.sign(saml.idp.response(said, assertion))).toString('base64');
      const { code } = await answer(saml, requestId, sent);
      const { user = '', error } = await saml.finish(browser, code);
      if (error !== undefined) return { error };
      const body = { tempLogin: true, token: user };
      const response = await saml.world.service.send('/webauthenticate', { body });
      return z.looseObject({ token: z.string() }).parse(await response.json());
    };
    const me = async (token: unknown) =>
      (await saml.world.other.send('/auth/me', { token: String(token), accountId: saml.accountId })).status;
    const [short, long] = [await signIn(3_600_000), await signIn(100 * 3_600_000)];
    expect([await me(short['token']), await me(long['token'])]).toEqual([200, 200]);
    // Within the tolerance of clocks, but already expired.
    expect(await signIn(-1_000)).toEqual({ error: 'account_forbidden' });
    saml.world.wait(3_601_000);
    expect([await me(short['token']), await me(long['token'])]).toEqual([401, 200]);
    saml.world.wait(11 * 3_600_000);
    expect(await me(long['token'])).toBe(401);
  });

  it('in a test uses the current settings, and shows the check that failed', async () => {
    await using saml = await startSamlWorld();
    const next = createSamlIdentityProvider({ entityId: 'https://idp.next.example' });
    await saml.save({ metadataXml: next.metadata(IDP) });
    const { id: connectionId } = await saml.row();
    const test = async (changes: Partial<SaidByIdp>) => {
      const made = await saml.world.call('sso.test', { connectionId }, saml.as);
      const { testId, url } = z.object({ testId: z.int(), url: z.url() }).parse(made.data);
      const { pathname, search } = new URL(url);
      const { requestId, browser } = await saml.begin(pathname + search);
      const said = { ...saml.said(requestId), issuer: next.entityId, ...changes };
      const { code } = await answer(saml, requestId, next.answer(said));
      expect(await saml.finish(browser, code)).toEqual({ test: String(testId) });
      const result = await saml.world.service.send(`/v1/sso/testResult?testId=${testId}`, saml.as);
      return z.looseObject({ data: z.unknown() }).parse(await result.json()).data;
    };
    expect(await test({ audience: 'https://x.example' })).toMatchObject({
      state: 'failed',
      checks: expect.arrayContaining([
        { check: 'audience', passed: false, detail: expect.stringContaining('https://x.example') },
      ]),
    });
    expect(await test({ nameIdFormat: SAML.transient })).toMatchObject({ state: 'failed' });
    expect(await test({})).toMatchObject({
      state: 'passed',
      claims: { email: ['ada@acme.example'], groups: ['engineers'] },
      mapping: { subject: 'ada-17', email: 'ada@acme.example' },
    });
    expect((await saml.world.call('sso.activate', { connectionId }, saml.as)).status).toBe(200);
    expect((await saml.row()).live).toMatchObject({ entityId: next.entityId });
  });
});
