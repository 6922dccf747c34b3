import { describe, expect, test } from 'vitest';
import { createSamlForms, encodeSaml, signedTwice } from '../test/saml-forms.js';
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
const forms = createSamlForms(OURS);
const { idp, said, signed } = forms;

function verify(sent: string, provider = idp) {
  const key = readSamlKey(provider.certificate);
  return verifySamlResponse(sent, {
    ...OURS,
    issuer: provider.entityId,
    keys: key === undefined ? [] : [key.publicKey],
    decryptionKeys: [],
  });
}

/** The checks that fail for what an identity provider sends. */
function failed(sent: string, provider = idp): string[] {
  const { verdicts, verified } = verify(sent, provider);
  const checks = verdicts.filter(({ passed }) => !passed).map(({ check }) => check);
  expect(verified === null).toBe(checks.length > 0);
  return checks;
}

const saying = (changes: Partial<SaidByIdp>, options?: SignOptions) =>
  idp.answer({ ...said, ...changes }, options);

describe('a valid SAML response', () => {
  test('returns what its signed assertion says', () => {
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

  test('may list inclusive prefixes, have a declaration, and contain line breaks', () => {
    const xml = idp.sign(idp.response(said, idp.assertion(said)), { prefixes: ['xs', 'saml'] });
    expect(
      failed(encodeSaml(`<?xml version="1.0" encoding="UTF-8"?>\n${xml}`).replaceAll(/.{76}/g, '$&\r\n')),
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

  test('identifies a person by every character, so that different spellings are different people', () => {
    for (const nameId of ['admin', 'admin\u00A0', '\uFEFFadmin', '\u3000admin', ' admin'])
      expect(verify(saying({ nameId })).verified?.claims.nameId).toBe(nameId);
    for (const nameId of [' ', '\u00A0']) expect(failed(saying({ nameId }))).toEqual(['subject']);
    const issuer = `${idp.entityId}\u00A0`;
    expect(failed(saying({ issuer }))).toEqual(['issuer']);
    expect(failed(saying({ issuer: ` ${idp.entityId}\n` }))).toEqual([]);
  });

  test('may also be signed as a whole', () => {
    expect(failed(encodeSaml(signedTwice(idp, signed)))).toEqual([]);
  });

  test('may be a minute early or late', () => {
    expect(failed(saying({ notBeforeMs: NOW_MS + 60_000, nowMs: NOW_MS + 60_000 }))).toEqual([]);
    expect(failed(saying({ notOnOrAfterMs: NOW_MS - 59_999 }))).toEqual([]);
  });
});

describe('a SAML response is refused:', () => {
  test.each(forms.misdirected)('%s', (_, make, check) => {
    expect(failed(make())).toEqual([check]);
  });

  test.each(forms.incomplete)('%s', (_, make, check) => {
    expect(failed(make())).toContain(check);
  });
});

test('an encrypted NameID is refused, with what to do instead', () => {
  const encrypted = '<saml:EncryptedID>x</saml:EncryptedID>';
  const assertion = idp.assertion(said).replace(/<saml:NameID.*<\/saml:NameID>/, encrypted);
  const { verdicts } = verify(encodeSaml(idp.sign(idp.response(said, assertion))));
  expect(verdicts.filter(({ passed }) => !passed)).toEqual([
    {
      check: 'subject',
      passed: false,
      problem: 'The NameID is encrypted. Encrypt the whole assertion instead.',
    },
  ]);
});

describe('a SAML signature is refused', () => {
  test.each(forms.missigned)('that was made %s', (_, make) => {
    expect(failed(make())).toEqual(['signature']);
  });

  test.each(forms.changed)('on an answer that was changed %s', (_, make) => {
    expect(failed(make())).toContain('signature');
  });

  test('with a sentence that says where there is one, and where there is none', () => {
    const told = (name: string) => {
      const make = forms.missigned.find(([each]) => each === name)?.[1];
      return verify(make?.() ?? '').verdicts.at(-1)?.problem;
    };
    expect(told('by nobody')).toBe('It is not signed.');
    expect(told('over the response alone')).toBe('The response is signed, and its assertion is not.');
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

  test('with an algorithm for another kind of key', () => {
    const curve = createSamlIdentityProvider({ kind: 'ec' });
    const sent = Buffer.from(curve.answer(saidByIdp(curve, OURS)), 'base64').toString();
    expect(failed(encodeSaml(sent.replace('#ecdsa-sha256', '#rsa-sha256')), curve)).toEqual(['signature']);
  });
});

describe('a reference to signed data is refused before any work is done for it:', () => {
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
    expect(verify(encodeSaml(xml)).verdicts.at(-1)).toEqual({ check: 'signature', passed: false, problem });
  });

  test('a prefix that is listed again in signed data is used once', () => {
    const { verdicts } = verify(encodeSaml(listing('saml '.repeat(5_000))));
    expect(verdicts.at(-1)?.problem).toBe('No key of the identity provider made the signature.');
  });

  test('the text that is hashed grows to at most twice the size of a message', () => {
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

describe('a wrapped signed assertion is refused:', () => {
  test.each(forms.wrapped)('%s', (_, make) => {
    const { verdicts, verified } = verify(make());
    expect(verified).toBeNull();
    expect(verdicts.at(-1)).toMatchObject({
      passed: false,
      check: expect.stringMatching(/^(response|signature)$/),
    });
  });
});

describe('XML text is unreadable:', () => {
  test.each(forms.unreadable)('%s', (_, make) => {
    const sent = make();
    const startedMs = performance.now();
    expect(verify(sent).verdicts).toEqual([
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
