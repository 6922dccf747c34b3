import { AppError } from '@gatehouse/auth-core';
import type { OidcSettings } from '@gatehouse/db/tables/sso-tables';
import { isCallableUrl } from '@gatehouse/runtime/network/guarded-client';
import { z } from 'zod';
import type { Services } from '../core/context.js';
import { rulesFrom, rulesInput } from './connection-rules.js';
import { openSecret, type StoredSettings, sealSecret } from './connection-secrets.js';
import { MAX_SCOPES } from './connection-view.js';

const SCOPES = ['openid', 'email', 'profile'];

/** RFC 6749, appendix A.4. */
const scope = z.string().regex(/^[\x21\x23-\x5B\x5D-\x7E]{1,200}$/);

/** RFC 6749, appendices A.1 and A.2. */
const printable = (most: number) => z.string().regex(new RegExp(`^[\\x20-\\x7E]{1,${most}}$`));

export const oidcInput = z.object({
  /** The one to change. Without it a new one is added, which needs a name, an issuer, a client id and a client secret. */
  connectionId: z.int().positive().optional(),
  /** Of a new one: the `key` of `next` in `sso.list`, whose addresses the identity provider has. */
  key: z.string().max(64).optional(),
  name: z.string().trim().min(1).max(80).optional(),
  /** Exactly as the identity provider names itself. */
  issuer: z.string().max(500).optional(),
  clientId: printable(300).optional(),
  /** Unchanged if left out, unless the issuer changes. */
  clientSecret: printable(1000).optional(),
  scopes: z.array(scope).max(MAX_SCOPES).optional(),
  ...rulesInput,
});

/**
 * The settings of a connection by OpenID Connect after a change, and its encrypted secret. A stored secret never goes to another issuer.
 * @throws {AppError} `invalid_input`, `url_not_allowed`
 */
export function oidcSettingsFrom(
  services: Pick<Services, 'roles' | 'cipher' | 'config'>,
  given: z.output<typeof oidcInput>,
  { key, before }: { key: string; before: StoredSettings | undefined },
): StoredSettings & { settings: OidcSettings } {
  const known = before?.settings.kind === 'oidc' ? before.settings : undefined;
  const { issuer = known?.issuer, clientId = known?.clientId } = given;
  const isSame = known !== undefined && issuer === known.issuer;
  const stored = isSame ? (before?.secret ?? undefined) : undefined;
  const clientSecret =
    given.clientSecret === undefined
      ? stored
      : stored !== undefined && openSecret(services.cipher, key, stored) === given.clientSecret
        ? stored
        : sealSecret(services.cipher, key, given.clientSecret);
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) {
    const missing = Object.entries({ issuer, clientId, clientSecret }).filter(
      ([, value]) => value === undefined,
    );
    const issues = missing.map(([path]) => ({ path, message: 'is missing' }));
    throw new AppError('invalid_input', { issues });
  }
  if (!isIssuer(issuer, services.config.NODE_ENV === 'production')) throw new AppError('url_not_allowed');
  const scopes = [...new Set(['openid', ...(given.scopes ?? known?.scopes ?? SCOPES)])];
  const rules = rulesFrom(services, given, known);
  return { settings: { kind: 'oidc', issuer, clientId, scopes, ...rules }, secret: clientSecret };
}

/** OpenID Connect Discovery 1.0, section 3: without query and fragment. */
function isIssuer(text: string, isProduction: boolean): boolean {
  return isCallableUrl(text, isProduction) && !/[?#\s]/.test(text);
}
