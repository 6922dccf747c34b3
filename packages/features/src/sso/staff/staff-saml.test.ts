import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { readOutbox } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { loadSamlify, samlifyRequest } from '../../test/samlify.js';
import type { SocialBrowser } from '../../test/social-browser.js';
import { DOMAIN } from '../../test/sso-world.js';
import { resultOf, type StaffSsoWorld, startStaffSsoWorld } from '../../test/staff-sso-world.js';
import { samlMetadataChecks } from '../look-at-metadata.js';
import { SAML } from '../saml-names.js';
import { selfSignedCertificate } from '../self-signed-certificate.js';

const samlify = loadSamlify();
const IDP = 'https://idp.example';
const DAY_MS = 86_400_000;
const REDIRECT = [{ Binding: SAML.redirectBinding, Location: `${IDP}/sso` }];

const saved = z.looseObject({ id: z.int(), key: z.string() });

/** An identity provider by a library of others, whose certificate ends after some days. */
function createIdp(nowMs: number, days = 400) {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const times = { notBeforeMs: nowMs - DAY_MS, notAfterMs: nowMs + days * DAY_MS };
  const certificate = selfSignedCertificate(privateKey, { commonName: 'x', ...times }).toString('base64');
  return samlify.IdentityProvider({
    entityID: IDP,
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    signingCert: certificate,
    wantAuthnRequestsSigned: true,
    wantLogoutRequestSigned: true,
    wantLogoutResponseSigned: true,
    singleSignOnService: REDIRECT,
    singleLogoutService: [{ Binding: SAML.redirectBinding, Location: `${IDP}/slo` }],
    requestSignatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    loginResponseTemplate: {
      context: samlify.SamlLib.defaultLoginResponseTemplate.context.replace(
        '{AttributeStatement}',
        `<saml:AuthnStatement AuthnInstant="{IssueInstant}" SessionIndex="_s1"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>{AttributeStatement}`,
      ),
      attributes: [
        {
          name: 'email',
          valueTag: 'email',
          nameFormat: 'urn:oasis:names:tc:SAML:2.0:attrname-format:basic',
          valueXsiType: 'xs:string',
        },
      ],
    },
  });
}

/** A connection of the platform by SAML that was tested by a sign-in. */
async function connect(world: StaffSsoWorld, idp = createIdp(world.nowMs())) {
  const settings = { name: 'Works', metadataXml: idp.getMetadata(), domains: [DOMAIN] };
  const { id: connectionId, key } = saved.parse((await world.ask('staffSso.saveSaml', settings)).data);
  const own = await world.admin.send(`/sso/saml/${key}/metadata`);
  const sp = samlify.ServiceProvider({ metadata: await own.text(), wantLogoutRequestSigned: true });
  const { logout, acs, entityId } = await (async () => {
    const { data } = await world.ask('staffSso.list', {});
    const { connections } = z
      .object({ connections: z.array(z.looseObject({ id: z.int(), saml: z.unknown() })) })
      .parse(data);
    const saml = z
      .looseObject({ acsUrl: z.string(), logoutUrl: z.string(), serviceEntityId: z.string() })
      .parse(connections.find(({ id }) => id === connectionId)?.saml);
    return { acs: saml.acsUrl, logout: saml.logoutUrl, entityId: saml.serviceEntityId };
  })();

  async function answer(location: string, name: string): Promise<string> {
    const request = await idp.parseLoginRequest(sp, 'redirect', samlifyRequest(location));
    const { id: asked } = z.object({ id: z.string() }).parse(request.extract['request']);
    const { context } = await idp.createLoginResponse(sp, request, 'post', {}, (template) => {
      const id = `_${randomUUID()}`;
      const time = new Date(world.nowMs()).toISOString();
      const end = new Date(world.nowMs() + 300_000).toISOString();
      const tags = {
        ID: id,
        AssertionID: `_${randomUUID()}`,
        Destination: acs,
        Audience: entityId,
        SubjectRecipient: acs,
        AssertionConsumerServiceURL: acs,
        NameIDFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
        NameID: name,
        Issuer: IDP,
        IssueInstant: time,
        ConditionsNotBefore: time,
        ConditionsNotOnOrAfter: end,
        SubjectConfirmationDataNotOnOrAfter: end,
        InResponseTo: asked,
        StatusCode: SAML.success,
        attrEmail: `${name}@${DOMAIN}`,
      };
      return { id, context: samlify.SamlLib.replaceTagsByValue(template, tags) };
    });
    return context;
  }
  const post = (SAMLResponse: string, on = world.admin) =>
    fetch(`${on.url}/sso/saml/${key}/acs`, {
      method: 'POST',
      body: new URLSearchParams({ SAMLResponse }),
      redirect: 'manual',
      headers: { origin: IDP },
    });
  async function visit(by: SocialBrowser, name: string, start = `/sso/${key}/start`) {
    const { location } = await by.open(start);
    const posted = await post(await answer(location, name));
    expect(posted.status).toBe(303);
    return resultOf((await by.open(posted.headers.get('location') ?? '')).location);
  }
  const { data } = await world.ask('staffSso.test', { connectionId });
  const { url } = z.object({ url: z.string() }).parse(data);
  const { pathname, search } = new URL(url);
  expect((await visit(world.browser(), 'ada', pathname + search)).get('test')).toMatch(/^\d+$/);
  expect((await world.ask('staffSso.activate', { connectionId })).code).toBeUndefined();
  return { connectionId, key, idp, sp, logout, answer, post, visit };
}

describe('a sign-in of staff by SAML', () => {
  it('is for the browser whose request it answers, once, and for staff with a proven address', async () => {
    await using world = await startStaffSsoWorld();
    const saml = await connect(world);
    const ada = await world.named('ada');
    const browser = world.browser();
    const { location } = await browser.open(`/sso/${saml.key}/start`);
    expect(location).toMatch(`${IDP}/sso?`);
    const sent = await saml.answer(location, 'ada');
    expect((await saml.post(sent, world.main)).status).toBe(404);
    const posted = (await saml.post(sent)).headers.get('location') ?? '';
    expect(resultOf((await world.browser().open(posted)).location).get('error')).toBe('invalid_state');
    const user = resultOf((await browser.open(posted)).location).get('user');
    expect((await world.redeem(user, world.browser())).code).toBe('invalid_token');
    const { data } = await world.redeem(user, browser);
    expect(data).toMatchObject({ userId: ada.id, level: 1, methods: ['fed'] });
    const again = (await saml.post(sent)).headers.get('location') ?? '';
    expect(resultOf(again).get('error')).toBe('provider_failed');

    await world.named('eve', { isPersonnel: false, roleType: 5 });
    for (const name of ['eve', 'nobody']) {
      const end = await saml.visit(world.browser(), name);
      expect([name, end.get('error')]).toEqual([name, 'account_forbidden']);
    }
  });

  it('ends with the session at the identity provider, and when the connection is switched off', async () => {
    await using world = await startStaffSsoWorld();
    const saml = await connect(world);
    await world.named('ada');
    const signIn = async () => {
      const browser = world.browser();
      const { data } = await world.redeem((await saml.visit(browser, 'ada')).get('user'), browser);
      return String(data['token']);
    };
    const [one, two] = [await signIn(), await signIn()];
    const left = await world.ask('session.end', {}, two);
    const there = z.string().parse(left.body['logoutUrl']);
    const asked = await saml.idp.parseLogoutRequest(saml.sp, 'redirect', samlifyRequest(there));
    expect(asked.extract).toMatchObject({ nameID: 'ada', sessionIndex: '_s1' });
    expect([await world.me(one), await world.me(two)]).toEqual([200, 401]);

    const person = { logoutNameID: 'ada', sessionIndex: '_s1' };
    const { context } = saml.idp.createLogoutRequest(saml.sp, 'redirect', person);
    expect(context).toMatch(saml.logout);
    const { search } = new URL(context);
    const path = `/sso/saml/${saml.key}/logout`;
    const answered = await fetch(`${world.admin.url}${path}${search}`, { redirect: 'manual' });
    expect([answered.status, answered.headers.get('location')]).toEqual([
      303,
      expect.stringMatching(`^${IDP}/slo`),
    ]);
    expect(await world.me(one)).toBe(401);

    const third = await signIn();
    await world.ask('staffSso.activate', { connectionId: saml.connectionId, active: false });
    expect(await world.me(third)).toBe(401);
  });

  it('warns staff of base role 0 before the certificate of its connection for staff expires', async () => {
    await using world = await startStaffSsoWorld();
    await connect(world, createIdp(world.nowMs(), 20));
    await samlMetadataChecks.run(world.main.services);
    const mails = await world.db.select().from(world.db.tables.mailOutbox);
    const warned = mails.filter(({ kind }) => kind === 'certificateEnding').map(({ memberId }) => memberId);
    expect(warned).toContain(world.root.id);
    const [mail] = (await readOutbox(world.main)).filter(({ kind }) => kind === 'certificateEnding');
    expect(mail?.text).toContain('which staff sign in with');
    expect(mail?.text).not.toContain('organization');
  });
});
