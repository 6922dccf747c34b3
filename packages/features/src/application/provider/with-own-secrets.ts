import { isOpaqueToken, sha256Hex } from '@gatehouse/auth-core';
import type { Client, default as OidcProvider } from 'oidc-provider';
import type { Services } from '../../core/context.js';

/** Secrets of applications are compared by their digests, as they are now. The time of the last use is written about once a minute. */
export function withOwnSecrets(
  provider: OidcProvider,
  { access, keyUse }: Pick<Services, 'access' | 'keyUse'>,
): void {
  provider.Client.prototype.compareClientSecret = async function compareClientSecret(
    this: Client,
    sent: string,
  ) {
    if (!isOpaqueToken('clientSecret', sent)) return false;
    const application = await access.client(this.clientId);
    const digest = sha256Hex(sent);
    const secret = application?.secrets.find((known) => known.digest === digest);
    if (secret === undefined) return false;
    keyUse.noteSecret(secret.id);
    return true;
  };
}
