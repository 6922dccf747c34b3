import { z } from 'zod';

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
  /** The member's passkeys; empty where nobody has said yet who they are. */
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

export type RequestOptions = z.output<typeof requestOptions>;
export type CreationOptions = z.output<typeof creationOptions>;
export type CredentialDescriptor = z.output<typeof descriptor>;
