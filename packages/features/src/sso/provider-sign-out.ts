import { findSsoConnection } from '@gatehouse/db/queries/sso-connections';
import type { SsoLogin } from '@gatehouse/db/queries/sso-logins';
import { z } from 'zod';
import type { Services } from '../core/context.js';
import { samlSignOutUrl } from './saml-logout.js';
import type { SamlSubject } from './saml-requests.js';

const samlSubject = z.object({
  nameId: z.string(),
  nameIdFormat: z.string().nullable(),
  nameQualifier: z.string().nullable(),
  spNameQualifier: z.string().nullable(),
  sessionIndex: z.string().nullable(),
});

const SCHEME = 'saml:';

/** Stored for a sign-in by SAML in place of a logout address, which is signed again each time. */
export function samlLogoutMark({
  nameId,
  nameIdFormat,
  nameQualifier,
  spNameQualifier,
  sessionIndex,
}: SamlSubject): string {
  return SCHEME + JSON.stringify({ nameId, nameIdFormat, nameQualifier, spNameQualifier, sessionIndex });
}

/**
 * Where the browser signs out of the identity provider at which a session began; undefined if that is not known. For SAML the
 * address is valid for minutes.
 */
export async function providerSignOutUrl(
  services: Pick<Services, 'cipher' | 'config' | 'db' | 'now'>,
  { connectionId: id, accountId, logoutUrl }: SsoLogin,
): Promise<string | undefined> {
  if (logoutUrl?.startsWith(SCHEME) !== true) return logoutUrl ?? undefined;
  const row = await findSsoConnection(services.db, { id, accountId });
  const subject = samlSubject.parse(JSON.parse(logoutUrl.slice(SCHEME.length)));
  return row && samlSignOutUrl(services, row, subject);
}
