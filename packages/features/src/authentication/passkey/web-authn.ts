import type { RelyingParty } from '@gatehouse/runtime/config/relying-party';
import { z } from 'zod';

const clientData = z.looseObject({
  type: z.string(),
  challenge: z.string(),
  origin: z.string(),
  crossOrigin: z.boolean().optional(),
});

/**
 * Whether a browser collected this client data for this call (WebAuthn Level 3, 7.1 and 7.2): type, challenge, and an
 * origin of this deployment. What was made in a frame of another site is refused.
 */
export function isOwnClientData(
  encoded: string,
  {
    type,
    challenge,
    party,
  }: { type: 'webauthn.create' | 'webauthn.get'; challenge: string; party: RelyingParty },
): boolean {
  const read = clientData.safeParse(parseJson(Buffer.from(encoded, 'base64url').toString()));
  if (!read.success) return false;
  const { data } = read;
  const isFramed = data.crossOrigin === true || 'topOrigin' in data;
  return (
    data.type === type && data.challenge === challenge && party.origins.includes(data.origin) && !isFramed
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Loads the library of WebAuthn at its first use, because it is large. No other file of the services imports it. */
export async function loadWebAuthn() {
  const [server, helpers] = await Promise.all([
    import('@simplewebauthn/server'),
    import('@simplewebauthn/server/helpers'),
  ]);
  return { server, helpers };
}

const MAX_RESPONSE_LENGTH = 16_384;

/** 1,023 bytes (WebAuthn Level 3, 5.1) in base64url. */
const MAX_ID_LENGTH = 1_364;

const base64url = (longest: number) =>
  z
    .string()
    .max(longest)
    .regex(/^[A-Za-z0-9_-]*$/, 'must be base64url');

const id = base64url(MAX_ID_LENGTH).min(1);
const clientDataJSON = base64url(MAX_RESPONSE_LENGTH).min(1);
const attachment = z.string().max(32).nullish();
const isSmall = (response: object) => JSON.stringify(response).length <= MAX_RESPONSE_LENGTH;
const tooLarge = { message: 'A response has at most 16 kB' };

/** What a browser answers when a passkey was made: RegistrationResponseJSON of WebAuthn Level 3. */
export const registrationResponse = z
  .object({
    id,
    rawId: id,
    type: z.literal('public-key'),
    authenticatorAttachment: attachment,
    response: z.object({
      clientDataJSON,
      attestationObject: base64url(MAX_RESPONSE_LENGTH).min(1),
      transports: z.array(z.string().max(16)).max(8).optional(),
    }),
  })
  .refine(isSmall, tooLarge);

/** What a browser answers when a passkey was used: AuthenticationResponseJSON of WebAuthn Level 3. */
export const authenticationResponse = z
  .object({
    id,
    rawId: id,
    type: z.literal('public-key'),
    authenticatorAttachment: attachment,
    response: z.object({
      clientDataJSON,
      authenticatorData: base64url(MAX_RESPONSE_LENGTH).min(1),
      signature: base64url(MAX_RESPONSE_LENGTH).min(1),
      userHandle: base64url(128).nullish(),
    }),
  })
  .refine(isSmall, tooLarge);

export type RegistrationResponse = z.output<typeof registrationResponse>;

export type AuthenticationResponse = z.output<typeof authenticationResponse>;
