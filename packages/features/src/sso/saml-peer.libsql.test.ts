import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { loadSamlify, samlifyRequest } from '../test/samlify.js';
import { ownSamlMetadata } from './own-saml-metadata.js';
import { readLogoutFromForm, readLogoutFromQuery, readLogoutQuery } from './read-logout-request.js';
import { readSamlMetadata } from './read-saml-metadata.js';
import { readSamlKey } from './saml-key.js';
import { SAML } from './saml-names.js';
import { signedOutUrl, signInUrl, signOutUrl } from './saml-requests.js';
import { selfSignedCertificate } from './self-signed-certificate.js';
import { verifySamlResponse } from './verify-saml-response.js';

const samlify = loadSamlify();
const nowMs = Date.now();
const urls = {
  entityId: 'https://auth.example/sso/saml/k/metadata',
  acsUrl: 'https://auth.example/sso/saml/k/acs',
  logoutUrl: 'https://auth.example/sso/saml/k/logout',
};
const ours = makeKey();
const theirs = makeKey();
const sender = { entityId: urls.entityId, privateKey: ours.privateKey };
const metadata = ownSamlMetadata(urls, [ours.certificate]);
const sp = samlify.ServiceProvider({ metadata, wantLogoutRequestSigned: true });
const known = readSamlMetadata(idpWith({}).getMetadata(), { isProduction: true });
const keys = known.certificates.flatMap((each) => readSamlKey(each)?.publicKey ?? []);
const person = { logoutNameID: 'ada@example.com', sessionIndex: '_s1' };
const logout = { issuer: known.entityId, logoutUrl: urls.logoutUrl, keys, nowMs };

function makeKey() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const times = { notBeforeMs: nowMs - 3_600_000, notAfterMs: nowMs + 3_600_000 };
  const certificate = selfSignedCertificate(privateKey, { commonName: 'x', ...times }).toString('base64');
  return { privateKey, certificate };
}

function idpWith(settings: Readonly<Record<string, unknown>>) {
  const at = (Location: string) => [{ Binding: SAML.redirectBinding, Location }];
  return samlify.IdentityProvider({
    entityID: 'https://idp.example',
    privateKey: theirs.privateKey.export({ type: 'pkcs8', format: 'pem' }),
    signingCert: theirs.certificate,
    wantAuthnRequestsSigned: true,
    wantLogoutRequestSigned: true,
    wantLogoutResponseSigned: true,
    singleSignOnService: at('https://idp.example/sso'),
    singleLogoutService: at('https://idp.example/slo?x=1'),
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
    ...settings,
  });
}

describe('a third-party identity provider', () => {
  test('is identified by its metadata', () => {
    expect(known).toEqual({
      entityId: 'https://idp.example',
      ssoUrl: 'https://idp.example/sso',
      logoutUrl: 'https://idp.example/slo?x=1',
      logoutAnswerUrl: 'https://idp.example/slo?x=1',
      certificates: [theirs.certificate],
    });
  });

  test('learns from our metadata which names we prefer', () => {
    expect(sp.entityMeta.getNameIDFormat()).toEqual([SAML.persistent, SAML.emailAddress]);
  });

  test.each<[string, Readonly<Record<string, unknown>>]>([
    ['in the clear', {}],
    ...['aes128-cbc', 'aes256-cbc'].map((name): [string, Readonly<Record<string, unknown>>] => [
      `encrypted with ${name}`,
      {
        isAssertionEncrypted: true,
        dataEncryptionAlgorithm: `${SAML.encryption}${name}`,
        keyEncryptionAlgorithm: `${SAML.encryption}rsa-oaep-mgf1p`,
      },
    ]),
    ...['aes128-gcm', 'aes256-gcm'].map((name): [string, Readonly<Record<string, unknown>>] => [
      `encrypted with ${name}`,
      {
        isAssertionEncrypted: true,
        dataEncryptionAlgorithm: `http://www.w3.org/2009/xmlenc11#${name}`,
        keyEncryptionAlgorithm: `${SAML.encryption}rsa-oaep-mgf1p`,
      },
    ]),
  ])('accepts our signed request, and we accept its answer %s', async (_, settings) => {
    const { verified, verdicts } = await signIn(settings);
    expect(verdicts.filter(({ passed }) => !passed)).toEqual([]);
    expect(verified?.claims).toMatchObject({
      nameId: 'ada@example.com',
      sessionIndex: '_s1',
      attributes: { email: ['ada@example.com'] },
    });
  });

  test('is refused if it encrypts with RSA 1.5, or for another key', async () => {
    const encrypted = {
      isAssertionEncrypted: true,
      dataEncryptionAlgorithm: `${SAML.encryption}aes256-cbc`,
    };
    const weak = { ...encrypted, keyEncryptionAlgorithm: `${SAML.encryption}rsa-1_5` };
    const good = { ...encrypted, keyEncryptionAlgorithm: `${SAML.encryption}rsa-oaep-mgf1p` };
    const answers = [await signIn(weak), await signIn(good, makeKey())];
    const last = answers.map(({ verdicts }) => verdicts.at(-1));
    expect(new Set(last.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(last[0]).toMatchObject({ check: 'decrypted', passed: false });
  });

  test('signs out by the redirect binding, and accepts our answer', async () => {
    const { context } = idpWith({}).createLogoutRequest(sp, 'redirect', person, 'a b&c');
    const query = readLogoutQuery(new URL(context).search.slice(1));
    const read = readLogoutFromQuery(query, logout);
    expect(read).toMatchObject({ nameId: 'ada@example.com', sessionIndexes: ['_s1'] });
    expect(query.relayState).toBe('a b&c');
    const answer = signedOutUrl(sender, {
      url: known.logoutAnswerUrl ?? '',
      id: '_a1',
      nowMs,
      requestId: read.id,
      relayState: query.relayState,
    });
    const { extract } = await idpWith({}).parseLogoutResponse(sp, 'redirect', samlifyRequest(answer));
    expect(extract).toMatchObject({ response: { inResponseTo: read.id }, issuer: urls.entityId });
    expect(new URL(answer).searchParams.get('RelayState')).toBe('a b&c');
  });

  test('signs out by the POST binding', () => {
    const { context } = idpWith({}).createLogoutRequest(sp, 'post', person);
    expect(readLogoutFromForm(context, logout)).toMatchObject({
      nameId: 'ada@example.com',
      sessionIndexes: ['_s1'],
    });
  });

  test('accepts our logout request', async () => {
    const subject = {
      nameId: 'ada & <eve>',
      nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
      nameQualifier: null,
      spNameQualifier: 'x"y',
      sessionIndex: '_s1',
    };
    const url = signOutUrl(sender, { url: known.logoutUrl ?? '', id: '_l1', nowMs, subject });
    const { extract } = await idpWith({}).parseLogoutRequest(sp, 'redirect', samlifyRequest(url));
    expect(extract).toMatchObject({ nameID: 'ada & <eve>', sessionIndex: '_s1', issuer: urls.entityId });
  });
});

async function signIn(settings: Readonly<Record<string, unknown>>, receiver = ours) {
  const idp = idpWith(settings);
  const url = signInUrl(sender, {
    url: known.ssoUrl,
    id: '_q1',
    nowMs,
    acsUrl: urls.acsUrl,
    forceLogin: false,
  });
  const request = await idp.parseLoginRequest(sp, 'redirect', samlifyRequest(url));
  expect(request.extract).toMatchObject({ request: { id: '_q1', assertionConsumerServiceUrl: urls.acsUrl } });
  const { context } = await idp.createLoginResponse(sp, request, 'post', {}, (template) => {
    const id = `_${randomUUID()}`;
    const time = new Date(nowMs).toISOString();
    const end = new Date(nowMs + 300_000).toISOString();
    const tags = {
      ID: id,
      AssertionID: `_${randomUUID()}`,
      Destination: urls.acsUrl,
      Audience: urls.entityId,
      SubjectRecipient: urls.acsUrl,
      AssertionConsumerServiceURL: urls.acsUrl,
      NameIDFormat: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
      NameID: 'ada@example.com',
      Issuer: known.entityId,
      IssueInstant: time,
      ConditionsNotBefore: time,
      ConditionsNotOnOrAfter: end,
      SubjectConfirmationDataNotOnOrAfter: end,
      InResponseTo: '_q1',
      StatusCode: SAML.success,
      attrEmail: 'ada@example.com',
    };
    return { id, context: samlify.SamlLib.replaceTagsByValue(template, tags) };
  });
  return verifySamlResponse(context, {
    ourEntityId: urls.entityId,
    acsUrl: urls.acsUrl,
    issuer: known.entityId,
    keys,
    decryptionKeys: [receiver.privateKey],
    requestId: '_q1',
    nowMs,
  });
}

describe('a SAML logout request is refused', () => {
  const { context } = idpWith({}).createLogoutRequest(sp, 'redirect', person, 'state');
  const good = new URL(context).search.slice(1);
  const read = (query: string, changes: Partial<typeof logout> = {}) =>
    readLogoutFromQuery(readLogoutQuery(query), { ...logout, ...changes });
  const message = /SAMLRequest=([^&]*)/.exec(good)?.[1] ?? '';

  test('unless it is complete, appears once, and is signed', () => {
    expect(read(good).nameId).toBe('ada@example.com');
    const bad = [
      good.replace(/&Signature=.*/, ''),
      good.replace(/&SigAlg=[^&]*/, ''),
      good.replace('rsa-sha256', 'rsa-sha1'),
      good.replace('RelayState=state', 'RelayState=other'),
      good.replace('&RelayState=state', ''),
      `${good}&SAMLRequest=${message}`,
      `${good}&SAMLRequest=other`,
      `SAMLRequest=other&${good}`,
      `${good}&SAML%52equest=other`,
      `${good}&RelayState=state`,
      `${good}&SAMLResponse=${message}`,
      `SAMLRequest=${message}`,
      good.replace('SAMLRequest', 'SAMLResponse').replace('SAMLResponse=', 'SAMLRequest%3D='),
      '',
      'SAMLRequest=%',
    ];
    for (const query of bad) expect(() => read(query), query).toThrow(/^It|^No key/);
  });

  test('from another issuer, for another address, with another key, or at another time', () => {
    expect(() => read(good, { issuer: 'https://other.example' })).toThrow('another issuer');
    expect(() => read(good, { logoutUrl: `${urls.logoutUrl}/x` })).toThrow('another address');
    expect(() => read(good, { keys: [] })).toThrow('No key');
    expect(() => read(good, { nowMs: nowMs + 400_000 })).toThrow('old');
    expect(() => read(good, { nowMs: nowMs - 120_000 })).toThrow('future');
  });

  test('if its form is not signed as a whole', () => {
    const form = idpWith({}).createLogoutRequest(sp, 'post', person).context;
    const xml = Buffer.from(form, 'base64').toString();
    const encode = (text: string) => Buffer.from(text).toString('base64');
    const bad = [
      xml.replace(/<ds:Signature .*<\/ds:Signature>/s, ''),
      xml.replace('ada@example.com', 'eve@example.com'),
      `<x>${xml}</x>`,
      xml.replaceAll('samlp:LogoutRequest', 'samlp:LogoutResponse'),
    ];
    for (const text of bad) expect(() => readLogoutFromForm(encode(text), logout)).toThrow(/\.$/);
  });

  test('if it decompresses to more than the maximum size of a message', () => {
    const bomb = deflateRawSync(Buffer.alloc(20_000_000)).toString('base64');
    expect(() => read(good.replace(message, encodeURIComponent(bomb)))).toThrow('compressed');
  });
});
