import { browserPasskeys } from './browser.js';
import type { Signals } from './passkey-client.js';

/**
 * Tells password managers which passkeys are still valid, and the member's names. Call it with the `signals` of `passkey.list`,
 * `.add` and `.remove`. Does nothing in browsers without this feature.
 */
export async function sendSignals(signals: Signals): Promise<void> {
  const { rpId, userId, allAcceptedCredentialIds, name, displayName } = signals;
  if (userId === null) return;
  const PublicKey = browserPasskeys()?.PublicKey;
  await quietly(PublicKey?.signalAllAcceptedCredentials?.({ rpId, userId, allAcceptedCredentialIds }));
  await quietly(PublicKey?.signalCurrentUserDetails?.({ rpId, userId, name, displayName }));
}

/** Tells password managers that a passkey no longer exists. */
export async function forgetPasskey(rpId: string, response: unknown): Promise<void> {
  if (typeof response !== 'object' || response === null || !('id' in response)) return;
  const credentialId = response.id;
  await quietly(browserPasskeys()?.PublicKey.signalUnknownCredential?.({ rpId, credentialId }));
}

/** A failed signal has no consequence. */
async function quietly(signal: Promise<void> | undefined): Promise<void> {
  try {
    await signal;
  } catch {
    // Browsers refuse signals of other domains.
  }
}
