import { AppError } from '@gatehouse/auth-core';
import { type Database, findMember, findPasskeyUserId, type Passkey } from '@gatehouse/db';
import type { RelyingParty } from '@gatehouse/runtime/config/relying-party';
import { z } from 'zod';
import { personName } from '../../core/app/person-name.js';

/** What a client passes to the signal API of browsers, so that password managers keep no stale passkeys. */
export const signalsSchema = z.object({
  rpId: z.string(),
  /** Null before the first passkey. */
  userId: z.string().nullable(),
  allAcceptedCredentialIds: z.array(z.string()),
  name: z.string(),
  displayName: z.string(),
});

export type Signals = z.output<typeof signalsSchema>;

/** The signals of a member with these passkeys: those that count, and the names they are shown under. */
export async function readSignals(
  db: Database,
  party: RelyingParty,
  { memberId, passkeys }: { memberId: number; passkeys: readonly Passkey[] },
): Promise<Signals> {
  const member = await findMember(db, memberId);
  const id = await findPasskeyUserId(db, memberId);
  if (!member || !id) throw new AppError('unauthorized');
  const accepted = passkeys.filter(({ rpId, suspectAtMs }) => rpId === party.id && suspectAtMs === null);
  return {
    rpId: party.id,
    userId: id.passkeyUserId,
    allAcceptedCredentialIds: accepted.map(({ credentialId }) => credentialId),
    name: member.email ?? member.username,
    displayName: personName(member),
  };
}
