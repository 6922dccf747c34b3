import { AppError } from '@gatehouse/auth-core';
import type { SsoConnection } from '@gatehouse/db/queries/sso-connections';
import type { RawEndpoint } from '@gatehouse/http/rest/route';
import { z } from 'zod';
import type { Context, Services } from '../core/context.js';
import { connectionUrls } from './connection-view.js';
import { ownSamlMetadata, type SamlUrls } from './own-saml-metadata.js';
import { ownSamlKeys } from './saml-keys.js';
import { findServedConnection } from './served-connection.js';

/** The addresses of a connection for its identity provider. The first is also its name. */
export function samlUrls(
  services: Pick<Services, 'config'>,
  row: Pick<SsoConnection, 'key' | 'accountId'>,
): SamlUrls {
  const { metadata, acs, logout } = connectionUrls(services, row);
  return { entityId: metadata, acsUrl: acs, logoutUrl: logout };
}

export const samlParams = { key: z.string().max(50).describe('The key of a connection') };

/**
 * The connection by SAML that an address names.
 * @throws {AppError} `not_found`
 */
export async function requireSamlConnection(
  services: Pick<Services, 'db' | 'deployment'>,
  params: Readonly<Record<string, string>>,
): Promise<SsoConnection> {
  const row = await findServedConnection(services, params['key'] ?? '');
  if (row?.kind !== 'saml') throw new AppError('not_found');
  return row;
}

/** The metadata of a connection for its identity provider. It names nobody. */
export const samlMetadata: RawEndpoint<Context> = {
  summary: 'The metadata of a connection by SAML, for its identity provider',
  about: {
    tag: 'pages',
    params: samlParams,
    answers: {
      200: {
        description: 'An EntityDescriptor',
        content: { 'application/samlmetadata+xml': z.string() },
      },
    },
    refuses: ['not_found', 'unavailable'],
  },
  async handle({ response, params, ctx: { services } }) {
    const row = await requireSamlConnection(services, params);
    const certificates = ownSamlKeys(services, row).map(({ certificate }) => certificate);
    const body = ownSamlMetadata(samlUrls(services, row), certificates);
    response.statusCode = 200;
    response.setHeader('Content-Type', 'application/samlmetadata+xml');
    response.setHeader('Content-Length', Buffer.byteLength(body));
    response.end(body);
  },
};
