import { createPublicKey } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  createSamlIdentityProvider,
  type SaidByIdp,
  type SignOptions,
  saidByIdp,
} from '../test/saml-identity-provider.js';
import { canonicalXml } from './canonical-xml.js';
import { readSamlKey } from './saml-key.js';
import { SAML } from './saml-names.js';
import { readXml } from './saml-xml.js';
import { verifySamlResponse } from './verify-saml-response.js';

const NOW_MS = Date.UTC(2030, 4, 17, 12);
const OURS = {
  ourEntityId: 'https://auth.example/sso/saml/k/metadata',
  acsUrl: 'https://auth.example/sso/saml/k/acs',
  requestId: '_request-1',
  nowMs: NOW_MS,
};
const idp = createSamlIdentityProvider();
const other = createSamlIdentityProvider();
const said = saidByIdp(idp, OURS);

function verify(sent: string, provider = idp) {
  const key = readSamlKey(provider.certificate);
  return verifySamlResponse(sent, {
    ...OURS,
    issuer: provider.entityId,
    keys: key === undefined ? [] : [key.publicKey],
    decryptionKeys: [],
  });
}

const ASSERTION = "//*[local-name(.)='Assertion']";
const RESPONSE = "/*[local-name(.)='Response']";
const AFTER_RESPONSE_ISSUER = {
  reference: `${RESPONSE}/*[local-name(.)='Issuer']`,
  action: 'after',
} as const;
const INCLUSIVE = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315';

const encode = (xml: string) => Buffer.from(xml).toString('base64');

/** The checks that fail for what an identity provider sends. */
function failed(sent: string, provider = idp): string[] {
  const { verdicts, verified } = verify(sent, provider);
  const checks = verdicts.filter(({ passed }) => !passed).map(({ check }) => check);
  expect(verified === null).toBe(checks.length > 0);
  return checks;
}

const saying = (changes: Partial<SaidByIdp>, options?: SignOptions) =>
  idp.answer({ ...said, ...changes }, options);

describe('a good response', () => {
  test('gives what its signed assertion says', () => {
    const { verdicts, verified } = verify(saying({}));
    expect(verdicts.filter(({ passed }) => !passed)).toEqual([]);
    expect(verified).toEqual({
      assertionId: said.assertionId,
      usableUntilMs: said.notOnOrAfterMs + 60_000,
      claims: {
        nameId: 'ada-17',
        nameIdFormat: said.nameIdFormat,
        nameQualifier: null,
        spNameQualifier: null,
        sessionIndex: said.sessionIndex,
        sessionEndsAtMs: null,
        attributes: { email: ['ada@example.com'], groups: ['engineers', 'admins'] },
      },
    });
  });

  test.each([
    ['RSA', 'sha256'],
    ['RSA', 'sha512'],
    ['ECDSA', 'sha256'],
    ['ECDSA', 'sha512'],
  ])('is accepted with %s and %s', (kind, digest) => {
    const provider = createSamlIdentityProvider({ kind: kind === 'RSA' ? 'rsa' : 'ec' });
    const sent = provider.answer(saidByIdp(provider, OURS), {
      algorithm: `http://www.w3.org/2001/04/xmldsig-more#${kind.toLowerCase()}-${digest}`,
      digest: `http://www.w3.org/2001/04/xmlenc#${digest}`,
    });
    expect(failed(sent, provider)).toEqual([]);
  });

  test('may list inclusive prefixes, have a declaration, and be broken into lines', () => {
    const xml = idp.sign(idp.response(said, idp.assertion(said)), { prefixes: ['xs', 'saml'] });
    expect(
      failed(encode(`<?xml version="1.0" encoding="UTF-8"?>\n${xml}`).replaceAll(/.{76}/g, '$&\r\n')),
    ).toEqual([]);
  });

  test('keeps the characters of a value, and names that are those of a prototype', () => {
    const value = `<Ünïcode> & "quotes" 'too' 😀\tand tabs`;
    const attributes = JSON.parse('{"__proto__":["x"],"constructor":["y"]}') as Record<string, string[]>;
    const { verified } = verify(saying({ nameId: value, attributes }));
    expect(verified?.claims.nameId).toBe(value);
    expect(Object.entries(verified?.claims.attributes ?? {})).toEqual([
      ['__proto__', ['x']],
      ['constructor', ['y']],
    ]);
  });

  test('names a person to the last character, so that no two spellings are one', () => {
    for (const nameId of ['admin', 'admin\u00A0', '\uFEFFadmin', '\u3000admin', ' admin'])
      expect(verify(saying({ nameId })).verified?.claims.nameId).toBe(nameId);
    for (const nameId of [' ', '\u00A0']) expect(failed(saying({ nameId }))).toEqual(['subject']);
    const issuer = `${idp.entityId}\u00A0`;
    expect(failed(saying({ issuer }))).toEqual(['issuer']);
    expect(failed(saying({ issuer: ` ${idp.entityId}\n` }))).toEqual([]);
  });

  test('may be signed as a whole as well', () => {
    const once = idp.sign(idp.response(said, idp.assertion(said)));
    const twice = idp.sign(once, { references: [RESPONSE], location: AFTER_RESPONSE_ISSUER });
    expect(failed(encode(twice))).toEqual([]);
  });

  test('may be a minute early or late', () => {
    expect(failed(saying({ notBeforeMs: NOW_MS + 60_000, nowMs: NOW_MS + 60_000 }))).toEqual([]);
    expect(failed(saying({ notOnOrAfterMs: NOW_MS - 59_999 }))).toEqual([]);
  });
});

describe('a response is refused', () => {
  test.each<[string, Partial<SaidByIdp>, string]>([
    ['by another issuer', { issuer: 'https://other.example' }, 'issuer'],
    ['for another audience', { audience: 'https://other.example' }, 'audience'],
    ['to another recipient', { recipient: 'https://auth.example/sso/saml/other/acs' }, 'recipient'],
    ['to another destination', { destination: 'https://auth.example/sso/saml/other/acs' }, 'destination'],
    ['with another method', { method: 'urn:oasis:names:tc:SAML:2.0:cm:sender-vouches' }, 'method'],
    ['to another request', { inResponseTo: '_request-2' }, 'inResponseTo'],
    ['to no request', { inResponseTo: null }, 'inResponseTo'],
    ['that is not valid yet', { notBeforeMs: NOW_MS + 60_001 }, 'time'],
    ['that was issued in the future', { nowMs: NOW_MS + 60_001 }, 'time'],
    ['that expired', { notOnOrAfterMs: NOW_MS - 60_000 }, 'time'],
    [
      'with a status that is no success',
      { status: 'urn:oasis:names:tc:SAML:2.0:status:Responder' },
      'status',
    ],
    ['with a NameID for one time', { nameIdFormat: SAML.transient }, 'subject'],
    ['without a NameID', { nameId: '' }, 'subject'],
  ])('%s', (_, changes, check) => {
    expect(failed(saying(changes))).toEqual([check]);
  });

  test('with the reason of its status if it has no assertion', () => {
    const xml = idp.response({ ...said, status: 'urn:oasis:names:tc:SAML:2.0:status:Responder' }, '');
    expect(failed(encode(xml))).toEqual(['status']);
  });

  test('if only the response around the assertion names the request', () => {
    const xml = idp.response(said, idp.assertion({ ...said, inResponseTo: null }));
    expect(failed(encode(idp.sign(xml)))).toEqual(['inResponseTo']);
  });

  test.each<[string, (signed: string) => string, string]>([
    ['without a destination', (xml) => xml.replace(/ Destination="[^"]*"/, ''), 'destination'],
    ['without a status', (xml) => xml.replace(/<samlp:Status>.*<\/samlp:Status>/, ''), 'status'],
    ['without an assertion', (xml) => xml.replace(/<saml:Assertion.*<\/saml:Assertion>/s, ''), 'response'],
    [
      'that is another message',
      (xml) => xml.replaceAll('samlp:Response', 'samlp:LogoutResponse'),
      'response',
    ],
  ])('%s', (_, change, check) => {
    expect(failed(encode(change(idp.sign(idp.response(said, idp.assertion(said))))))).toContain(check);
  });

  test.each<[string, (assertion: string) => string, string]>([
    ['without an audience', (xml) => xml.replace(/<saml:AudienceRestriction>.*Restriction>/, ''), 'audience'],
    [
      'with a second audience restriction that is not met',
      (xml) =>
        xml.replace(
          '</saml:Conditions>',
          '<saml:AudienceRestriction><saml:Audience>https://other.example</saml:Audience></saml:AudienceRestriction></saml:Conditions>',
        ),
      'audience',
    ],
    [
      'with an unknown condition',
      (xml) => xml.replace('</saml:Conditions>', '<saml:Condition/></saml:Conditions>'),
      'audience',
    ],
    ['without conditions', (xml) => xml.replace(/<saml:Conditions.*<\/saml:Conditions>/, ''), 'audience'],
    [
      'with two confirmations',
      (xml) =>
        xml.replace(
          '<saml:SubjectConfirmation ',
          `<saml:SubjectConfirmation Method="${SAML.bearer}"/><saml:SubjectConfirmation `,
        ),
      'recipient',
    ],
    [
      'without an end',
      (xml) => xml.replace(/(<saml:SubjectConfirmationData) NotOnOrAfter="[^"]*"/, '$1'),
      'time',
    ],
    [
      'with a time in another zone',
      (xml) => xml.replace(/IssueInstant="([^"]*)Z"/, 'IssueInstant="$1+02:00"'),
      'time',
    ],
    [
      'whose session is over',
      (xml) => xml.replace('SessionIndex', 'SessionNotOnOrAfter="2030-05-17T11:00:00Z" SessionIndex'),
      'time',
    ],
    [
      'without a sign-in',
      (xml) => xml.replace(/<saml:AuthnStatement.*<\/saml:AuthnStatement>/, ''),
      'subject',
    ],
    ['with two people', (xml) => xml.replace(/<saml:NameID.*<\/saml:NameID>/, '$&$&'), 'subject'],
  ])('%s, although it is signed', (_, change, check) => {
    const xml = idp.response(said, change(idp.assertion(said)));
    expect(failed(encode(idp.sign(xml)))).toContain(check);
  });
});

describe('a signature is refused', () => {
  const response = idp.response(said, idp.assertion(said));
  const sign = (options: SignOptions) => encode(idp.sign(response, options));

  test.each<[string, () => string]>([
    ['if there is none', () => encode(response)],
    ['of another key', () => sign({ key: other.privateKey })],
    ['of another key that names itself', () => sign({ key: other.privateKey, keyInfo: other.certificate })],
    ['over the response alone', () => sign({ references: [RESPONSE], location: AFTER_RESPONSE_ISSUER })],
    ['over the response, inside of the assertion', () => sign({ references: [RESPONSE] })],
    ['over two elements', () => sign({ references: [ASSERTION, `${ASSERTION}/*[local-name(.)='Subject']`] })],
    ['with RSA and SHA-1', () => sign({ algorithm: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1' })],
    ['over a digest of SHA-1', () => sign({ digest: 'http://www.w3.org/2000/09/xmldsig#sha1' })],
    [
      'with HMAC and the public key as its secret',
      () =>
        sign({
          algorithm: 'http://www.w3.org/2000/09/xmldsig#hmac-sha1',
          hmacSecret: createPublicKey(idp.privateKey).export({ type: 'spki', format: 'pem' }).toString(),
        }),
    ],
    ['canonicalized inclusively', () => sign({ canonicalization: INCLUSIVE })],
    ['with an inclusive transform', () => sign({ transforms: [SAML.enveloped, INCLUSIVE] })],
    ['with comments', () => sign({ transforms: [SAML.enveloped, `${SAML.exclusive}WithComments`] })],
    ['without the enveloped transform', () => sign({ transforms: [SAML.exclusive] })],
    ['with a transform twice', () => sign({ transforms: [SAML.enveloped, SAML.exclusive, SAML.exclusive] })],
  ])('%s', (_, make) => {
    expect(failed(make())).toEqual(['signature']);
  });

  test.each<[string, (signed: string) => string]>([
    [
      'with a transform of XSLT',
      (xml) =>
        xml.replace(
          '<ds:Transforms>',
          '<ds:Transforms><ds:Transform Algorithm="http://www.w3.org/TR/1999/REC-xslt-19991116"><xsl:stylesheet xmlns:xsl="http://www.w3.org/1999/XSL/Transform"/></ds:Transform>',
        ),
    ],
    [
      'with a transform of XPath',
      (xml) =>
        xml.replace(
          `Algorithm="${SAML.exclusive}"/></ds:Transforms>`,
          'Algorithm="http://www.w3.org/TR/1999/REC-xpath-19991116"><ds:XPath>self::text()</ds:XPath></ds:Transform></ds:Transforms>',
        ),
    ],
    ['with an empty reference', (xml) => xml.replace(/URI="[^"]*"/, 'URI=""')],
    ['without a reference', (xml) => xml.replace(/ URI="[^"]*"/, '')],
    ['with an object', (xml) => xml.replace('</ds:Signature>', '<ds:Object>x</ds:Object></ds:Signature>')],
    ['with two values', (xml) => xml.replace(/<ds:SignatureValue>.*<\/ds:SignatureValue>/s, '$&$&')],
    ['with two digests', (xml) => xml.replace(/<ds:DigestValue>.*<\/ds:DigestValue>/s, '$&$&')],
    ['with two descriptions', (xml) => xml.replace(/<ds:SignedInfo>.*<\/ds:SignedInfo>/s, '$&$&')],
    ['with an empty value', (xml) => xml.replace(/(<ds:SignatureValue>).*(<\/ds:SignatureValue>)/s, '$1$2')],
    ['twice', (xml) => xml.replace(/<ds:Signature .*<\/ds:Signature>/s, '$&$&')],
    [
      'of another element of the name',
      (xml) => xml.replace(`xmlns:ds="${SAML.signature}"`, 'xmlns:ds="urn:other"'),
    ],
    ['if the person was changed', (xml) => xml.replace('ada-17', 'eve-99')],
    ['if a space was added', (xml) => xml.replace('ada-17<', 'ada-17 <')],
    ['if an attribute was added', (xml) => xml.replace('<saml:NameID ', '<saml:NameID SPNameQualifier="x" ')],
    ['if the ID was changed', (xml) => xml.replaceAll(said.assertionId, '_other')],
    [
      'if another element has the ID',
      (xml) => xml.replace('<samlp:Status>', `<samlp:Status Id="${said.assertionId}">`),
    ],
  ])('%s', (_, change) => {
    const signed = idp.sign(response);
    const changed = change(signed);
    expect(changed).not.toBe(signed);
    expect(failed(encode(changed))).toContain('signature');
  });

  test('with RSA of 1,024 bits', () => {
    const weak = createSamlIdentityProvider({ bits: 1_024 });
    expect(failed(weak.answer(saidByIdp(weak, OURS)), weak)).toEqual(['signature']);
  });

  test('with a certificate whose end cannot be read', () => {
    const der = Buffer.from(idp.certificate, 'base64').toString('latin1');
    const spoilt = der.replace('400101000000Z', '4x0101000000Z');
    expect(spoilt).not.toBe(der);
    expect(readSamlKey(Buffer.from(spoilt, 'latin1').toString('base64'))).toBeUndefined();
  });

  test('with a name of an algorithm for another kind of key', () => {
    const curve = createSamlIdentityProvider({ kind: 'ec' });
    const sent = Buffer.from(curve.answer(saidByIdp(curve, OURS)), 'base64').toString();
    expect(failed(encode(sent.replace('#ecdsa-sha256', '#rsa-sha256')), curve)).toEqual(['signature']);
  });
});

describe('a description of what is signed is refused before any work is done for it', () => {
  const signed = idp.sign(idp.response(said, idp.assertion(said)));
  const prefixes = (count: number) => Array.from({ length: count }, (_, at) => `p${at}`).join(' ');
  const listing = (list: string) =>
    signed.replace(
      /<ds:CanonicalizationMethod ([^>]*)\/>/,
      `<ds:CanonicalizationMethod $1><x:InclusiveNamespaces xmlns:x="${SAML.exclusive}" PrefixList="${list}"/></ds:CanonicalizationMethod>`,
    );
  const many = (count: number) => '<z:b/>'.repeat(count);

  test.each<[string, string, string]>([
    ['with 21 prefixes', listing(prefixes(21)), 'The signature lists more than 20 prefixes.'],
    ['with 12,000 prefixes', listing(prefixes(12_000)), 'The signature lists more than 20 prefixes.'],
    [
      'with a thousand elements of a long namespace',
      signed
        .replace('<samlp:Response ', `<samlp:Response xmlns:z="urn:${'z'.repeat(60_000)}" `)
        .replace('<ds:DigestMethod', `${many(1_000)}<ds:DigestMethod`),
      'The signature has more parts than it needs.',
    ],
    [
      'with a fourth part',
      signed.replace('</ds:SignedInfo>', '<ds:SignatureMethod/></ds:SignedInfo>'),
      'The signature does not have one reference.',
    ],
  ])('%s', (_, xml, problem) => {
    expect(xml).not.toBe(signed);
    expect(verify(encode(xml)).verdicts.at(-1)).toEqual({ check: 'signature', passed: false, problem });
  });

  test('but a prefix that is listed again counts once', () => {
    const { verdicts } = verify(encode(listing('saml '.repeat(5_000))));
    expect(verdicts.at(-1)?.problem).toBe('No key of the identity provider made the signature.');
  });

  test('and the text that is hashed grows to twice the size of a message at most', () => {
    const sent = `<a xmlns:z="urn:${'z'.repeat(60_000)}">${many(1_000)}</a>`;
    expect(() => canonicalXml(readXml(sent), { inclusivePrefixes: [] })).toThrow(
      'Its canonical form is too long.',
    );
    const honest = `<a xmlns:z="urn:z">${many(1_000)}</a>`;
    expect(canonicalXml(readXml(honest), { inclusivePrefixes: [] })).toBe(
      `<a>${'<z:b xmlns:z="urn:z"></z:b>'.repeat(1_000)}</a>`,
    );
  });
});

describe('a signed assertion that was wrapped is refused:', () => {
  const signed = idp.sign(idp.response(said, idp.assertion(said)));
  const whole = idp.sign(idp.response(said, idp.assertion(said)), {
    references: [RESPONSE],
    location: AFTER_RESPONSE_ISSUER,
  });
  const [assertion = ''] = /<saml:Assertion.*<\/saml:Assertion>/s.exec(signed) ?? [];
  const [signature = ''] = /<ds:Signature .*<\/ds:Signature>/s.exec(signed) ?? [];
  const bare = assertion.replace(signature, '');
  const evil = bare.replace('ada-17', 'eve-99');
  const evilWithId = (id: string) => evil.replace(said.assertionId, id);
  const [wholeSignature = ''] = /<ds:Signature .*<\/ds:Signature>/s.exec(whole) ?? [];
  const evilWhole = whole.replace('ada-17', 'eve-99').replace(`ID="_r`, `ID="_evil`);
  const inside = (parent: string, name: string, child: string) =>
    parent.replace(`</${name}>`, `${child}</${name}>`);

  test.each<[string, string]>([
    [
      'XSW1',
      evilWhole.replace(
        wholeSignature,
        inside(wholeSignature, 'ds:Signature', whole.replace(wholeSignature, '')),
      ),
    ],
    ['XSW2', evilWhole.replace(wholeSignature, whole.replace(wholeSignature, '') + wholeSignature)],
    ['XSW3', signed.replace(assertion, evilWithId('_evil') + assertion)],
    ['XSW4', signed.replace(assertion, inside(evilWithId('_evil'), 'saml:Assertion', assertion))],
    [
      'XSW5',
      signed.replace(
        assertion,
        evilWithId('_evil').replace('</saml:Issuer>', `</saml:Issuer>${signature}`) + bare,
      ),
    ],
    [
      'XSW6',
      signed.replace(
        assertion,
        evilWithId('_evil').replace(
          '</saml:Issuer>',
          `</saml:Issuer>${inside(signature, 'ds:Signature', bare)}`,
        ),
      ),
    ],
    ['XSW7', signed.replace(assertion, `<samlp:Extensions>${evil}</samlp:Extensions>${assertion}`)],
    [
      'XSW8',
      signed.replace(
        assertion,
        evil.replace(
          '</saml:Issuer>',
          `</saml:Issuer>${inside(signature, 'ds:Signature', `<ds:Object>${bare}</ds:Object>`)}`,
        ),
      ),
    ],
    [
      'an assertion of another namespace',
      signed.replace(assertion, evilWithId('_e').replace(SAML.assertion, 'urn:x') + assertion),
    ],
    [
      'an assertion of the first version',
      signed.replace(assertion, `<Assertion>eve</Assertion>${assertion}`),
    ],
    [
      'an encrypted one beside it',
      signed.replace(assertion, `${assertion}<saml:EncryptedAssertion xmlns:saml="${SAML.assertion}"/>`),
    ],
    ['the whole response as a child of another', `<x>${signed}</x>`],
  ])('%s', (_, xml) => {
    const { verdicts, verified } = verify(encode(xml));
    expect(verified).toBeNull();
    expect(verdicts.at(-1)).toMatchObject({
      passed: false,
      check: expect.stringMatching(/^(response|signature)$/),
    });
  });
});

describe('a text is unreadable', () => {
  const signed = idp.sign(idp.response(said, idp.assertion(said)));

  test.each<[string, string]>([
    ['with a document type', `<!DOCTYPE x [<!ENTITY e "x">]>${signed}`],
    ['with a comment in the NameID', signed.replace('ada-17', 'ada-17<!-- -->.evil')],
    ['with CDATA', signed.replace('ada-17', '<![CDATA[ada-17]]>')],
    ['with a processing instruction in the NameID', signed.replace('ada-17', 'ada-17<?x y?>.evil')],
    ['with a declaration in the middle', signed.replace('ada-17', '<?xml version="1.0"?>ada-17')],
    ['in another encoding', `<?xml version="1.0" encoding="UTF-16"?>${signed}`],
    ['of another version', `<?xml version="1.1"?>${signed}`],
    ['with an unknown entity', signed.replace('ada-17', '&e;')],
    ['with an entity without an end', signed.replace('ada-17', 'ada&amp')],
    ['with a reference to no character', signed.replace('ada-17', '&#0;')],
    ['with a reference to a surrogate', signed.replace('ada-17', '&#xD800;')],
    ['with NUL', signed.replace('ada-17', 'ada\0')],
    ['with two roots', `${signed}${signed}`],
    ['with text behind the root', `${signed}x`],
    ['with an attribute twice', signed.replace('Version="2.0"', 'Version="2.0" Version="2.0"')],
    ['with an attribute of one namespace twice', '<a xmlns:x="urn:x" xmlns:y="urn:x" x:b="1" y:b="2"/>'],
    ['with a prefix that nothing declares', signed.replace('<samlp:Status>', '<q:Status>')],
    ['with a prefix that cannot be declared', '<a xmlns:xml="urn:x"/>'],
    ['with a prefix without a namespace', '<a xmlns:x=""/>'],
    ['with tags that cross', '<a><b></a></b>'],
    ['with an end tag alone', '</a>'],
    ['without the end of a tag', '<a b="c"'],
    ['with a bare attribute', '<a b/>'],
    ['with attributes side by side', '<a b="c"d="e"/>'],
    ['with a tag in an attribute', '<a b="<"/>'],
    ['with 33 levels', '<a>'.repeat(33) + '</a>'.repeat(33)],
    ['with 2,001 elements', `<a>${'<a/>'.repeat(2_000)}</a>`],
    ['with 41 attributes', `<a ${Array.from({ length: 41 }, (_, at) => `a${at}="x"`).join(' ')}/>`],
    ['of more than 96 kB', `<a>${'x'.repeat(96 * 1024)}</a>`],
    ['of 60 kB of tags without end', '<a>'.repeat(20_000)],
    ['of 60 kB of attributes without end', `<a ${'a="" '.repeat(12_000)}`],
    ['of 60 kB of spaces in a tag', `<a${' '.repeat(60_000)}`],
    ['of 60 kB of ampersands', `<a>${'&'.repeat(60_000)}</a>`],
    ['that is empty', ''],
    ['that is no XML', 'SAML'],
  ])('%s', (_, xml) => {
    const startedMs = performance.now();
    expect(verify(encode(xml)).verdicts).toEqual([
      { check: 'readable', passed: false, problem: expect.stringMatching(/^Its? .*\.$/) },
    ]);
    // Some of these took a common SAML library eight seconds.
    expect(performance.now() - startedMs).toBeLessThan(4_000);
  });

  test.each([
    ['that is not Base64', '<samlp:Response/>'],
    ['with a remainder', 'QUJD='],
    ['that is not UTF-8', Buffer.of(0x3c, 0xff, 0x3e).toString('base64')],
    ['of a megabyte', 'A'.repeat(1_048_576)],
  ])('%s', (_, sent) => {
    expect(failed(sent)).toEqual(['readable']);
  });
});
