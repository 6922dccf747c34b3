import type { KeyObject } from 'node:crypto';
import { isSignedBy } from './saml-key.js';
import { readCompressedMessage, readSamlMessage } from './saml-message.js';
import { SAML } from './saml-names.js';
import { readSignedElement, SignatureRefused } from './saml-signature.js';
import { readSamlTime, SKEW_MS } from './saml-time.js';
import { childrenOf, readXml, trimmedText, type XmlElement, XmlRefused } from './saml-xml.js';

/** A request that names no end expires after five minutes. */
const LIFE_MS = 300_000;

const MAX_SESSIONS = 20;

/** A request of an identity provider to end sessions, whose signature is its own. */
export interface LogoutRequest {
  readonly id: string;
  readonly nameId: string;
  /** Which of the person's sessions; none for all. */
  readonly sessionIndexes: readonly string[];
  /** Until then the request must not be accepted again. */
  readonly usableUntilMs: number;
}

interface LogoutExpectations {
  readonly issuer: string;
  readonly logoutUrl: string;
  readonly keys: readonly KeyObject[];
  readonly nowMs: number;
}

/** Parameters of the redirect binding as they were sent, so that the signed text is the text that is read. */
export interface LogoutQuery {
  readonly field: 'SAMLRequest' | 'SAMLResponse';
  readonly message: string;
  readonly relayState: string | undefined;
  readonly algorithm: string;
  readonly signature: string;
  /** The text that is signed. */
  readonly signed: string;
}

/**
 * Reads a query, in which each parameter has one spelling and occurs once.
 *
 * @throws {XmlRefused} for any other
 */
export function readLogoutQuery(query: string): LogoutQuery {
  const known = new Set(['SAMLRequest', 'SAMLResponse', 'RelayState', 'SigAlg', 'Signature']);
  const raw = new Map<string, string>();
  for (const pair of query.split('&').filter(Boolean)) {
    const [name = '', ...rest] = pair.split('=');
    const readName = decoded(name);
    if (!known.has(readName)) continue;
    if (readName !== name || raw.has(name)) throw new XmlRefused(`It has the parameter ${readName} twice.`);
    raw.set(name, rest.join('='));
  }
  const field = raw.has('SAMLRequest') ? 'SAMLRequest' : 'SAMLResponse';
  if (!raw.has(field) || (raw.has('SAMLRequest') && raw.has('SAMLResponse')))
    throw new XmlRefused('It does not have one message.');
  const order = raw.has('RelayState') ? [field, 'RelayState', 'SigAlg'] : [field, 'SigAlg'];
  const relayState = raw.get('RelayState');
  return {
    field,
    message: decoded(raw.get(field) ?? ''),
    relayState: relayState === undefined ? undefined : decoded(relayState),
    algorithm: decoded(raw.get('SigAlg') ?? ''),
    signature: decoded(raw.get('Signature') ?? ''),
    signed: order.map((name) => `${name}=${raw.get(name) ?? ''}`).join('&'),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new XmlRefused('It has a parameter that cannot be read.');
  }
}

/**
 * The logout request of the redirect binding.
 *
 * @throws {XmlRefused | SignatureRefused} unless it is one of this identity provider for this address, and recent
 */
export function readLogoutFromQuery(query: LogoutQuery, expected: LogoutExpectations): LogoutRequest {
  const root = readXml(readCompressedMessage(query.message));
  const signed = {
    content: Buffer.from(query.signed),
    signature: Buffer.from(query.signature, 'base64'),
  };
  if (!expected.keys.some((key) => isSignedBy(key, query.algorithm, signed)))
    throw new SignatureRefused('No key of the identity provider made the signature.');
  return readLogout(root, expected);
}

/**
 * The logout request of the POST binding, read from what its signature covers.
 *
 * @throws {XmlRefused | SignatureRefused} unless it is one of this identity provider for this address, and recent
 */
export function readLogoutFromForm(message: string, expected: LogoutExpectations): LogoutRequest {
  const root = readXml(readSamlMessage(message));
  return readLogout(readSignedElement(root, { element: root, keys: expected.keys }), expected);
}

function readLogout(
  root: XmlElement,
  { issuer, logoutUrl, nowMs }: Omit<LogoutExpectations, 'keys'>,
): LogoutRequest {
  if (root.namespace !== SAML.protocol || root.name !== 'LogoutRequest')
    throw new XmlRefused('It is no request to sign out.');
  const text = (name: string) => onlyText(childrenOf(root, SAML.assertion, name));
  const id = root.attributes.get('ID') ?? '';
  if (text('Issuer') !== issuer) throw new XmlRefused('It is of another issuer.');
  if (root.attributes.get('Destination') !== logoutUrl) throw new XmlRefused('It is for another address.');
  const issuedAtMs = readSamlTime(root.attributes.get('IssueInstant'));
  const end = root.attributes.get('NotOnOrAfter');
  const endsAtMs = end === undefined ? (issuedAtMs ?? 0) + LIFE_MS : readSamlTime(end);
  if (issuedAtMs === undefined || endsAtMs === undefined || id === '' || id.length > 256)
    throw new XmlRefused('It has no name, or no time in UTC.');
  const usableUntilMs = Math.min(endsAtMs, issuedAtMs + LIFE_MS) + SKEW_MS;
  if (issuedAtMs > nowMs + SKEW_MS || usableUntilMs <= nowMs)
    throw new XmlRefused('It is old, or of the future.');
  const [named, ...others] = childrenOf(root, SAML.assertion, 'NameID');
  // As it was sent, to the last character.
  const nameId = others.length === 0 && named?.children.length === 0 ? named.text : '';
  if (nameId.trim() === '' || nameId.length > 256) throw new XmlRefused('It names no person.');
  const sessionIndexes = childrenOf(root, SAML.protocol, 'SessionIndex').map(trimmedText);
  if (sessionIndexes.length > MAX_SESSIONS)
    throw new XmlRefused(`It names more than ${MAX_SESSIONS} sessions.`);
  return { id, nameId, sessionIndexes, usableUntilMs };
}

function onlyText([element, ...others]: readonly XmlElement[]): string | undefined {
  return others.length === 0 && element?.children.length === 0 ? trimmedText(element) : undefined;
}
