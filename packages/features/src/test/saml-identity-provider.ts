import { generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { createRequire } from 'node:module';
import { deflateRawSync } from 'node:zlib';
import { SAML } from '../sso/saml-names.js';
import { escapeXml } from '../sso/saml-xml.js';
import { selfSignedCertificate } from '../sso/self-signed-certificate.js';

/** The part of xml-crypto that tests use. Its own types bring those of a browser into every file. */
interface XmlCrypto {
  readonly SignedXml: new (options: {
    readonly privateKey: string;
    readonly publicCert?: string;
    readonly signatureAlgorithm: string;
    readonly canonicalizationAlgorithm: string;
    readonly getKeyInfoContent?: () => string | null;
  }) => {
    SignatureAlgorithms: Record<string, unknown>;
    HashAlgorithms: Record<string, unknown>;
    enableHMAC(): void;
    addReference(reference: {
      readonly xpath: string;
      readonly transforms: readonly string[];
      readonly digestAlgorithm: string;
      readonly inclusiveNamespacesPrefixList?: readonly string[];
    }): void;
    computeSignature(
      xml: string,
      options: {
        readonly prefix?: string;
        readonly location: { readonly reference: string; readonly action: 'append' | 'after' };
      },
    ): void;
    getSignedXml(): string;
  };
}

const load = createRequire(import.meta.url);

/** A library without its types. The interface has what its exact version has. */
const loadXmlCrypto = (): XmlCrypto => load('xml-crypto') as XmlCrypto;

const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';
const ECDSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256';
const SHA256 = 'http://www.w3.org/2001/04/xmlenc#sha256';

const ASSERTION = `//*[local-name(.)='Assertion' and namespace-uri(.)='${SAML.assertion}']`;

/** What an assertion and its response say; tests replace parts. */
export interface SaidByIdp {
  readonly issuer: string;
  readonly audience: string;
  readonly recipient: string;
  readonly destination: string;
  readonly method: string;
  /** In the assertion; null leaves it out. */
  readonly inResponseTo: string | null;
  readonly nameId: string;
  readonly nameIdFormat: string;
  readonly attributes: Readonly<Record<string, readonly string[]>>;
  readonly nowMs: number;
  readonly notBeforeMs: number;
  readonly notOnOrAfterMs: number;
  readonly assertionId: string;
  readonly sessionIndex: string;
  readonly status: string;
}

export interface LogoutAsked {
  readonly destination: string;
  readonly nameId: string;
  readonly sessionIndexes: readonly string[];
  readonly nowMs: number;
}

export interface SignOptions {
  readonly key?: KeyObject;
  readonly algorithm?: string;
  readonly digest?: string;
  readonly transforms?: readonly string[];
  readonly canonicalization?: string;
  /** XPath of what is signed, each a reference. */
  readonly references?: readonly string[];
  readonly location?: { readonly reference: string; readonly action: 'append' | 'after' };
  readonly prefixes?: readonly string[];
  readonly hmacSecret?: string;
  readonly keyInfo?: string;
  readonly prefix?: string;
}

export interface SamlIdentityProvider {
  readonly entityId: string;
  readonly privateKey: KeyObject;
  /** In Base64. */
  readonly certificate: string;
  assertion(said: SaidByIdp): string;
  response(said: SaidByIdp, assertion: string): string;
  sign(xml: string, options?: SignOptions): string;
  /** A whole response with a signed assertion, as the form field has it. */
  answer(said: SaidByIdp, options?: SignOptions): string;
  /** A request to sign out, as the text of a query that is signed. */
  logoutQuery(asked: LogoutAsked, relayState?: string): string;
  /** The same, as the signed text of a form field. */
  logoutForm(asked: LogoutAsked): string;
  metadata(urls: { readonly ssoUrl: string; readonly logoutUrl?: string }): string;
}

/** An identity provider of the tests. It signs with xml-crypto, which the service does not use. */
export function createSamlIdentityProvider({
  entityId = 'https://idp.example/saml',
  kind = 'rsa',
  bits = 2_048,
  notAfterMs = Date.UTC(2040, 0),
}: {
  entityId?: string;
  kind?: 'rsa' | 'ec';
  bits?: number;
  notAfterMs?: number;
} = {}): SamlIdentityProvider {
  const { privateKey } =
    kind === 'rsa'
      ? generateKeyPairSync('rsa', { modulusLength: bits })
      : generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const certificate = selfSignedCertificate(privateKey, {
    commonName: 'idp.example',
    notBeforeMs: Date.UTC(2020, 0),
    notAfterMs,
  }).toString('base64');
  const defaultAlgorithm = kind === 'rsa' ? RSA_SHA256 : ECDSA_SHA256;

  const logoutRequest = ({ destination, nameId, sessionIndexes, nowMs }: LogoutAsked) =>
    [
      `<samlp:LogoutRequest xmlns:samlp="${SAML.protocol}" xmlns:saml="${SAML.assertion}" ID="_${randomUUID()}" Version="2.0" IssueInstant="${new Date(nowMs).toISOString()}" Destination="${escapeXml(destination)}">`,
      `<saml:Issuer>${escapeXml(entityId)}</saml:Issuer><saml:NameID>${escapeXml(nameId)}</saml:NameID>`,
      ...sessionIndexes.map((index) => `<samlp:SessionIndex>${escapeXml(index)}</samlp:SessionIndex>`),
      '</samlp:LogoutRequest>',
    ].join('');

  const provider: SamlIdentityProvider = {
    logoutQuery(asked, relayState) {
      const parameters = [
        ['SAMLRequest', deflateRawSync(logoutRequest(asked)).toString('base64')],
        ...(relayState === undefined ? [] : [['RelayState', relayState]]),
        ['SigAlg', RSA_SHA256],
      ];
      const query = parameters.map(([name, value = '']) => `${name}=${encodeURIComponent(value)}`).join('&');
      const signature = sign('sha256', Buffer.from(query), privateKey).toString('base64');
      return `${query}&Signature=${encodeURIComponent(signature)}`;
    },
    logoutForm(asked) {
      const signed = provider.sign(logoutRequest(asked), {
        references: ["/*[local-name(.)='LogoutRequest']"],
        location: { reference: "/*/*[local-name(.)='Issuer']", action: 'after' },
      });
      return Buffer.from(signed).toString('base64');
    },
    entityId,
    privateKey,
    certificate,
    assertion(said) {
      const time = (ms: number) => new Date(ms).toISOString();
      const inResponseTo =
        said.inResponseTo === null ? '' : ` InResponseTo="${escapeXml(said.inResponseTo)}"`;
      const attributes = Object.entries(said.attributes).map(([name, values]) => {
        const each = values.map(
          (value) =>
            `<saml:AttributeValue xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="xs:string">${escapeXml(value)}</saml:AttributeValue>`,
        );
        return `<saml:Attribute Name="${escapeXml(name)}">${each.join('')}</saml:Attribute>`;
      });
      return [
        `<saml:Assertion xmlns:saml="${SAML.assertion}" ID="${said.assertionId}" Version="2.0" IssueInstant="${time(said.nowMs)}">`,
        `<saml:Issuer>${escapeXml(said.issuer)}</saml:Issuer>`,
        `<saml:Subject><saml:NameID Format="${said.nameIdFormat}">${escapeXml(said.nameId)}</saml:NameID>`,
        `<saml:SubjectConfirmation Method="${said.method}"><saml:SubjectConfirmationData NotOnOrAfter="${time(said.notOnOrAfterMs)}" Recipient="${escapeXml(said.recipient)}"${inResponseTo}/></saml:SubjectConfirmation></saml:Subject>`,
        `<saml:Conditions NotBefore="${time(said.notBeforeMs)}" NotOnOrAfter="${time(said.notOnOrAfterMs)}"><saml:AudienceRestriction><saml:Audience>${escapeXml(said.audience)}</saml:Audience></saml:AudienceRestriction></saml:Conditions>`,
        `<saml:AuthnStatement AuthnInstant="${time(said.nowMs)}" SessionIndex="${said.sessionIndex}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>`,
        `<saml:AttributeStatement>${attributes.join('')}</saml:AttributeStatement>`,
        '</saml:Assertion>',
      ].join('\n');
    },
    response(said, assertion) {
      const answers = said.inResponseTo === null ? '' : ` InResponseTo="${escapeXml(said.inResponseTo)}"`;
      return [
        `<samlp:Response xmlns:samlp="${SAML.protocol}" ID="_r${said.assertionId}" Version="2.0" IssueInstant="${new Date(said.nowMs).toISOString()}" Destination="${escapeXml(said.destination)}"${answers}>`,
        `<saml:Issuer xmlns:saml="${SAML.assertion}">${escapeXml(said.issuer)}</saml:Issuer>`,
        `<samlp:Status><samlp:StatusCode Value="${said.status}"/></samlp:Status>`,
        assertion,
        '</samlp:Response>',
      ].join('\n');
    },
    sign(xml, options = {}) {
      const algorithm = options.algorithm ?? defaultAlgorithm;
      const { SignedXml } = loadXmlCrypto();
      const key = options.hmacSecret ?? pemOf(options.key ?? privateKey);
      const signed = new SignedXml({
        privateKey: key,
        signatureAlgorithm: algorithm,
        canonicalizationAlgorithm: options.canonicalization ?? SAML.exclusive,
        getKeyInfoContent: () =>
          `<ds:X509Data><ds:X509Certificate>${options.keyInfo ?? certificate}</ds:X509Certificate></ds:X509Data>`,
      });
      if (options.hmacSecret !== undefined) signed.enableHMAC();
      else if (algorithm.includes('#ecdsa-')) signed.SignatureAlgorithms[algorithm] = ecdsaSigner(algorithm);
      for (const xpath of options.references ?? [ASSERTION])
        signed.addReference({
          xpath,
          transforms: options.transforms ?? [SAML.enveloped, SAML.exclusive],
          digestAlgorithm: options.digest ?? SHA256,
          ...(options.prefixes === undefined ? {} : { inclusiveNamespacesPrefixList: options.prefixes }),
        });
      signed.computeSignature(xml, {
        prefix: options.prefix ?? 'ds',
        location: options.location ?? {
          reference: `${ASSERTION}/*[local-name(.)='Issuer']`,
          action: 'after',
        },
      });
      return signed.getSignedXml();
    },
    answer(said, options) {
      const response = provider.response(said, provider.assertion(said));
      return Buffer.from(provider.sign(response, options)).toString('base64');
    },
    metadata({ ssoUrl, logoutUrl }) {
      const service = (name: string, url: string) =>
        `<md:${name} Binding="${SAML.redirectBinding}" Location="${escapeXml(url)}"/>`;
      return [
        `<?xml version="1.0" encoding="UTF-8"?><md:EntityDescriptor xmlns:md="${SAML.metadata}" entityID="${escapeXml(entityId)}">`,
        `<md:IDPSSODescriptor protocolSupportEnumeration="${SAML.protocol}">`,
        `<md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="${SAML.signature}"><ds:X509Data><ds:X509Certificate>${certificate}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`,
        logoutUrl === undefined ? '' : service('SingleLogoutService', logoutUrl),
        service('SingleSignOnService', ssoUrl),
        '</md:IDPSSODescriptor></md:EntityDescriptor>',
      ].join('');
    },
  };
  return provider;
}

let made: SamlIdentityProvider | undefined;

/** Metadata of an identity provider that nobody asks. */
export function testMetadata(): string {
  made ??= createSamlIdentityProvider({ kind: 'ec' });
  return made.metadata({ ssoUrl: 'https://idp.example/sso' });
}

/** What an honest identity provider says in answer to a request. */
export function saidByIdp(
  provider: SamlIdentityProvider,
  {
    ourEntityId,
    acsUrl,
    requestId,
    nowMs,
  }: { ourEntityId: string; acsUrl: string; requestId: string; nowMs: number },
): SaidByIdp {
  return {
    issuer: provider.entityId,
    audience: ourEntityId,
    recipient: acsUrl,
    destination: acsUrl,
    method: SAML.bearer,
    inResponseTo: requestId,
    nameId: 'ada-17',
    nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
    attributes: { email: ['ada@example.com'], groups: ['engineers', 'admins'] },
    nowMs,
    notBeforeMs: nowMs - 1_000,
    notOnOrAfterMs: nowMs + 300_000,
    assertionId: `_${randomUUID()}`,
    sessionIndex: `_s${randomUUID()}`,
    status: SAML.success,
  };
}

const pemOf = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString();

function ecdsaSigner(algorithm: string) {
  const digest = algorithm.slice(algorithm.lastIndexOf('-') + 1);
  return class {
    getAlgorithmName = () => algorithm;
    getSignature = (content: string, key: string) =>
      sign(digest, Buffer.from(content), { key, dsaEncoding: 'ieee-p1363' }).toString('base64');
  };
}
