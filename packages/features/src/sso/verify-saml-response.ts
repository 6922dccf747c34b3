import type { KeyObject } from 'node:crypto';
import { DecryptionRefused, decryptElement } from './saml-decryption.js';
import { readSamlMessage } from './saml-message.js';
import { SAML } from './saml-names.js';
import { readSignedElement, SignatureRefused } from './saml-signature.js';
import { readSamlTime, SKEW_MS } from './saml-time.js';
import { childrenOf, elementsIn, readXml, trimmedText, type XmlElement, XmlRefused } from './saml-xml.js';

const MAX_VALUES = 1_000;

/** The checks, in the order in which they are made. After a signature, only what it covers is read. */
export const SAML_CHECKS = [
  'readable',
  'response',
  'status',
  'destination',
  'decrypted',
  'signature',
  'issuer',
  'audience',
  'recipient',
  'method',
  'inResponseTo',
  'time',
  'subject',
] as const;

export type SamlCheck = (typeof SAML_CHECKS)[number];

/** The result of one check. */
export interface SamlVerdict {
  readonly check: SamlCheck;
  readonly passed: boolean;
  /** What was wrong, in words for the owner of the connection. */
  readonly problem?: string;
}

/** An identity provider's statements about a person. */
export interface SamlClaims {
  readonly nameId: string;
  readonly nameIdFormat: string | null;
  readonly nameQualifier: string | null;
  readonly spNameQualifier: string | null;
  /** The name by which the identity provider will end the session. */
  readonly sessionIndex: string | null;
  /** When the identity provider ends the session by itself. */
  readonly sessionEndsAtMs: number | null;
  readonly attributes: Readonly<Record<string, readonly string[]>>;
}

/** A response that passed every check but one, which is the caller's: that its assertion was never used before. */
export interface VerifiedSamlResponse {
  readonly claims: SamlClaims;
  readonly assertionId: string;
  /** Until then the assertion must not be accepted again. */
  readonly usableUntilMs: number;
}

interface SamlExpectations {
  readonly ourEntityId: string;
  readonly acsUrl: string;
  /** The entityID of the identity provider. */
  readonly issuer: string;
  readonly keys: readonly KeyObject[];
  /** Our keys, for assertions that are encrypted. */
  readonly decryptionKeys: readonly KeyObject[];
  /** The id of the request of this browser. */
  readonly requestId: string;
  readonly nowMs: number;
}

/** Checks the value of the field SAMLResponse of the POST binding. Verified only if all verdicts are good. */
export function verifySamlResponse(
  sent: string,
  expected: SamlExpectations,
): { readonly verdicts: readonly SamlVerdict[]; readonly verified: VerifiedSamlResponse | null } {
  const verdicts: SamlVerdict[] = [];
  const judge = (check: SamlCheck, problem: string | null): void => {
    verdicts.push(problem === null ? { check, passed: true } : { check, passed: false, problem });
  };
  const received = readAssertion(sent, expected, judge);
  if (received === null) return { verdicts, verified: null };
  const read = judgeAssertion(received, expected, judge);
  return { verdicts, verified: verdicts.every(({ passed }) => passed) ? read : null };
}

type Judge = (check: SamlCheck, problem: string | null) => void;

/**
 * The id of the request that a response says it answers, without any proof; null for a response nobody asked for.
 * @throws {XmlRefused} for a text that cannot be read
 */
export function claimedRequestId(sent: string): string | null {
  return readXml(readSamlMessage(sent)).attributes.get('InResponseTo') ?? null;
}

interface Received {
  /** The message around the assertion. */
  readonly root: XmlElement;
  /** As it was signed. */
  readonly assertion: XmlElement;
}

/** The assertion of a response; null, with a verdict, if there is none that was signed. */
function readAssertion(sent: string, expected: SamlExpectations, judge: Judge): Received | null {
  let check: SamlCheck = 'readable';
  try {
    const root = readXml(readSamlMessage(sent));
    judge(check, null);
    check = 'response';
    const found = findAssertion(root);
    judge(check, null);
    judgeResponse(root, expected, judge);
    if (found === undefined) return null;
    const isEncrypted = found.name === 'EncryptedAssertion';
    if (isEncrypted) check = 'decrypted';
    const element = isEncrypted ? decryptAssertion(found, expected.decryptionKeys) : found;
    if (isEncrypted) judge(check, null);
    check = 'signature';
    const signedRoot = isEncrypted ? element : root;
    const assertion = readSignedElement(signedRoot, { element, keys: expected.keys });
    judge(check, null);
    return { root, assertion };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    judge(check, error.message);
    return null;
  }
}

function isRefusal(error: unknown): error is Error {
  return (
    error instanceof XmlRefused || error instanceof SignatureRefused || error instanceof DecryptionRefused
  );
}

/** @throws {DecryptionRefused} for everything except exactly one assertion, always the same */
function decryptAssertion(encrypted: XmlElement, keys: readonly KeyObject[]): XmlElement {
  try {
    const assertion = readXml(decryptElement(encrypted, keys));
    const [first, ...others] = elementsIn(assertion).filter(({ name }) => name === 'Assertion');
    if (first === assertion && others.length === 0 && first.namespace === SAML.assertion) return first;
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
  throw new DecryptionRefused();
}

/** The one assertion of a response, or none if its status says why. Anything that could be taken for another is refused. */
function findAssertion(root: XmlElement): XmlElement | undefined {
  if (root.namespace !== SAML.protocol || root.name !== 'Response')
    throw new XmlRefused('It is not a SAML response.');
  const named = elementsIn(root).filter(({ name }) => name === 'Assertion' || name === 'EncryptedAssertion');
  const [assertion] = named;
  if (assertion === undefined) {
    if (statusProblem(root) !== null) return undefined;
    throw new XmlRefused('It has no assertion.');
  }
  if (named.length > 1) throw new XmlRefused('It has more than one assertion.');
  if (assertion.namespace !== SAML.assertion || !root.children.includes(assertion))
    throw new XmlRefused('Its assertion is not where an assertion belongs.');
  requireEnvelope(root);
  return assertion;
}

const ENVELOPE: readonly (readonly [namespace: string, names: readonly string[]])[] = [
  [SAML.assertion, ['Issuer']],
  [SAML.signature, ['Signature']],
  [SAML.protocol, ['Extensions']],
  [SAML.protocol, ['Status']],
  [SAML.assertion, ['Assertion', 'EncryptedAssertion']],
];

/** A response has its parts in their order, each once at most (SAML 2.0 Core, 3.2.2 and 3.3.3), and signatures where they belong. */
function requireEnvelope({ attributes, children }: XmlElement): void {
  const isNamed = (attributes.get('ID') ?? '') !== '' && attributes.get('Version') === '2.0';
  if (!isNamed || readSamlTime(attributes.get('IssueInstant')) === undefined)
    throw new XmlRefused('It has no name, no time in UTC, or is not of SAML 2.0.');
  let next = 0;
  for (const child of children) {
    const { namespace, name } = child;
    const found = ENVELOPE.findIndex(
      ([of, names], at) => at >= next && of === namespace && names.includes(name),
    );
    if (found === -1) throw new XmlRefused(`It has ${name} where that does not belong.`);
    const isAround = ['Issuer', 'Extensions', 'Status'].includes(name);
    if (isAround && elementsIn(child).some((each) => each.name === 'Signature'))
      throw new XmlRefused('It has a signature where that does not belong.');
    next = found + 1;
  }
}

/** The message around the assertion, which nobody signed: it can only lead to a refusal. */
function judgeResponse(root: XmlElement, expected: SamlExpectations, judge: Judge): void {
  judge('status', statusProblem(root));
  const destination = root.attributes.get('Destination');
  judge('destination', differs('Destination', destination, expected.acsUrl));
}

function statusProblem(root: XmlElement): string | null {
  const [status] = childrenOf(root, SAML.protocol, 'Status');
  const [code, ...others] = status === undefined ? [] : childrenOf(status, SAML.protocol, 'StatusCode');
  const value = code?.attributes.get('Value');
  if (value === SAML.success && others.length === 0) return null;
  const [detail] = code === undefined ? [] : childrenOf(code, SAML.protocol, 'StatusCode');
  return `The identity provider answered ${[value, detail?.attributes.get('Value')].filter(Boolean).join(', ') || 'no status'}.`;
}

function differs(name: string, found: string | undefined, expected: string): string | null {
  if (found === expected) return null;
  return found === undefined ? `${name} is missing.` : `${name} is ${found}, not ${expected}.`;
}

function judgeAssertion(
  { root, assertion }: Received,
  expected: SamlExpectations,
  judge: Judge,
): VerifiedSamlResponse | null {
  const { nowMs } = expected;
  judge('issuer', issuerProblem({ root, assertion }, expected.issuer));
  const conditions = oneChild(assertion, 'Conditions');
  judge('audience', audienceProblem(conditions, expected.ourEntityId));
  const subject = oneChild(assertion, 'Subject');
  const confirmation = subject && oneChild(subject, 'SubjectConfirmation');
  const confirmed = confirmation && oneChild(confirmation, 'SubjectConfirmationData');
  judge('recipient', differs('Recipient', confirmed?.attributes.get('Recipient'), expected.acsUrl));
  judge('method', differs('Method', confirmation?.attributes.get('Method'), SAML.bearer));
  const requestId = confirmed?.attributes.get('InResponseTo');
  judge(
    'inResponseTo',
    requestId === expected.requestId ? null : 'It does not answer the request of this browser.',
  );
  const statement = childrenOf(assertion, SAML.assertion, 'AuthnStatement')[0];
  const spans = [conditions, confirmed].map((each) => each?.attributes ?? new Map<string, string>());
  const sessionEnd = statement?.attributes.get('SessionNotOnOrAfter');
  judge('time', timeProblem({ assertion, spans, confirmed, sessionEnd, nowMs }));
  const nameId = subject && oneChild(subject, 'NameID');
  judge('subject', encryptedNameProblem(subject) ?? subjectProblem(nameId, statement));
  const until = readSamlTime(confirmed?.attributes.get('NotOnOrAfter'));
  const assertionId = assertion.attributes.get('ID');
  if (nameId === undefined || until === undefined || assertionId === undefined) return null;
  return {
    assertionId,
    usableUntilMs: until + SKEW_MS,
    claims: {
      nameId: exactTextOf(nameId) ?? '',
      nameIdFormat: nameId.attributes.get('Format') ?? null,
      nameQualifier: nameId.attributes.get('NameQualifier') ?? null,
      spNameQualifier: nameId.attributes.get('SPNameQualifier') ?? null,
      sessionIndex: statement?.attributes.get('SessionIndex') ?? null,
      sessionEndsAtMs: readSamlTime(sessionEnd) ?? null,
      attributes: readAttributes(assertion),
    },
  };
}

/** The only child with a name of the assertion namespace; undefined if there is none, or more than one. */
function oneChild(parent: XmlElement, name: string): XmlElement | undefined {
  const [first, ...others] = childrenOf(parent, SAML.assertion, name);
  return others.length === 0 ? first : undefined;
}

/** Text of an element that holds nothing else. */
function textOf(element: XmlElement | undefined): string | undefined {
  return element?.children.length === 0 ? trimmedText(element) : undefined;
}

/** A name of a person exactly as it was sent: names that differ are those of different people. */
function exactTextOf(element: XmlElement | undefined): string | undefined {
  return element?.children.length === 0 ? element.text : undefined;
}

/** The response may name its issuer too. */
function issuerProblem({ root, assertion }: Received, expected: string): string | null {
  const [around] = childrenOf(root, SAML.assertion, 'Issuer');
  return (
    differs('Issuer', textOf(oneChild(assertion, 'Issuer')), expected) ??
    (around === undefined ? null : differs('Issuer of the response', textOf(around), expected))
  );
}

function audienceProblem(conditions: XmlElement | undefined, ourEntityId: string): string | null {
  if (conditions === undefined) return 'It has no conditions.';
  const known = new Set(['AudienceRestriction', 'OneTimeUse', 'ProxyRestriction']);
  const unknown = conditions.children.find(
    ({ namespace, name }) => namespace !== SAML.assertion || !known.has(name),
  );
  if (unknown !== undefined) return `It has the condition ${unknown.name}, which is not known here.`;
  const audiences = childrenOf(conditions, SAML.assertion, 'AudienceRestriction').map((each) =>
    childrenOf(each, SAML.assertion, 'Audience').map(textOf),
  );
  if (audiences.length === 0) return 'It names no audience.';
  const foreign = audiences.find((each) => !each.includes(ourEntityId));
  return foreign === undefined ? null : `The audience is ${foreign.join(', ')}, not ${ourEntityId}.`;
}

function timeProblem({
  assertion,
  spans,
  confirmed,
  sessionEnd,
  nowMs,
}: {
  assertion: XmlElement;
  spans: readonly ReadonlyMap<string, string>[];
  confirmed: XmlElement | undefined;
  sessionEnd: string | undefined;
  nowMs: number;
}): string | null {
  const starts = [assertion.attributes.get('IssueInstant'), ...spans.map((each) => each.get('NotBefore'))];
  const ends = [...spans.map((each) => each.get('NotOnOrAfter')), sessionEnd];
  const isGiven = (each: string | undefined) => each !== undefined;
  const [issued] = starts;
  if (issued === undefined || confirmed?.attributes.get('NotOnOrAfter') === undefined)
    return 'It does not say when it was issued, or until when it is valid.';
  if ([...starts, ...ends].filter(isGiven).some((each) => readSamlTime(each) === undefined))
    return 'It has a time that is not in UTC.';
  if (starts.filter(isGiven).some((each) => (readSamlTime(each) ?? Infinity) > nowMs + SKEW_MS))
    return 'It is not valid yet. Compare the clocks.';
  if (ends.filter(isGiven).some((each) => (readSamlTime(each) ?? 0) + SKEW_MS <= nowMs))
    return 'It is no longer valid. Compare the clocks.';
  return null;
}

function encryptedNameProblem(subject: XmlElement | undefined): string | null {
  const encrypted = subject === undefined ? [] : childrenOf(subject, SAML.assertion, 'EncryptedID');
  return encrypted.length === 0 ? null : 'The NameID is encrypted. Encrypt the whole assertion instead.';
}

function subjectProblem(nameId: XmlElement | undefined, statement: XmlElement | undefined): string | null {
  const value = exactTextOf(nameId);
  if (value === undefined || value.trim() === '') return 'It names no person.';
  if (value.length > 256) return 'The NameID is longer than 256 characters.';
  if (nameId?.attributes.get('Format') === SAML.transient)
    return 'The NameID is transient, so it names nobody twice. Choose persistent or emailAddress.';
  return statement === undefined ? 'It does not say that the person signed in.' : null;
}

function readAttributes(assertion: XmlElement): Record<string, readonly string[]> {
  const attributes = childrenOf(assertion, SAML.assertion, 'AttributeStatement').flatMap((each) =>
    childrenOf(each, SAML.assertion, 'Attribute'),
  );
  const byName = new Map<string, string[]>();
  for (const attribute of attributes) {
    const name = attribute.attributes.get('Name');
    if (name === undefined) continue;
    const values = childrenOf(attribute, SAML.assertion, 'AttributeValue').map(textOf);
    const known = byName.get(name) ?? [];
    byName.set(name, [...known, ...values.filter((value) => value !== undefined)].slice(0, MAX_VALUES));
  }
  return Object.fromEntries(byName);
}
