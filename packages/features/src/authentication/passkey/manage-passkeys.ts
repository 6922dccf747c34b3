import { AppError } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { findMemberFactors } from '@gatehouse/db/queries/member-factors';
import {
  findPasskeyUserId,
  listPasskeys,
  type Passkey,
  removePasskey,
  setPasskeyName,
} from '@gatehouse/db/queries/member-passkeys';
import { findMember } from '@gatehouse/db/queries/read-members';
import { endAllSessions } from '@gatehouse/db/queries/revoke-sessions';
import { removeBackupCodes } from '@gatehouse/db/queries/second-factors';
import type { RelyingParty } from '@gatehouse/runtime/config/relying-party';
import { z } from 'zod';
import { change } from '../../audit/change.js';
import { recordAudit } from '../../audit/record-audit.js';
import { FRESH } from '../../core/guard/freshness.js';
import { requireRelyingParty } from '../../core/guard/level.js';
import { procedure } from '../../core/guard/procedure.js';
import { personName } from '../../core/member-view.js';
import { changeFactors } from '../second-factor/change-factors.js';
import { requireKeptLevel, requireRemovable } from '../second-factor/step-methods.js';
import { keptSession } from '../session/end-sessions.js';

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
  /** Whether a copy of it was seen. If so, it is no longer accepted. */
  isSuspect: z.boolean(),
  /** False for suspect ones, and for those made under another domain. */
  isUsable: z.boolean(),
});

/** The longest name of a passkey, in characters. */
const MAX_NAME_LENGTH = 64;

/** A name that shows something. */
export const passkeyName = z
  .string()
  .trim()
  .min(1)
  .max(MAX_NAME_LENGTH)
  .regex(/[^\p{C}\p{Z}\p{M}\u3164\u115F\u1160\uFFA0\u2800]/u, 'must contain something visible');

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
    // An imported passkey that was not used yet is regarded as eligible if it was backed up.
    backupEligible: backupEligible ?? backedUp,
    transports: transports.split(' ').filter((each) => each !== ''),
    isSuspect,
    isUsable: !isSuspect && rpId === party.id,
  };
}

/** What a client passes to the signal API of browsers, so that password managers keep no stale passkeys. */
export const signalsSchema = z.object({
  rpId: z.string(),
  /** Null before the first passkey. */
  userId: z.string().nullable(),
  allAcceptedCredentialIds: z.array(z.string()),
  name: z.string(),
  displayName: z.string(),
});

type Signals = z.output<typeof signalsSchema>;

/** The signals of a member with these passkeys: the valid ones, and the names under which they are shown. */
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

/** The caller's passkeys, of which there are few. */
export const listOwnPasskeys = procedure({
  who: 'member',
  inPerson: true,
  opensBelowLevel: true,
  opensInRecovery: true,
})
  .meta({ about: { summary: "List one's passkeys", refuses: ['passkeys_not_configured'] } })
  .output(z.object({ list: z.array(passkeyView), signals: signalsSchema }))
  .query(async ({ ctx }) => {
    const { services, caller } = ctx;
    const party = requireRelyingParty(services);
    const passkeys = await listPasskeys(services.db, caller.memberId);
    const signals = await readSignals(services.db, party, { memberId: caller.memberId, passkeys });
    return { list: passkeys.map((passkey) => toPasskeyView(party, passkey)), signals };
  });

/** Names one of the caller's passkeys. */
export const renameOwnPasskey = procedure({ who: 'member', inPerson: true, opensBelowLevel: true })
  .meta({ about: { summary: 'Rename a passkey', refuses: ['not_found', 'passkeys_not_configured'] } })
  .input(z.object({ passkeyId: z.int().positive(), name: passkeyName }))
  .output(z.object({ message: z.string(), data: passkeyView }))
  .mutation(async ({ ctx, input: { passkeyId, name } }) => {
    const { memberId } = ctx.caller;
    const party = requireRelyingParty(ctx.services);
    const renamed = await change(ctx, {}, async ({ tx, nowMs }) => {
      const before = (await listPasskeys(tx, memberId)).find(({ id }) => id === passkeyId);
      if (!before || !(await setPasskeyName(tx, { id: passkeyId, memberId, name })))
        throw new AppError('not_found');
      await recordAudit(tx, ctx, {
        atMs: nowMs,
        action: 'factor.passkey-renamed',
        actorId: memberId,
        subjectKind: 'passkey',
        subjectId: passkeyId,
      });
      return { ...before, name };
    });
    return { message: 'The passkey is renamed', data: toPasskeyView(party, renamed) };
  });

/** Removes one of the caller's passkeys and ends the other sessions. The last way to sign in stays. */
export const removeOwnPasskey = procedure({
  who: 'member',
  inPerson: true,
  opensBelowLevel: true,
  fresh: FRESH,
})
  .meta({
    about: {
      summary: 'Remove a passkey',
      refuses: ['not_found', 'last_factor', 'factor_required', 'passkeys_not_configured'],
    },
  })
  .input(z.object({ passkeyId: z.int().positive() }))
  .output(z.object({ message: z.string(), signals: signalsSchema }))
  .mutation(async ({ ctx, input: { passkeyId } }) => {
    const { services } = ctx;
    const { memberId } = ctx.caller;
    const party = requireRelyingParty(services);
    const signals = await changeFactors(ctx, async ({ tx, nowMs, authorized }) => {
      const passkeys = await listPasskeys(tx, memberId);
      const passkey = passkeys.find(({ id }) => id === passkeyId);
      const factors = await findMemberFactors(tx, memberId);
      if (!passkey || !factors) throw new AppError('not_found');
      const left = passkeys.filter(({ id }) => id !== passkeyId);
      const usable = left.filter(({ suspectAtMs }) => suspectAtMs === null);
      const after = { ...factors, passkeyRpIds: usable.map(({ rpId }) => rpId) };
      await requireKeptLevel(ctx, tx, authorized.caller, { before: factors, after });
      const { hasFactor } = await requireRemovable(tx, services, { memberId, before: factors, after });
      await removePasskey(tx, { id: passkeyId, memberId });
      if (!hasFactor) await removeBackupCodes(tx, memberId);
      await endAllSessions(tx, memberId, {
        nowMs,
        reason: 'factor_changed',
        endedById: memberId,
        keep: keptSession(authorized),
      });
      return {
        result: await readSignals(tx, party, { memberId, passkeys: left }),
        change: 'passkeyRemoved',
        action: 'factor.passkey-removed',
        before: { passkeys: passkeys.length },
        after: { passkeys: left.length },
      };
    });
    return { message: 'The passkey is removed; your other sessions have ended', signals };
  });
