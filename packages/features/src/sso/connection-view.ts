import { createHmac } from 'node:crypto';
import { PLATFORM, type SsoConnection } from '@gatehouse/db/queries/sso-connections';
import { z } from 'zod';
import type { Services } from '../core/context.js';
import { rulesView } from './connection-rules.js';
import { MAX_KEYS } from './read-saml-metadata.js';
import { readSamlKey } from './saml-key.js';

/** The most connections of an account. */
export const MAX_CONNECTIONS = 5;

export const MAX_SCOPES = 20;

/** A connection of an account with its identity provider. */
export const connectionView = z
  .object({
    id: z.int(),
    key: z.string(),
    name: z.string(),
    kind: z.enum(['oidc', 'saml']),
    /** Whether people sign in through it. */
    active: z.boolean(),
    /** Whether the settings below are not those in use. */
    hasChanges: z.boolean(),
    /** Whether the settings below have passed a test, so that they can be activated. */
    tested: z.boolean(),
    ...rulesView,
    oidc: z
      .object({
        issuer: z.string(),
        clientId: z.string(),
        scopes: z.array(z.string()).max(MAX_SCOPES),
        redirectUri: z.string(),
        backchannelLogoutUri: z.string(),
      })
      .nullable(),
    saml: z
      .object({
        /** As the identity provider names itself. */
        entityId: z.string(),
        metadataUrl: z.string().nullable(),
        allowIdpInitiated: z.boolean(),
        /** When each certificate of its signing keys ends; an ended one refuses nobody. */
        certificatesEndAt: z.array(z.iso.datetime()).max(MAX_KEYS),
        /** What was wrong when the metadata was last fetched, in words. */
        metadataProblem: z.string().nullable(),
        /** The values to enter at the identity provider: our entityID, which is where our metadata is, and our addresses. */
        serviceEntityId: z.string(),
        acsUrl: z.string(),
        logoutUrl: z.string(),
      })
      .nullable(),
    startUrl: z.string(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'SsoConnection' });

/** The values to enter at the identity provider for the connection that an account adds next. */
export const nextConnectionView = z
  .object({
    /** Send it with the new connection, so that it is refused if it would have other addresses by then. */
    key: z.string(),
    redirectUri: z.string(),
    backchannelLogoutUri: z.string(),
    serviceEntityId: z.string(),
    acsUrl: z.string(),
    logoutUrl: z.string(),
  })
  .meta({ id: 'NextSsoConnection' });

/**
 * The key of the connection that an account adds next. It exists in advance, because identity providers ask for our addresses
 * first, and it stays the same until then. A connection that was removed gives its key to a later one of the same account.
 */
export function nextConnectionKey(
  { config }: Pick<Services, 'config'>,
  accountId: number,
  connections: readonly Pick<SsoConnection, 'key'>[],
): string {
  const used = new Set(connections.map(({ key }) => key));
  for (let at = 0; ; at += 1) {
    const code = createHmac('sha256', config.SESSION_SECRET).update(`ssoConnection:${accountId}:${at}`);
    const key = code.digest('hex').slice(0, 32);
    if (!used.has(key)) return key;
  }
}

export function toNextConnectionView(
  services: Pick<Services, 'config'>,
  next: Pick<SsoConnection, 'key' | 'accountId'>,
): z.output<typeof nextConnectionView> {
  const { key } = next;
  const { callback, backchannel, metadata, acs, logout } = connectionUrls(services, next);
  return {
    key,
    redirectUri: callback,
    backchannelLogoutUri: backchannel,
    serviceEntityId: metadata,
    acsUrl: acs,
    logoutUrl: logout,
  };
}

/** The addresses of a connection. The admin service has those of the platform. */
export function connectionUrls(
  { config }: Pick<Services, 'config'>,
  { key, accountId }: Pick<SsoConnection, 'key' | 'accountId'>,
): Readonly<Record<'start' | 'finish' | 'callback' | 'backchannel' | 'metadata' | 'acs' | 'logout', string>> {
  const base = accountId === PLATFORM ? config.BASE_URL : (config.MAIN_URL ?? config.BASE_URL);
  return {
    start: `${base}/sso/${key}/start`,
    finish: `${base}/sso/${key}/finish`,
    callback: `${base}/sso/oidc/${key}/callback`,
    backchannel: `${base}/sso/oidc/${key}/backchannel`,
    metadata: `${base}/sso/saml/${key}/metadata`,
    acs: `${base}/sso/saml/${key}/acs`,
    logout: `${base}/sso/saml/${key}/logout`,
  };
}

export function toConnectionView(
  services: Pick<Services, 'config'>,
  row: SsoConnection,
): z.output<typeof connectionView> {
  const { id, key, name, kind, settings, version, testedVersion, live, liveVersion } = row;
  const { roleMap, defaultRole, justInTime, sessionHours, idpLevel } = settings;
  const urls = connectionUrls(services, row);
  return {
    id,
    key,
    name,
    kind,
    active: live !== null,
    hasChanges: live !== null && liveVersion !== version,
    tested: testedVersion === version,
    roleMap: [...roleMap],
    defaultRole,
    justInTime,
    sessionHours,
    idpLevel,
    oidc:
      settings.kind === 'oidc'
        ? {
            issuer: settings.issuer,
            clientId: settings.clientId,
            scopes: [...settings.scopes],
            redirectUri: urls.callback,
            backchannelLogoutUri: urls.backchannel,
          }
        : null,
    saml:
      settings.kind === 'saml'
        ? {
            entityId: settings.entityId,
            metadataUrl: settings.metadataUrl,
            allowIdpInitiated: settings.allowIdpInitiated,
            certificatesEndAt: settings.certificates.flatMap((each) => {
              const endsAtMs = readSamlKey(each)?.notAfterMs;
              return endsAtMs === undefined ? [] : [new Date(endsAtMs).toISOString()];
            }),
            metadataProblem: row.metadataCheck?.problem ?? null,
            serviceEntityId: urls.metadata,
            acsUrl: urls.acs,
            logoutUrl: urls.logout,
          }
        : null,
    startUrl: urls.start,
    createdAt: new Date(row.createdAtMs).toISOString(),
    updatedAt: new Date(row.updatedAtMs).toISOString(),
  };
}
