import { findClient } from '@gatehouse/db/queries/applications';
import type * as library from 'oidc-provider';
import type {
  AccessToken,
  ClientCredentials as ClientCredentialsToken,
  KoaContextWithOIDC,
  default as OidcProvider,
} from 'oidc-provider';
import { z } from 'zod';
import type { Services } from '../../core/context.js';
import { MACHINE_GRANT, type StandingMachine, standingMachine } from './machine-standing.js';
import { isOwnApi } from './own-api.js';
import { makeAccessTokensOf } from './with-own-tokens.js';

type MachineServices = Pick<Services, 'access' | 'config' | 'db' | 'now' | 'relyingParty' | 'roles'>;

const extra = z.object({ sub: z.string() });

/**
 * Lets applications of type `machine` act as their machine (RFC 6749, section 4.4). A token of one is found only while the machine may
 * act, with the scopes that its role holds at that moment.
 */
export function withMachineTokens(
  provider: OidcProvider,
  { Provider, errors }: typeof library,
  services: MachineServices,
): void {
  const { ClientCredentials } = provider;
  makeAccessTokensOf(ClientCredentials);
  const find: unknown = Reflect.get(ClientCredentials, 'find');
  Reflect.set(ClientCredentials, 'find', async (...given: readonly unknown[]) => {
    // Applications ask about their own tokens, and only applications of this type have tokens of a machine.
    if (Provider.ctx?.oidc.client?.grantTypeAllowed(MACHINE_GRANT) === false) return undefined;
    const token: unknown =
      typeof find === 'function' ? await Reflect.apply(find, ClientCredentials, given) : undefined;
    if (!(token instanceof ClientCredentials)) return undefined;
    const machine = await machineOf(services, token.clientId);
    const { sub } = extra.parse(token.extra);
    if (machine === undefined || String(machine.machineId) !== sub) return undefined;
    const scope = joined(token.scope?.split(' ').filter((each) => machine.scopes.has(each)));
    return Object.assign(token, { scope });
  });
  provider.registerGrantType<{ readonly scope?: string; readonly resource?: string }>(
    MACHINE_GRANT,
    async (koa) => {
      const { client, params } = koa.oidc;
      const application = await findClient(services.db, client.clientId);
      const machine = application && (await standingMachine(services, application));
      if (machine === undefined) throw new errors.InvalidClient('client is invalid', 'its machine is gone');
      const asked = params.scope?.split(' ').filter(Boolean);
      const unknown = asked?.find((scope) => !application?.scopes.includes(scope));
      if (unknown !== undefined) throw new errors.InvalidScope('requested scope is not allowed', unknown);
      const scope = joined((asked ?? [...machine.scopes]).filter((each) => machine.scopes.has(each)));
      const { resource } = params;
      if (resource !== undefined && !isOwnApi(services.config, resource)) throw new errors.InvalidTarget();
      // A token for this API without any scope is of no use.
      if (scope === undefined && (asked ?? resource) !== undefined)
        throw new errors.InvalidScope(
          'the role of the machine has none of these scopes',
          asked?.join(' ') ?? '',
        );
      const token = new ClientCredentials({ client, ...(scope === undefined ? {} : { scope }) });
      if (resource !== undefined) token.setAudience(services.config.BASE_URL);
      subjects.set(token, machine);
      koa.oidc.entity('ClientCredentials', token);
      const value = await token.save();
      koa.body = { access_token: value, expires_in: token.expiration, token_type: 'Bearer', scope };
    },
    ['scope', 'resource'],
  );
}

/** The machines of tokens that are being issued. */
const subjects = new WeakMap<object, StandingMachine>();

/** What the introspection answers about the token of a machine: whom it is for. */
export function machineClaims(_: KoaContextWithOIDC, token: AccessToken | ClientCredentialsToken) {
  const machine = subjects.get(token);
  return machine && { sub: String(machine.machineId) };
}

async function machineOf(services: MachineServices, clientId: string | undefined) {
  await services.access.current();
  const application = clientId === undefined ? undefined : await services.access.client(clientId);
  return application && standingMachine(services, application);
}

function joined(scopes: readonly string[] | undefined): string | undefined {
  return scopes?.length ? scopes.join(' ') : undefined;
}
