import { createPublicKey } from 'node:crypto';
import { SAML } from '../sso/saml-names.js';
import {
  createSamlIdentityProvider,
  type SaidByIdp,
  type SamlIdentityProvider,
  type SignOptions,
  saidByIdp,
} from './saml-identity-provider.js';

/** What an honest answer is for. */
export interface AskedSaml {
  readonly ourEntityId: string;
  readonly acsUrl: string;
  readonly requestId: string;
  readonly nowMs: number;
}

/** A name, and how an answer is made, as the field of the form has it. */
type Answers = readonly (readonly [name: string, make: () => string])[];

/** The same, with the check that it fails. */
type CheckedAnswers = readonly (readonly [name: string, make: () => string, check: string])[];

const ASSERTION = "//*[local-name(.)='Assertion']";
const RESPONSE = "/*[local-name(.)='Response']";
export const AFTER_RESPONSE_ISSUER = {
  reference: `${RESPONSE}/*[local-name(.)='Issuer']`,
  action: 'after',
} as const;
const INCLUSIVE = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315';
const RESPONDER = 'urn:oasis:names:tc:SAML:2.0:status:Responder';

export const encodeSaml = (xml: string): string => Buffer.from(xml).toString('base64');

/** An answer of an identity provider whose people are known, and every way to tamper with it. */
export interface SamlForms {
  readonly idp: SamlIdentityProvider;
  readonly said: SaidByIdp;
  readonly signed: string;
  readonly good: Answers;
  /** Signed correctly, for another person or another time: each fails only one check. */
  readonly misdirected: CheckedAnswers;
  /** Signed correctly, with one part missing or one too many. */
  readonly incomplete: CheckedAnswers;
  /** Signed incorrectly: each fails only the check of the signature. */
  readonly missigned: Answers;
  /** Changed once they were signed. */
  readonly changed: Answers;
  /** With an assertion of the sender beside, around or inside a signed one. */
  readonly wrapped: Answers;
  /** Texts that are not a document of the kind that is read. */
  readonly unreadable: Answers;
}

/** Makes the answers for one request. */
export function createSamlForms(asked: AskedSaml): SamlForms {
  const idp = createSamlIdentityProvider();
  const other = createSamlIdentityProvider();
  const said = saidByIdp(idp, asked);
  const { nowMs } = asked;
  const response = idp.response(said, idp.assertion(said));
  const signed = idp.sign(response);
  const whole = idp.sign(response, { references: [RESPONSE], location: AFTER_RESPONSE_ISSUER });

  const saying = (changes: Partial<SaidByIdp>, options?: SignOptions) =>
    idp.answer({ ...said, ...changes }, options);
  const signedWith = (options: SignOptions) => encodeSaml(idp.sign(response, options));
  const changing = (before: string, change: (xml: string) => string): string => {
    const after = change(before);
    if (after === before) throw new Error('Nothing was changed');
    return after;
  };
  /** A signed answer that is changed afterwards. */
  const after = (change: (xml: string) => string) => () => encodeSaml(changing(signed, change));
  /** An assertion that is changed before it is signed. */
  const before = (change: (xml: string) => string) => () =>
    encodeSaml(idp.sign(idp.response(said, changing(idp.assertion(said), change))));
  const text = (xml: string) => () => encodeSaml(xml);

  return {
    idp,
    said,
    signed,
    good: [
      ['as it should be', () => saying({})],
      ['with SHA-512', () => saying({}, { algorithm: rsa('sha512'), digest: `${SAML.encryption}sha512` })],
      ['with inclusive prefixes', () => signedWith({ prefixes: ['xs', 'saml'] })],
      ['signed as a whole as well', () => encodeSaml(signedTwice(idp, signed))],
      ['with a declaration', () => encodeSaml(`<?xml version="1.0" encoding="UTF-8"?>\n${signed}`)],
      ['with characters of every kind', () => saying({ nameId: `<Ünïcode> & "quotes" 'too' 😀` })],
    ],
    misdirected: [
      ['by another issuer', () => saying({ issuer: 'https://other.example' }), 'issuer'],
      ['for another audience', () => saying({ audience: 'https://other.example' }), 'audience'],
      ['to another recipient', () => saying({ recipient: `${asked.acsUrl}/other` }), 'recipient'],
      ['to another destination', () => saying({ destination: `${asked.acsUrl}/other` }), 'destination'],
      [
        'with another method',
        () => saying({ method: 'urn:oasis:names:tc:SAML:2.0:cm:sender-vouches' }),
        'method',
      ],
      ['to another request', () => saying({ inResponseTo: '_request-2' }), 'inResponseTo'],
      ['to no request', () => saying({ inResponseTo: null }), 'inResponseTo'],
      ['that is not valid yet', () => saying({ notBeforeMs: nowMs + 60_001 }), 'time'],
      ['that was issued in the future', () => saying({ nowMs: nowMs + 60_001 }), 'time'],
      ['that expired', () => saying({ notOnOrAfterMs: nowMs - 60_000 }), 'time'],
      ['with a status that is no success', () => saying({ status: RESPONDER }), 'status'],
      ['with a NameID for one time', () => saying({ nameIdFormat: SAML.transient }), 'subject'],
      ['without a NameID', () => saying({ nameId: '' }), 'subject'],
      [
        'whose response alone names the request',
        () => encodeSaml(idp.sign(idp.response(said, idp.assertion({ ...said, inResponseTo: null })))),
        'inResponseTo',
      ],
      [
        'with the reason of its status and no assertion',
        () => encodeSaml(idp.response({ ...said, status: RESPONDER }, '')),
        'status',
      ],
    ],
    incomplete: [
      ['without a destination', after((xml) => xml.replace(/ Destination="[^"]*"/, '')), 'destination'],
      ['without a status', after((xml) => xml.replace(/<samlp:Status>.*<\/samlp:Status>/, '')), 'status'],
      [
        'without an assertion',
        after((xml) => xml.replace(/<saml:Assertion.*<\/saml:Assertion>/s, '')),
        'response',
      ],
      [
        'that is another message',
        after((xml) => xml.replaceAll('samlp:Response', 'samlp:LogoutResponse')),
        'response',
      ],
      ['of another version', after((xml) => xml.replace('Version="2.0"', 'Version="1.1"')), 'response'],
      ['without a name', after((xml) => xml.replace(/ ID="_r[^"]*"/, '')), 'response'],
      ['without its time', after((xml) => xml.replace(/ IssueInstant="[^"]*"/, '')), 'response'],
      ['with two status codes', after((xml) => xml.replace(/<samlp:StatusCode [^>]*>/, '$&$&')), 'status'],
      [
        'with two statuses',
        after((xml) => xml.replace(/<samlp:Status>.*<\/samlp:Status>/, '$&$&')),
        'response',
      ],
      [
        'with a part that is not known',
        after((xml) => xml.replace('<samlp:Status>', '<samlp:Other/><samlp:Status>')),
        'response',
      ],
      [
        'whose issuer is another than that of its assertion',
        after((xml) => xml.replace('https://idp.example/saml', 'https://other.example')),
        'issuer',
      ],
      [
        'with the signature in its status',
        after((xml) =>
          xml.replace(
            '</samlp:Status>',
            `${/<ds:Signature .*<\/ds:Signature>/s.exec(xml)?.[0] ?? ''}</samlp:Status>`,
          ),
        ),
        'response',
      ],
      [
        'without an audience',
        before((xml) => xml.replace(/<saml:AudienceRestriction>.*Restriction>/, '')),
        'audience',
      ],
      [
        'with a second audience restriction that is not met',
        before((xml) =>
          xml.replace(
            '</saml:Conditions>',
            '<saml:AudienceRestriction><saml:Audience>https://other.example</saml:Audience></saml:AudienceRestriction></saml:Conditions>',
          ),
        ),
        'audience',
      ],
      [
        'with an unknown condition',
        before((xml) => xml.replace('</saml:Conditions>', '<saml:Condition/></saml:Conditions>')),
        'audience',
      ],
      [
        'without conditions',
        before((xml) => xml.replace(/<saml:Conditions.*<\/saml:Conditions>/, '')),
        'audience',
      ],
      [
        'with two confirmations',
        before((xml) =>
          xml.replace(
            '<saml:SubjectConfirmation ',
            `<saml:SubjectConfirmation Method="${SAML.bearer}"/><saml:SubjectConfirmation `,
          ),
        ),
        'recipient',
      ],
      [
        'without an end',
        before((xml) => xml.replace(/(<saml:SubjectConfirmationData) NotOnOrAfter="[^"]*"/, '$1')),
        'time',
      ],
      [
        'with a time in another zone',
        before((xml) => xml.replace(/IssueInstant="([^"]*)Z"/, 'IssueInstant="$1+02:00"')),
        'time',
      ],
      [
        'whose session is over',
        before((xml) =>
          xml.replace(
            'SessionIndex',
            `SessionNotOnOrAfter="${new Date(nowMs - 3_600_000).toISOString()}" SessionIndex`,
          ),
        ),
        'time',
      ],
      [
        'without a sign-in',
        before((xml) => xml.replace(/<saml:AuthnStatement.*<\/saml:AuthnStatement>/, '')),
        'subject',
      ],
      ['with two people', before((xml) => xml.replace(/<saml:NameID.*<\/saml:NameID>/, '$&$&')), 'subject'],
    ],
    missigned: [
      ['by nobody', text(response)],
      ['with another key', () => signedWith({ key: other.privateKey })],
      [
        'with another key that names itself',
        () => signedWith({ key: other.privateKey, keyInfo: other.certificate }),
      ],
      ['over the response alone', text(whole)],
      ['over the response, inside of the assertion', () => signedWith({ references: [RESPONSE] })],
      [
        'over two elements',
        () => signedWith({ references: [ASSERTION, `${ASSERTION}/*[local-name(.)='Subject']`] }),
      ],
      ['with RSA and SHA-1', () => signedWith({ algorithm: `${SAML.signature}rsa-sha1` })],
      ['over a digest of SHA-1', () => signedWith({ digest: `${SAML.signature}sha1` })],
      [
        'with HMAC and the public key as its secret',
        () =>
          signedWith({
            algorithm: `${SAML.signature}hmac-sha1`,
            hmacSecret: createPublicKey(idp.privateKey).export({ type: 'spki', format: 'pem' }).toString(),
          }),
      ],
      ['canonicalized inclusively', () => signedWith({ canonicalization: INCLUSIVE })],
      ['with an inclusive transform', () => signedWith({ transforms: [SAML.enveloped, INCLUSIVE] })],
      ['with comments', () => signedWith({ transforms: [SAML.enveloped, `${SAML.exclusive}WithComments`] })],
      ['without the enveloped transform', () => signedWith({ transforms: [SAML.exclusive] })],
      [
        'with a transform twice',
        () => signedWith({ transforms: [SAML.enveloped, SAML.exclusive, SAML.exclusive] }),
      ],
    ],
    changed: [
      [
        'with a transform of XSLT',
        after((xml) =>
          xml.replace(
            '<ds:Transforms>',
            '<ds:Transforms><ds:Transform Algorithm="http://www.w3.org/TR/1999/REC-xslt-19991116"><xsl:stylesheet xmlns:xsl="http://www.w3.org/1999/XSL/Transform"/></ds:Transform>',
          ),
        ),
      ],
      [
        'with a transform of XPath',
        after((xml) =>
          xml.replace(
            `Algorithm="${SAML.exclusive}"/></ds:Transforms>`,
            'Algorithm="http://www.w3.org/TR/1999/REC-xpath-19991116"><ds:XPath>self::text()</ds:XPath></ds:Transform></ds:Transforms>',
          ),
        ),
      ],
      ['with an empty reference', after((xml) => xml.replace(/URI="[^"]*"/, 'URI=""'))],
      ['without a reference', after((xml) => xml.replace(/ URI="[^"]*"/, ''))],
      [
        'with an object',
        after((xml) => xml.replace('</ds:Signature>', '<ds:Object>x</ds:Object></ds:Signature>')),
      ],
      ['with two values', after((xml) => xml.replace(/<ds:SignatureValue>.*<\/ds:SignatureValue>/s, '$&$&'))],
      ['with two digests', after((xml) => xml.replace(/<ds:DigestValue>.*<\/ds:DigestValue>/s, '$&$&'))],
      ['with two descriptions', after((xml) => xml.replace(/<ds:SignedInfo>.*<\/ds:SignedInfo>/s, '$&$&'))],
      [
        'with an empty value',
        after((xml) => xml.replace(/(<ds:SignatureValue>).*(<\/ds:SignatureValue>)/s, '$1$2')),
      ],
      ['with two signatures', after((xml) => xml.replace(/<ds:Signature .*<\/ds:Signature>/s, '$&$&'))],
      [
        'with another element of the name',
        after((xml) => xml.replace(`xmlns:ds="${SAML.signature}"`, 'xmlns:ds="urn:other"')),
      ],
      [
        'by a character in its value',
        after((xml) => xml.replace('</ds:SignatureValue>', '\u00A0</ds:SignatureValue>')),
      ],
      ['of the person', after((xml) => xml.replace('ada-17', 'eve-99'))],
      ['by a space', after((xml) => xml.replace('ada-17<', 'ada-17 <'))],
      ['by an attribute', after((xml) => xml.replace('<saml:NameID ', '<saml:NameID SPNameQualifier="x" '))],
      ['of the ID', after((xml) => xml.replaceAll(said.assertionId, '_other'))],
      [
        'so that another element has the ID',
        after((xml) => xml.replace('<samlp:Status>', `<samlp:Status Id="${said.assertionId}">`)),
      ],
    ],
    wrapped: wrappedIn({ signed, whole, assertionId: said.assertionId }),
    unreadable: unreadableIn(signed),
  };
}

const rsa = (digest: string): string => `http://www.w3.org/2001/04/xmldsig-more#rsa-${digest}`;

/** An answer whose assertion is signed, signed as a whole as well. */
export function signedTwice(idp: SamlIdentityProvider, once: string): string {
  return idp.sign(once, { references: [RESPONSE], location: AFTER_RESPONSE_ISSUER });
}

/** The eight ways to wrap a signature of Somorovsky and others (2012), and some more. */
function wrappedIn({
  signed,
  whole,
  assertionId,
}: {
  signed: string;
  whole: string;
  assertionId: string;
}): Answers {
  const [assertion = ''] = /<saml:Assertion.*<\/saml:Assertion>/s.exec(signed) ?? [];
  const [signature = ''] = /<ds:Signature .*<\/ds:Signature>/s.exec(signed) ?? [];
  const bare = assertion.replace(signature, '');
  const evil = bare.replace('ada-17', 'eve-99');
  const evilWithId = (id: string) => evil.replace(assertionId, id);
  const [wholeSignature = ''] = /<ds:Signature .*<\/ds:Signature>/s.exec(whole) ?? [];
  const evilWhole = whole.replace('ada-17', 'eve-99').replace(`ID="_r`, `ID="_evil`);
  const inside = (parent: string, name: string, child: string) =>
    parent.replace(`</${name}>`, `${child}</${name}>`);
  const behindIssuer = (into: string, child: string) =>
    into.replace('</saml:Issuer>', `</saml:Issuer>${child}`);
  const texts: readonly (readonly [string, string])[] = [
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
    ['XSW5', signed.replace(assertion, behindIssuer(evilWithId('_evil'), signature) + bare)],
    [
      'XSW6',
      signed.replace(assertion, behindIssuer(evilWithId('_evil'), inside(signature, 'ds:Signature', bare))),
    ],
    ['XSW7', signed.replace(assertion, `<samlp:Extensions>${evil}</samlp:Extensions>${assertion}`)],
    [
      'XSW8',
      signed.replace(
        assertion,
        behindIssuer(evil, inside(signature, 'ds:Signature', `<ds:Object>${bare}</ds:Object>`)),
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
  ];
  return texts.map(([name, xml]) => [name, () => encodeSaml(xml)]);
}

function unreadableIn(signed: string): Answers {
  const texts: readonly (readonly [string, string])[] = [
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
  ];
  return texts.map(([name, xml]) => [name, () => encodeSaml(xml)]);
}
