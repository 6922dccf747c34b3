import { AppError, sha256Hex } from '@gatehouse/auth-core';
import type { NewPasskey } from '@gatehouse/db/queries/member-passkeys';
import type { RelyingParty } from '@gatehouse/runtime/config/relying-party';
import { ALGORITHMS } from './passkey-options.js';
import type { RegistrationResponse } from './web-authn.js';
import { isOwnClientData, loadWebAuthn } from './web-authn.js';

/** A new credential whose response was right. */
export interface CheckedRegistration
  extends Pick<
    NewPasskey,
    'credentialKey' | 'credentialId' | 'publicKey' | 'counter' | 'backupEligible' | 'backedUp' | 'transports'
  > {
  /** Whether the authenticator verified the user. */
  readonly isVerified: boolean;
}

const TRANSPORTS = new Set(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']);

/**
 * Checks the response of a browser that made a passkey.
 * @param isAuto the browser made it without asking, so that it may have verified nobody
 * @throws {AppError} `invalid_input`
 */
export async function checkRegistration(
  party: RelyingParty,
  sent: RegistrationResponse,
  { challenge, isAuto }: { challenge: string; isAuto: boolean },
): Promise<CheckedRegistration> {
  const { clientDataJSON, attestationObject, transports = [] } = sent.response;
  const made = { type: 'webauthn.create', challenge, party } as const;
  if (!isOwnClientData(clientDataJSON, made)) throw refusal('the client data is of another call');
  if (!(await hasPlainAttestation(attestationObject))) throw refusal('the attestation is of another format');
  const { server } = await loadWebAuthn();
  const known = transports.filter((transport) => TRANSPORTS.has(transport));
  const checked = await server
    .verifyRegistrationResponse({
      response: {
        id: sent.id,
        rawId: sent.rawId,
        type: sent.type,
        response: { clientDataJSON, attestationObject },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: [...party.origins],
      expectedRPID: party.id,
      expectedType: 'webauthn.create',
      requireUserPresence: !isAuto,
      requireUserVerification: !isAuto,
      supportedAlgorithmIDs: [...ALGORITHMS],
    })
    .catch((cause: unknown) => {
      throw refusal('the library refused it', cause);
    });
  if (!checked.verified) throw refusal('the attestation is wrong');
  const { credential, credentialDeviceType, credentialBackedUp, userVerified } = checked.registrationInfo;
  // The library does not compare them.
  if (credential.id !== sent.id) throw refusal('the response names another credential');
  return {
    credentialKey: sha256Hex(credential.id),
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    backupEligible: credentialDeviceType === 'multiDevice',
    backedUp: credentialBackedUp,
    transports: [...new Set(known)].join(' '),
    isVerified: userVerified,
  };
}

/**
 * Whether the attestation is none, or a signature by the credential itself. The library would follow addresses in
 * the certificates of the others before it looks at their root.
 */
async function hasPlainAttestation(encoded: string): Promise<boolean> {
  const { helpers } = await loadWebAuthn();
  try {
    const attestation = helpers.decodeAttestationObject(new Uint8Array(Buffer.from(encoded, 'base64url')));
    const format: string = attestation.get('fmt');
    if (format === 'none') return true;
    return format === 'packed' && attestation.get('attStmt').get('x5c') === undefined;
  } catch {
    return false;
  }
}

function refusal(detail: string, cause?: unknown): AppError {
  return new AppError('invalid_input', {
    detail,
    issues: [{ path: 'response', message: 'The passkey was not accepted' }],
    ...(cause === undefined ? {} : { cause }),
  });
}
