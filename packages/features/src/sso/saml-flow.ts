import type { SsoConnection } from '@gatehouse/db/queries/sso-connections';
import type { Services } from '../core/context.js';
import { samlLogoutMark } from './provider-sign-out.js';
import { samlSessionKey } from './saml-logout.js';
import { newSamlRequestId, type SamlResult, samlSignInUrl } from './saml-sign-in.js';
import { type SsoClaims, textsIn } from './sso-claims.js';
import { type SsoCheck, SsoFailure } from './sso-failure.js';

/** A new request to the identity provider of a connection by SAML: its id, which is the state of the flow, and where it goes. */
export function beginSaml(
  services: Services,
  row: SsoConnection,
  { isTest }: { isTest: boolean },
): { readonly state: string; readonly location: string } {
  const requestId = newSamlRequestId(isTest ? 'test' : 'signIn');
  const location = samlSignInUrl(services, row, { requestId, forceLogin: false });
  if (location === undefined) throw new SsoFailure('provider', 'off');
  return { state: requestId, location };
}

type Verdict = SamlResult['verdicts'][number];

const AS_OURS: Readonly<Partial<Record<Verdict['check'], SsoCheck>>> = {
  decrypted: 'signature',
  signature: 'signature',
  issuer: 'issuer',
  audience: 'audience',
  recipient: 'recipient',
  destination: 'recipient',
  inResponseTo: 'request',
  time: 'times',
  subject: 'subject',
};

/** The attributes that providers commonly send an address in. */
const ADDRESSES = [
  'email',
  'mail',
  'emailAddress',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
  'urn:oid:0.9.2342.19200300.100.1.3',
];

const FIRST_NAMES = [
  'firstName',
  'givenName',
  'given_name',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/givenname',
  'urn:oid:2.5.4.42',
];

const LAST_NAMES = [
  'lastName',
  'surname',
  'sn',
  'family_name',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/surname',
  'urn:oid:2.5.4.4',
];

/**
 * The identity of a person by the response that our ACS has verified.
 * @throws {SsoFailure}
 */
export function identifyBySaml({ verdicts, claims }: SamlResult): SsoClaims {
  if (claims === null) {
    const failed = verdicts.find(({ passed }) => !passed);
    const code = failed?.check === 'status' ? 'access_denied' : 'provider_failed';
    const check = (failed && AS_OURS[failed.check]) ?? 'answer';
    throw new SsoFailure(check, failed?.problem ?? failed?.check, code);
  }
  const { nameId, nameIdFormat, sessionIndex, sessionEndsAtMs, attributes } = claims;
  // Such a name is different at each sign-in.
  if (nameIdFormat?.endsWith(':transient') === true) throw new SsoFailure('subject', 'transient');
  const first = (names: readonly string[]) =>
    names.map((name) => attributes[name]?.[0]).find((text) => text !== undefined) ?? null;
  const isAddress = nameIdFormat?.endsWith(':emailAddress') === true;
  return {
    subject: nameId,
    email: first(ADDRESSES) ?? (isAddress ? nameId : null),
    emailVerified: true,
    firstName: first(FIRST_NAMES),
    lastName: first(LAST_NAMES),
    values: textsIn(attributes),
    providerSessionKey: sessionIndex === null ? null : samlSessionKey(nameId, sessionIndex),
    sessionEndsAtMs,
    logoutUrl: samlLogoutMark(claims),
  };
}
