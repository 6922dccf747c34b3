import type { Passkey } from '@gatehouse/db';
import type { RelyingParty } from '@gatehouse/runtime/config/relying-party';
import { z } from 'zod';

/** A passkey as its member sees it. */
export const passkeyView = z.object({
  id: z.int(),
  name: z.string(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
  backedUp: z.boolean(),
  /** Whether it may be copied between devices. */
  backupEligible: z.boolean(),
  transports: z.array(z.string()),
  /** Whether a copy of it was seen. It counts no more. */
  isSuspect: z.boolean(),
  /** False for suspect ones, and for those made under another domain. */
  isUsable: z.boolean(),
});

/** The longest name of a passkey, in characters. */
export const LONGEST_NAME = 64;

/** A name that shows something. */
export const passkeyName = z
  .string()
  .trim()
  .min(1)
  .max(LONGEST_NAME)
  .regex(/[^\p{C}\p{Z}\p{M}\u3164\u115F\u1160\uFFA0\u2800]/u, 'must show something');

export function toPasskeyView(
  party: RelyingParty,
  { id, name, rpId, backedUp, backupEligible, ...passkey }: Passkey,
): z.output<typeof passkeyView> {
  const { createdAtMs, lastUsedAtMs, transports, suspectAtMs } = passkey;
  const isSuspect = suspectAtMs !== null;
  return {
    id,
    name,
    createdAt: new Date(createdAtMs).toISOString(),
    lastUsedAt: lastUsedAtMs === null ? null : new Date(lastUsedAtMs).toISOString(),
    backedUp,
    backupEligible,
    transports: transports.split(' ').filter((each) => each !== ''),
    isSuspect,
    isUsable: !isSuspect && rpId === party.id,
  };
}
