import { recordApplicationLogin } from '@gatehouse/db/queries/application-logins';
import type { default as OidcProvider } from 'oidc-provider';
import type { Services } from '../../core/context.js';
import { visitorOfUid } from './visitor.js';

/**
 * Remembers to which applications somebody signs in that want to hear when the session ends. A job tells them: the library would tell
 * them once, during the request that signs out, and of no other way in which a session ends.
 */
export function withBackchannelLogout(
  provider: OidcProvider,
  { access, db, now }: Pick<Services, 'access' | 'db' | 'now'>,
): void {
  const { AuthorizationCode, Client } = provider;
  Reflect.set(Client.prototype, 'backchannelLogout', () => Promise.resolve());
  const save: unknown = Reflect.get(AuthorizationCode.prototype, 'save');
  Reflect.set(
    AuthorizationCode.prototype,
    'save',
    async function saveAfterLogin(this: InstanceType<typeof AuthorizationCode>): Promise<unknown> {
      const application = await access.client(String(this.clientId));
      const visitor = visitorOfUid(this.sessionUid ?? '');
      // Before the code, so that each application that has one is told.
      if (application?.backchannelLogoutUri && visitor !== undefined)
        await recordApplicationLogin(db, { applicationId: application.id, ...visitor, createdAtMs: now() });
      const saved: unknown = typeof save === 'function' ? await Reflect.apply(save, this, []) : undefined;
      return saved;
    },
  );
}
