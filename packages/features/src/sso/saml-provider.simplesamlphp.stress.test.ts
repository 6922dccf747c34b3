import { describe, expect, it } from 'vitest';
import { type FormBrowser, type Page, pageText } from '../test/form-browser.js';
import { type AtProvider, PEER_DOMAIN, samlAnswerOn, startPeerWorld } from '../test/peer-world.js';
import { SIMPLESAMLPHP_PASSWORD, startSimpleSamlPhp } from '../test/simplesamlphp.js';
import { samlMetadataChecks } from './look-at-metadata.js';

/** Names people by their addresses. */
const BY_EMAIL = {
  NameIDFormat: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  'simplesaml.nameidattribute': 'mail',
};

const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';

const ADA = `ada@${PEER_DOMAIN}`;

const PEOPLE = {
  ada: { mail: [ADA], givenName: ['Ada'], sn: ['Lovelace'], groups: ['engineers', 'admins'] },
};

/** Sends what the identity provider's last page has for us, as its script would. */
function sendBack(browser: FormBrowser, page: Page): Promise<Page> {
  if (samlAnswerOn(page) === undefined) throw new Error(pageText(page));
  return browser.send(page);
}

const logIn = (browser: FormBrowser, page: Page, password = SIMPLESAMLPHP_PASSWORD) =>
  browser.send(page, { username: 'ada', password });

const asAda: AtProvider = async (browser, page) => sendBack(browser, await logIn(browser, page));

/** An identity provider and an account that know each other. */
async function startBoth({
  hosted = {},
  service = {},
}: {
  hosted?: Readonly<Record<string, unknown>>;
  service?: Readonly<Record<string, unknown>>;
} = {}) {
  const idp = await startSimpleSamlPhp(PEOPLE);
  await idp.set(hosted);
  const peer = await startPeerWorld();
  const { saml } = await peer.save('sso.saveSaml', {
    metadataUrl: idp.metadataUrl,
    roleMap: [{ claim: 'groups', value: 'admins', roleType: 2 }],
  });
  const ours = await (await fetch(saml?.serviceEntityId ?? '')).text();
  await idp.trust(ours, service);
  return {
    idp,
    peer,
    ours,
    async [Symbol.asyncDispose]() {
      await peer[Symbol.asyncDispose]();
      await idp[Symbol.asyncDispose]();
    },
  };
}

/** Fails as filters of SimpleSAMLphp do. */
const FAIL = '\\SimpleSAML\\Auth\\State::throwException($state, new \\SimpleSAML\\Error\\Exception("no"));';

const RSA_SHA1 = 'http://www.w3.org/2000/09/xmldsig#rsa-sha1';
const RSA_SHA512 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512';

describe('SimpleSAMLphp', () => {
  it('is connected by its metadata and ours, tested, and signs people in', async () => {
    await using both = await startBoth();
    const { peer } = both;
    expect(await peer.test(asAda)).toMatchObject({
      state: 'passed',
      claims: { mail: [ADA], groups: ['engineers', 'admins'] },
      mapping: { email: ADA, roleType: 2, person: 'new' },
    });
    await peer.activate();
    const browser = peer.browser();
    const token = await peer.signIn(asAda, browser);
    expect(await peer.status(token)).toBe(200);
    // The session there is enough for the next time.
    const again = await peer.signIn(sendBack, browser);
    expect(await peer.status(again)).toBe(200);
    expect(await peer.test(asAda)).toMatchObject({ mapping: { person: 'subject' } });
  });

  it.each<[string, Readonly<Record<string, unknown>>]>([
    ['encrypted', { 'assertion.encryption': true }],
    ['signed with SHA-512', { 'signature.algorithm': RSA_SHA512 }],
    ['in a response that is not signed', { 'saml20.sign.response': false }],
    ['for several audiences', { audience: ['https://other.example'] }],
    ['with a NameID that is an address, and no attributes', { ...BY_EMAIL, 'simplesaml.attributes': false }],
    [
      'with attributes whose names are URIs',
      { authproc: { 10: { class: 'core:AttributeMap', 0: 'name2oid' } } },
    ],
    [
      'with attributes in the names of Microsoft',
      { authproc: { 10: { class: 'core:AttributeMap', 0: 'name2claim' } } },
    ],
  ])('signs people in by an assertion %s', async (_, service) => {
    await using both = await startBoth({ service });
    const { peer } = both;
    const told = await peer.test(async (browser, page) => {
      const answer = await logIn(browser, page);
      const isEncrypted = samlAnswerOn(answer)?.includes('EncryptedAssertion');
      expect(isEncrypted).toBe('assertion.encryption' in service);
      return browser.send(answer);
    });
    expect(told).toMatchObject({ state: 'passed', mapping: { email: ADA } });
    await peer.activate();
    expect(await peer.status(await peer.signIn(asAda))).toBe(200);
  });

  it.each<[string, Readonly<Record<string, unknown>>, string]>([
    [
      'names people for one time',
      { NameIDFormat: TRANSIENT },
      'subject: The NameID is transient, so it names nobody twice. Choose persistent or emailAddress.',
    ],
    [
      'encrypts names alone',
      { 'nameid.encryption': true },
      'subject: The NameID is encrypted. Encrypt the whole assertion instead.',
    ],
    [
      'signs the response alone',
      { 'saml20.sign.assertion': false },
      'signature: The response is signed, and its assertion is not.',
    ],
    [
      'signs nothing',
      { 'saml20.sign.assertion': false, 'saml20.sign.response': false },
      'signature: It is not signed.',
    ],
    [
      'signs with SHA-1',
      { 'signature.algorithm': RSA_SHA1 },
      `signature: The signature uses ${RSA_SHA1}, not RSA or ECDSA with SHA-256 or more.`,
    ],
    ['tells no address', { 'simplesaml.attributes': false }, 'address: none, or not verified'],
    [
      'fails',
      { authproc: { 10: { class: 'core:PHP', code: FAIL } } },
      'answer: The identity provider answered urn:oasis:names:tc:SAML:2.0:status:Responder.',
    ],
  ])('shows the owner in a test what is wrong when it %s', async (_, service, told) => {
    await using both = await startBoth({ service });
    expect(await both.peer.failedTest(asAda)).toBe(`failed: ${told}`);
  });

  it('asks for another password until one is right', async () => {
    await using both = await startBoth();
    const after = await both.peer.test(async (browser, page) =>
      asAda(browser, await logIn(browser, page, 'wrong')),
    );
    expect(after.state).toBe('passed');
  });

  it('is not connected with a key that is too short', async () => {
    await using both = await startBoth();
    const { idp, peer } = both;
    const key = await idp.makeKey({ bits: 1_024 });
    await idp.set({ privatekey: `${key}.pem`, certificate: `${key}.crt` });
    const input = { name: 'Again', metadataUrl: idp.metadataUrl };
    expect((await peer.world.call('sso.saveSaml', input, peer.as)).issues).toEqual([
      { path: 'metadataUrl', message: 'It has no signing key of RSA with 2,048 bits or more, or ECDSA.' },
    ]);
  });

  it('changes its key: the new one is found in its metadata, and the old one is refused', async () => {
    await using both = await startBoth();
    const { idp, peer } = both;
    await peer.test(asAda);
    await peer.activate();
    const browser = peer.browser();
    const before = await peer.signIn(asAda, browser);
    // An answer that the old key has signed, and that was not sent yet.
    const late = await browser.open((await peer.shown()).startUrl);
    const key = await idp.makeKey();
    await idp.set({ privatekey: `${key}.pem`, certificate: `${key}.crt` });
    expect(await peer.status(await peer.signIn(asAda))).toBe(200);
    const refused = await browser.send(late);
    expect(refused.url.searchParams.get('error')).toBe('provider_failed');
    expect(await peer.status(before)).toBe(200);
  });

  it('announces its next key, which is known before it signs', async () => {
    await using both = await startBoth();
    const { idp, peer } = both;
    await peer.test(asAda);
    await peer.activate();
    const key = await idp.makeKey();
    await idp.set({ new_privatekey: `${key}.pem`, new_certificate: `${key}.crt` });
    peer.world.wait(86_400_000);
    await samlMetadataChecks.run(peer.world.service.services);
    expect((await peer.shown()).saml).toMatchObject({
      metadataProblem: null,
      certificatesEndAt: [expect.any(String), expect.any(String)],
    });
  });

  it('ends its session when a person signs out here', async () => {
    await using both = await startBoth({ hosted: { 'validate.logout': true } });
    const { peer } = both;
    await peer.test(asAda);
    await peer.activate();
    const browser = peer.browser();
    const token = await peer.signIn(asAda, browser);
    const end = await browser.open(await peer.signOut(token));
    expect([end.url.href, end.status]).toEqual([peer.appUrl, 0]);
    expect(await peer.status(token)).toBe(401);
    const next = await browser.open((await peer.shown()).startUrl);
    expect(next.forms.some(({ fields }) => 'password' in fields)).toBe(true);
  });

  it.each(['redirect', 'form'])(
    'ends our sessions when a person signs out there, by a %s',
    async (binding) => {
      await using both = await startBoth({ hosted: { 'validate.logout': true } });
      const { idp, peer, ours } = both;
      if (binding === 'form')
        await idp.trust(ours.replace(/<md:SingleLogoutService Binding="[^"]*HTTP-Redirect"[^>]*>/, ''));
      await peer.test(asAda);
      await peer.activate();
      const browser = peer.browser();
      const [here, elsewhere] = [await peer.signIn(asAda, browser), await peer.signIn(asAda)];
      const out = await browser.open(idp.logoutUrl(`${peer.appUrl}out`));
      const end = binding === 'form' ? await browser.send(out) : out;
      expect([end.url.pathname, pageText(end)]).toEqual(['/out', '']);
      expect([await peer.status(here), await peer.status(elsewhere)]).toEqual([401, 200]);
    },
  );

  it('starts a sign-in by itself only where that is allowed', async () => {
    await using both = await startBoth();
    const { idp, peer } = both;
    await peer.test(asAda);
    await peer.activate();
    const { saml } = await peer.shown();
    const begin = idp.startUrl(saml?.serviceEntityId ?? '');
    const browser = peer.browser();
    const refused = await asAda(browser, await browser.open(begin));
    expect(refused.url.searchParams.get('error')).toBe('idp_initiated');
    await peer.save('sso.saveSaml', { allowIdpInitiated: true });
    await peer.test(asAda);
    await peer.activate();
    const led = await sendBack(browser, await browser.open(begin));
    const end = await sendBack(browser, led);
    expect(end.url.searchParams.get('user')).toEqual(expect.any(String));
  });
});
