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
