import { AppError, domainOfAddress } from '@gatehouse/auth-core';
import { findSsoOfDomain, type SsoOfDomain } from '@gatehouse/db/queries/sso-domains';
import type { Services } from './context.js';

/** The public address of the main service, where sign-ins by identity providers begin. */
export function ssoStartUrl(
  { config }: { config: Pick<Services['config'], 'BASE_URL' | 'MAIN_URL'> },
  key: string,
): string {
  return `${config.MAIN_URL ?? config.BASE_URL}/sso/${key}/start`;
}

/** The account that has verified the domain of an address and requires its connections, by the domain alone. */
export async function findRequiredSso(
  { db }: Pick<Services, 'db'>,
  address: string,
): Promise<SsoOfDomain | undefined> {
  const domain = domainOfAddress(address);
  if (domain === undefined) return undefined;
  const found = await findSsoOfDomain(db, domain);
  return found?.sso.required === true ? found : undefined;
}

/**
 * Requires that nobody must sign in to this address by an identity provider, known or unknown.
 * @param address in its canonical form
 * @throws {AppError} `sso_required`, with where that begins
 */
export async function requireOwnSignIn(
  services: Pick<Services, 'db' | 'config' | 'deployment'>,
  address: string,
): Promise<void> {
  // Only staff sign in there, and no account's identity provider signs in staff.
  if (services.deployment.application === 'admin') return;
  const found = await findRequiredSso(services, address);
  if (found !== undefined) throw ssoRequired(services, found.sso);
}

export function ssoRequired(
  services: { config: Pick<Services['config'], 'BASE_URL' | 'MAIN_URL'> },
  { connections }: Pick<SsoOfDomain['sso'], 'connections'>,
): AppError {
  const [first] = connections;
  return new AppError(
    'sso_required',
    first === undefined ? {} : { startUrl: ssoStartUrl(services, first.key) },
  );
}
