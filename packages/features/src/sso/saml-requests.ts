import { type KeyObject, sign } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { OWN_SIGNATURE_ALGORITHM, SAML } from './saml-names.js';
import { escapeXml } from './saml-xml.js';

/** Who sends a message, and with which key it signs it. */
export interface SamlSender {
  readonly entityId: string;
  readonly privateKey: KeyObject;
}

interface MessageTo {
  /** The address to which the browser sends the message. */
  readonly url: string;
  /** 128 random bits or more; an XML name. */
  readonly id: string;
  readonly nowMs: number;
}

/** The address that asks an identity provider to sign a person in and to answer at our ACS. */
export function signInUrl(
  sender: SamlSender,
  { acsUrl, forceLogin, ...to }: MessageTo & { acsUrl: string; forceLogin: boolean },
): string {
  const attributes = `AssertionConsumerServiceURL="${escapeXml(acsUrl)}" ProtocolBinding="${SAML.postBinding}"${forceLogin ? ' ForceAuthn="true"' : ''}`;
  return signedUrl(sender, to, {
    field: 'SAMLRequest',
    name: 'AuthnRequest',
    attributes,
    content: '<samlp:NameIDPolicy AllowCreate="true"/>',
  });
}

/** Whose session at the identity provider ends. */
export interface SamlSubject {
  readonly nameId: string;
  readonly nameIdFormat: string | null;
  readonly nameQualifier: string | null;
  readonly spNameQualifier: string | null;
  readonly sessionIndex: string | null;
}

/** The address that asks an identity provider to end a session. */
export function signOutUrl(
  sender: SamlSender,
  { subject, ...to }: MessageTo & { subject: SamlSubject },
): string {
  const given = [
    ['Format', subject.nameIdFormat],
    ['NameQualifier', subject.nameQualifier],
    ['SPNameQualifier', subject.spNameQualifier],
  ] as const;
  const attributes = given.map(([name, value]) => (value === null ? '' : ` ${name}="${escapeXml(value)}"`));
  const nameId = `<saml:NameID${attributes.join('')}>${escapeXml(subject.nameId)}</saml:NameID>`;
  const index =
    subject.sessionIndex === null
      ? ''
      : `<samlp:SessionIndex>${escapeXml(subject.sessionIndex)}</samlp:SessionIndex>`;
  return signedUrl(sender, to, {
    field: 'SAMLRequest',
    name: 'LogoutRequest',
    attributes: '',
    content: nameId + index,
  });
}

/** The address that tells an identity provider that the sessions it ended are over here. */
export function signedOutUrl(
  sender: SamlSender,
  { requestId, relayState, ...to }: MessageTo & { requestId: string; relayState: string | undefined },
): string {
  return signedUrl(sender, to, {
    field: 'SAMLResponse',
    name: 'LogoutResponse',
    attributes: `InResponseTo="${escapeXml(requestId)}"`,
    content: `<samlp:Status><samlp:StatusCode Value="${SAML.success}"/></samlp:Status>`,
    relayState,
  });
}

/** Signs a message as the redirect binding does: the text of the query, not the XML. */
function signedUrl(
  { entityId, privateKey }: SamlSender,
  { url, id, nowMs }: MessageTo,
  message: {
    readonly field: 'SAMLRequest' | 'SAMLResponse';
    readonly name: string;
    readonly attributes: string;
    readonly content: string;
    readonly relayState?: string | undefined;
  },
): string {
  const { field, name, attributes, content, relayState } = message;
  const head = `ID="${escapeXml(id)}" Version="2.0" IssueInstant="${new Date(nowMs).toISOString()}" Destination="${escapeXml(url)}"`;
  const xml = `<samlp:${name} xmlns:samlp="${SAML.protocol}" xmlns:saml="${SAML.assertion}" ${head} ${attributes}><saml:Issuer>${escapeXml(entityId)}</saml:Issuer>${content}</samlp:${name}>`;
  const parameters = [
    [field, deflateRawSync(xml).toString('base64')],
    ...(relayState === undefined ? [] : [['RelayState', relayState]]),
    ['SigAlg', OWN_SIGNATURE_ALGORITHM],
  ];
  const query = parameters.map(([key, value = '']) => `${key}=${encodeURIComponent(value)}`).join('&');
  const signature = encodeURIComponent(sign('sha256', Buffer.from(query), privateKey).toString('base64'));
  return `${url}${url.includes('?') ? '&' : '?'}${query}&Signature=${signature}`;
}
