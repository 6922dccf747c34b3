import { randomId } from '@gatehouse/auth-core';
import type { ApplicationRow } from '@gatehouse/db/queries/applications';
import type { ClientMetadata } from 'oidc-provider';
import type { Services } from '../../core/context.js';
import { admitsHost, clientHost } from '../../core/guard/client-host.js';
import { apiScopes } from '../../core/guard/scope-permissions.js';
import { OPENID_SCOPES } from '../application-scopes.js';
import { MACHINE_GRANT, standingMachine } from './machine-standing.js';
import { DEVICE_GRANT } from './with-device-codes.js';

/** The library demands a secret of clients that authenticate with one. Ours are stored as digests, so no one compares with this. */
const NO_SECRET = randomId(32);

/**
 * An application in the terms of RFC 7591; undefined for one that is not active or cannot sign anybody in. The caller has awaited
 * `access.current()`.
 */
export async function findClientMetadata(
  services: Pick<Services, 'access' | 'config' | 'db' | 'now' | 'relyingParty' | 'roles'>,
  clientId: string,
): Promise<ClientMetadata | undefined> {
  const { access, config } = services;
  const application = await access.client(clientId);
  if (application === undefined || !application.active) return undefined;
  const { type } = application;
  if (type === 'machine')
    return (await standingMachine(services, application)) && toMachineMetadata(application);
  if (type === 'device') return toDeviceMetadata(services, application);
  const signsIn =
    type !== 'document' || admitsHost(config.OAUTH_CLIENT_DOCUMENTS, clientHost(clientId) ?? '');
  return signsIn ? toSignInMetadata(services, application) : undefined;
}

/** An application that signs people in; undefined for one that may ask for nothing. */
export function toSignInMetadata(
  services: Pick<Services, 'roles'>,
  application: ApplicationRow,
): ClientMetadata | undefined {
  const asks = askableScopes(services, application);
  return asks && { ...toClientMetadata(application), ...asks };
}

/** What an application may ask people for; undefined if that is nothing. */
function askableScopes(services: Pick<Services, 'roles'>, application: ApplicationRow) {
  const api = apiScopesOf(services, application);
  const about = openIdScopesOf(application);
  if (about.length + api.length === 0) return undefined;
  // The library lets clients without a scope ask for all.
  const scope = about.length === 0 ? 'openid' : about.join(' ');
  return { scope, api_scope: api.join(' ') };
}

/** The scopes about a member that an application may ask for now. */
export function openIdScopesOf({ scopes }: Pick<ApplicationRow, 'scopes'>): string[] {
  return scopes.filter((scope) => OPENID_SCOPES.has(scope));
}

/** What an application may ask for now at our own API. */
export function apiScopesOf(
  { roles }: Pick<Services, 'roles'>,
  { scopes }: Pick<ApplicationRow, 'scopes'>,
): string[] {
  const known = apiScopes(roles);
  return scopes.filter((scope) => known.has(scope));
}

function toClientMetadata(application: ApplicationRow): ClientMetadata {
  const { clientId, name, type, redirectUris, postLogoutRedirectUris, subjectType } = application;
  return {
    client_id: clientId,
    client_name: name,
    application_type: type === 'native' || type === 'document' ? 'native' : 'web',
    redirect_uris: redirectUris,
    post_logout_redirect_uris: postLogoutRedirectUris,
    response_types: ['code'],
    grant_types: ['authorization_code', 'refresh_token'],
    subject_type: subjectType,
    pkce_exempt: application.pkceExempt,
    publisher_id: application.accountId ?? 0,
    ...authenticationOf(application),
  };
}

/** How an application proves who it is. */
function authenticationOf({ type, jwks, jwksUri }: ApplicationRow): Partial<ClientMetadata> {
  if (jwksUri !== null) return { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: jwksUri };
  if (jwks !== null)
    return {
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: jwks.keys.map((key) => ({ ...key })) },
    };
  if (type !== 'web' && type !== 'machine') return { token_endpoint_auth_method: 'none' };
  return { token_endpoint_auth_method: 'client_secret_basic', client_secret: NO_SECRET };
}

/** An application that acts as a machine. No browser is sent to it. */
function toMachineMetadata(application: ApplicationRow): ClientMetadata {
  return {
    client_id: application.clientId,
    client_name: application.name,
    redirect_uris: [],
    response_types: [],
    grant_types: [MACHINE_GRANT],
    ...authenticationOf(application),
  };
}

/** An application on a device that has no browser. It has no address of its own, and no secret. */
function toDeviceMetadata(
  services: Pick<Services, 'roles'>,
  application: ApplicationRow,
): ClientMetadata | undefined {
  const asks = askableScopes(services, application);
  if (asks === undefined) return undefined;
  return {
    ...asks,
    client_id: application.clientId,
    client_name: application.name,
    application_type: 'native',
    redirect_uris: [],
    response_types: [],
    grant_types: [DEVICE_GRANT, 'refresh_token'],
    publisher_id: application.accountId ?? 0,
    token_endpoint_auth_method: 'none',
  };
}
