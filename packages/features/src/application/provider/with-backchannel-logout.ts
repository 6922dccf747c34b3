import { recordApplicationLogin } from '@gatehouse/db/queries/application-logins';
import type { default as OidcProvider } from 'oidc-provider';
import type { Services } from '../../core/context.js';
import { visitorOfUid } from './visitor.js';

/**
 * Records sign-ins to applications that are notified when the session ends. A job notifies them: the library would do so once,
 * during the request that signs out, and for no other way in which a session ends.
 */
export function withBackchannelLogout(
  provider: OidcProvider,
  services: Pick<Services, 'access' | 'db' | 'now'>,
): void {
  const { AuthorizationCode, Client, DeviceCode } = provider;
  Reflect.set(Client.prototype, 'backchannelLogout', () => Promise.resolve());
  for (const { prototype } of [AuthorizationCode, DeviceCode]) {
    const save: unknown = Reflect.get(prototype, 'save');
    Reflect.set(prototype, 'save', async function saveAfterLogin(this: Code): Promise<unknown> {
      // Before the code, so that each application that has one is notified.
      if (!(this instanceof DeviceCode && staysAfterSession(this))) await remember(services, this);
      const saved: unknown = typeof save === 'function' ? await Reflect.apply(save, this, []) : undefined;
      return saved;
    });
  }
}

type Code = InstanceType<OidcProvider['AuthorizationCode'] | OidcProvider['DeviceCode']>;

/** A device that keeps its access has nothing to do with the browser in which a person let it in. */
function staysAfterSession({ scope = '' }: Code): boolean {
  return scope.split(' ').includes('offline_access');
}

/** A device that nobody has approved yet has no session. */
async function remember(
  { access, db, now }: Pick<Services, 'access' | 'db' | 'now'>,
  { clientId, sessionUid = '' }: Code,
): Promise<void> {
  const visitor = visitorOfUid(sessionUid);
  if (visitor === undefined) return;
  const application = await access.client(String(clientId));
  if (application?.backchannelLogoutUri)
    await recordApplicationLogin(db, { applicationId: application.id, ...visitor, createdAtMs: now() });
}
