import { sha256Hex } from '@gatehouse/auth-core';
import { PLATFORM, type SsoConnection } from '@gatehouse/db/queries/sso-connections';
import type { OidcSettings, SsoRules, SsoSettings } from '@gatehouse/db/tables/sso-tables';
import type { Services } from '../core/context.js';

/** The identity of a person by a verified answer of an identity provider. */
export interface SsoClaims {
  readonly subject: string;
  /** As the provider sent it. */
  readonly email: string | null;
  /** Whether the provider says that the address is verified; null if it does not say. */
  readonly emailVerified: boolean | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  /** Every claim or attribute with its texts. */
  readonly values: Record<string, string[]>;
  /** The key of the session at the provider. */
  readonly providerSessionKey: string | null;
  /** When the session at the provider ends; null if it does not say so. */
  readonly sessionEndsAtMs: number | null;
  /** Where the browser signs out of the provider. */
  readonly logoutUrl: string | null;
}

/** A connection with the settings that a flow uses: those in use, or those that are tested. */
export interface UsedConnection extends Pick<SsoConnection, 'id' | 'accountId' | 'key' | 'name' | 'epoch'> {
  readonly version: number;
  readonly settings: SsoSettings;
  readonly secret: string | null;
}

/** Where people go after they have signed out of an identity provider. */
export function signedOutAt(
  { config: { APP_URL, BASE_URL } }: Pick<Services, 'config'>,
  { accountId }: Pick<SsoConnection, 'accountId'>,
): string {
  return accountId === PLATFORM ? `${BASE_URL}/console/sign-in` : APP_URL;
}

/** The key of a subject: another issuer's subjects are other people. */
export function subjectKeyOf(settings: SsoSettings, subject: string): string {
  const issuer = settings.kind === 'oidc' ? settings.issuer : settings.entityId;
  return sha256Hex(JSON.stringify([issuer, subject]));
}

/** The key of a session at a provider by OpenID Connect. */
export function providerSessionKeyOf(settings: OidcSettings, name: string): string {
  return sha256Hex(JSON.stringify(['oidcSession', settings.issuer, name]));
}

/** The role by the claims: that of the highest rank, or the connection's default. */
export function roleFrom(
  { roles }: Pick<Services, 'roles'>,
  { roleMap, defaultRole }: SsoRules,
  values: SsoClaims['values'],
): number {
  const given = roleMap.filter(
    ({ claim, value }) => Object.hasOwn(values, claim) && values[claim]?.includes(value),
  );
  const [highest] = given.toSorted((one, other) => rank(roles, other.roleType) - rank(roles, one.roleType));
  return highest?.roleType ?? defaultRole;
}

/**
 * Contributors and designers rank alike. Of two such roles the lower number applies, so that the order of rules decides nothing.
 */
function rank(roles: Services['roles'], roleType: number): number {
  const name = roles.nameOf(roleType);
  const order = ['userMember', 'designer', 'contributor', 'manager'];
  return name === undefined ? -1 : order.indexOf(name);
}

const MAX_CLAIMS = 100;

const MAX_VALUES = 500;

/** The texts in claims; values other than texts, numbers and booleans are left out. */
export function textsIn(claims: Readonly<Record<string, unknown>>): SsoClaims['values'] {
  const entries = Object.entries(claims).slice(0, MAX_CLAIMS);
  return Object.fromEntries(
    entries.flatMap(([name, value]): [string, string[]][] => {
      const texts = (Array.isArray(value) ? value : [value])
        .slice(0, MAX_VALUES)
        .filter((each) => ['string', 'number', 'boolean'].includes(typeof each))
        .map(String);
      return name === '__proto__' || texts.length === 0 ? [] : [[name, texts]];
    }),
  );
}
