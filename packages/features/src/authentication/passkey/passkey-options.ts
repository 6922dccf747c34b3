import { AppError } from '@gatehouse/auth-core';
import type { Passkey } from '@gatehouse/db/queries/member-passkeys';
import { sendJson } from '@gatehouse/http/rest/reply';
import type { RawEndpoint } from '@gatehouse/http/rest/route';
import type { RelyingParty } from '@gatehouse/runtime/config/relying-party';
import { z } from 'zod';
import type { Context, Services } from '../../core/context.js';
import { beginFlow, type FlowScope } from '../../core/guard/one-use-flow.js';

/** Ed25519, P-256 and RSA (COSE). They are pinned, because the library's default depends on the Node version. */
export const ALGORITHMS = [-8, -7, -257] as const;

/** How long a browser asks. A flow lives longer, for autofill. */
const TIMEOUT_MS = 300_000;

/** A flow and the options that ask for a passkey in it. */
interface AskedPasskey {
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
    /** The member's passkeys, so that no authenticator makes a second one. */
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

const descriptor = z.object({
  type: z.literal('public-key'),
  id: z.string(),
  transports: z.array(z.string()).optional(),
});

/** What `navigator.credentials.get` takes, as JSON: PublicKeyCredentialRequestOptionsJSON of WebAuthn Level 3. */
export const requestOptions = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.int(),
  userVerification: z.literal('required'),
  /** The member's passkeys; empty if nobody has said yet who they are. */
  allowCredentials: z.array(descriptor),
});

/** What `navigator.credentials.create` takes, as JSON: PublicKeyCredentialCreationOptionsJSON of WebAuthn Level 3. */
export const creationOptions = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.int() })),
  timeout: z.int(),
  excludeCredentials: z.array(descriptor),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.enum(['required', 'preferred']),
  }),
  attestation: z.literal('none'),
});

type RequestOptions = z.output<typeof requestOptions>;

type CreationOptions = z.output<typeof creationOptions>;

type CredentialDescriptor = z.output<typeof descriptor>;

/** The origins outside the domain that may use its passkeys (WebAuthn Level 3, 5.11). */
export const relatedOrigins: RawEndpoint<Context> = {
  summary: 'Names the other origins that may use the passkeys of this domain',
  about: {
    tag: 'machines',
    answers: {
      200: {
        description: 'The origins',
        content: { 'application/json': z.object({ origins: z.array(z.string()) }) },
      },
    },
    refuses: ['not_found'],
  },
  async handle({ ctx, response }) {
    const origins = ctx.services.relyingParty?.relatedOrigins ?? [];
    if (origins.length === 0) throw new AppError('not_found');
    sendJson(response, 200, { origins });
  },
};
