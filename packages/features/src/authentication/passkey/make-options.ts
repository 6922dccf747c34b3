import type { Passkey } from '@gatehouse/db';
import type { RelyingParty } from '@gatehouse/runtime/config/relying-party';
import { beginFlow, type FlowScope } from '../../core/app/flow.js';
import type { Services } from '../../core/app/services.js';
import type { CreationOptions, CredentialDescriptor, RequestOptions } from './option-schemas.js';

/** Ed25519, P-256 and RSA (COSE). They are pinned, because the library's default depends on the Node version. */
export const ALGORITHMS = [-8, -7, -257] as const;

/** How long a browser asks. A flow lives longer, for autofill. */
const TIMEOUT_MS = 300_000;

/** A flow and the options that ask for a passkey in it. */
export interface AskedPasskey {
  readonly flow: string;
  readonly options: RequestOptions;
}

/** Asks for a passkey: one of these, or any. */
export function askPasskey(
  services: Pick<Services, 'cipher' | 'deployment' | 'now'>,
  party: RelyingParty,
  scope: FlowScope,
  passkeys: readonly Passkey[] = [],
): AskedPasskey {
  const { flow, id: challenge } = beginFlow(services, scope);
  const allowCredentials = descriptorsOf(passkeys, party);
  const options = { challenge, rpId: party.id, timeout: TIMEOUT_MS, allowCredentials };
  return { flow, options: { ...options, userVerification: 'required' } };
}

/** The options of a new passkey. */
export function newPasskeyOptions(
  party: RelyingParty,
  {
    challenge,
    user,
    passkeys,
    isAuto,
  }: {
    readonly challenge: string;
    readonly user: CreationOptions['user'];
    /** Those the member has, of which an authenticator makes no second one. */
    readonly passkeys: readonly Passkey[];
    readonly isAuto: boolean;
  },
): CreationOptions {
  return {
    challenge,
    rp: { id: party.id, name: party.id },
    user,
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    timeout: TIMEOUT_MS,
    excludeCredentials: descriptorsOf(passkeys, party),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: isAuto ? 'preferred' : 'required',
    },
    attestation: 'none',
  };
}

function descriptorsOf(passkeys: readonly Passkey[], party: RelyingParty): CredentialDescriptor[] {
  return passkeys
    .filter(({ rpId }) => rpId === party.id)
    .map(({ credentialId: id, transports }) => ({
      type: 'public-key',
      id,
      transports: transports.split(' ').filter((each) => each !== ''),
    }));
}
