import { z } from 'zod';

const LONGEST_RESPONSE = 16_384;
/** 1,023 bytes (WebAuthn Level 3, 5.1) in base64url. */
const LONGEST_ID = 1_364;

const base64url = (longest: number) =>
  z
    .string()
    .max(longest)
    .regex(/^[A-Za-z0-9_-]*$/, 'must be base64url');

const id = base64url(LONGEST_ID).min(1);
const clientDataJSON = base64url(LONGEST_RESPONSE).min(1);
const attachment = z.string().max(32).nullish();

const isSmall = (response: object) => JSON.stringify(response).length <= LONGEST_RESPONSE;
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
      attestationObject: base64url(LONGEST_RESPONSE).min(1),
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
      authenticatorData: base64url(LONGEST_RESPONSE).min(1),
      signature: base64url(LONGEST_RESPONSE).min(1),
      userHandle: base64url(128).nullish(),
    }),
  })
  .refine(isSmall, tooLarge);

export type RegistrationResponse = z.output<typeof registrationResponse>;
export type AuthenticationResponse = z.output<typeof authenticationResponse>;
