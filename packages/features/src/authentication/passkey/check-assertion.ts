import { AppError, sha256Hex } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { isActiveAt } from '@gatehouse/db/queries/member-columns';
import { setMemberFactors } from '@gatehouse/db/queries/member-factors';
import {
  completePasskey,
  findPasskeyByKey,
  type Passkey,
  setPasskeySuspect,
  usePasskeyOfOneDevice,
  useSyncedPasskey,
} from '@gatehouse/db/queries/member-passkeys';
import { type Credential, findCredentialById } from '@gatehouse/db/queries/passwords';
import type { RefusedKind } from '@gatehouse/db/queries/security-event-log';
import type { RelyingParty } from '@gatehouse/runtime/config/relying-party';
import { recordAudit } from '../../audit/record-audit.js';
import type { Context } from '../../core/context.js';
import type { CheckedProof } from '../../core/guard/authentication-methods.js';
import { requireRelyingParty } from '../../core/guard/level.js';
import { consumeFlow, type Flow, type FlowScope, openFlow } from '../../core/guard/one-use-flow.js';
import { tellFactorChange } from '../second-factor/change-factors.js';
import { checkCodeProof, type SentCode } from '../second-factor/check-code.js';
import { type AuthenticationResponse, isOwnClientData, loadWebAuthn } from './web-authn.js';

/** A refused use of a passkey on one device. */
interface RefusedUse {
  readonly id: number;
  readonly memberId: number;
  readonly counter: number;
  /** When its flow began. A use that began before the last accepted one was only overtaken. */
  readonly beganAtMs: number;
}

/**
 * Marks a passkey as suspect if its counter went back: somebody has a copy. It is no longer accepted, and a mail tells the
 * member. Does nothing if the use was refused for another reason.
 */
async function recordStepBack(ctx: Context, use: RefusedUse): Promise<void> {
  const { services, call } = ctx;
  const { memberId } = use;
  const isSuspect = await changeAccess(services.db, { members: [memberId] }, async (tx) => {
    const nowMs = services.now();
    if (!(await setPasskeySuspect(tx, { ...use, nowMs }))) return false;
    await setMemberFactors(tx, memberId, { nowMs });
    await tellFactorChange(tx, ctx, { memberId, change: 'passkeySuspect' });
    await recordAudit(tx, ctx, {
      atMs: nowMs,
      action: 'factor.passkey-suspect',
      actorId: null,
      onBehalfOfId: memberId,
      subjectKind: 'passkey',
      subjectId: use.id,
    });
    return true;
  });
  if (!isSuspect) return;
  services.wakeups.wake('mail');
  const { requestId, address } = call;
  services.log.security({
    event: 'factor.changed',
    requestId,
    address,
    memberId,
    reason: 'factor.passkey-suspect',
  });
}

/** A flow and the response of a browser in it. */
interface SentAssertion {
  readonly flow: string;
  readonly response: AuthenticationResponse;
}

/** A valid use of a passkey that is not consumed yet. */
interface CheckedAssertion {
  readonly member: Credential;
  /**
   * Uses up the flow and the counter, in the transaction of what the passkey allows. The member's row is locked.
   * @throws {AppError} `invalid_challenge` for a used flow, `invalid_credentials` for a passkey that is no longer valid
   */
  consume(tx: Database, nowMs: number): Promise<void>;
  /** Call it with what the transaction threw: a counter that went back marks the passkey as copied. */
  afterRefusal(error: unknown): Promise<void>;
}

/**
 * Checks a passkey in the order of docs/passkeys.md.
 * @param of the member who must have it; absent where the passkey says who signs in
 * @throws {AppError} `invalid_challenge` for a wrong flow, `passkey_unknown` for one that exists no more, which browsers
 *   then delete, and `invalid_credentials` for all else
 */
export async function checkAssertion(
  ctx: Context,
  { flow: sentFlow, response: sent }: SentAssertion,
  scope: FlowScope,
  of?: { readonly memberId: number },
): Promise<CheckedAssertion> {
  const { services } = ctx;
  const party = requireRelyingParty(services);
  const flow = openFlow(services, sentFlow, scope);
  const used = { type: 'webauthn.get', challenge: flow.id, party } as const;
  if (!isOwnClientData(sent.response.clientDataJSON, used))
    throw refused('the client data is of another call');
  const passkey = await findPasskeyByKey(services.db, sha256Hex(sent.id));
  if (!passkey) throw new AppError('passkey_unknown', { signals: { rpId: party.id, credentialId: sent.id } });
  const member = await findCredentialById(services.db, passkey.memberId);
  // Such a member may come back, and needs the passkey then. Erasing them deletes its row.
  if (!member || member.isDeleted) throw refused('the member is deleted');
  if (of !== undefined && member.id !== of.memberId) throw refused('the passkey is of another member');
  // Some authenticators send an empty one in place of none.
  const userHandle = sent.response.userHandle || undefined;
  requireOwnHandle(passkey, { userHandle, mayLack: of !== undefined });
  if (!isActiveAt(member, services.now())) throw refused('the member is banned');
  if (passkey.suspectAtMs !== null || passkey.rpId !== party.id) throw refused('the passkey counts no more');
  const seen = await verifySignature(sent, { flow, party, passkey });
  const isSynced = passkey.backupEligible ?? seen.backupEligible;
  if (seen.backupEligible !== isSynced) throw refused('the eligibility for backups changed');
  const { counter, backedUp } = seen;
  const use = { id: passkey.id, memberId: member.id, counter, backedUp };
  return {
    member,
    async consume(tx, nowMs) {
      await consumeFlow(tx, flow);
      const record = isSynced ? useSyncedPasskey : usePasskeyOfOneDevice;
      if (!(await record(tx, { ...use, nowMs }))) throw refused('the counter went back, or it was removed');
      if (passkey.userHandle === null || passkey.backupEligible === null)
        await completePasskey(tx, { id: passkey.id, userHandle, backupEligible: isSynced });
      if (isSynced && counter < passkey.counter)
        services.log.notice('passkey.counter-went-back', { id: passkey.id });
    },
    async afterRefusal(error) {
      const isRefused = error instanceof AppError && error.code === 'invalid_credentials';
      if (isRefused && !isSynced) await recordStepBack(ctx, { ...use, beganAtMs: flow.beganAtMs });
    },
  };
}

/** An imported passkey that has not been used here may report any user: its key shows whose it is. */
function requireOwnHandle(
  passkey: Passkey,
  { userHandle, mayLack }: { userHandle: string | undefined; mayLack: boolean },
): void {
  if (userHandle === undefined ? mayLack : passkey.userHandle === null) return;
  if (userHandle === undefined || userHandle !== passkey.userHandle)
    throw refused('the user handle is of another member');
}

/** The verified data of the authenticator. */
interface Seen {
  readonly counter: number;
  readonly backupEligible: boolean;
  readonly backedUp: boolean;
}

async function verifySignature(
  sent: AuthenticationResponse,
  { flow, party, passkey }: { flow: Flow; party: RelyingParty; passkey: Passkey },
): Promise<Seen> {
  const { server } = await loadWebAuthn();
  const { clientDataJSON, authenticatorData, signature } = sent.response;
  const checked = await server
    .verifyAuthenticationResponse({
      response: {
        id: sent.id,
        rawId: sent.rawId,
        type: sent.type,
        response: { clientDataJSON, authenticatorData, signature },
        clientExtensionResults: {},
      },
      expectedChallenge: flow.id,
      expectedOrigin: [...party.origins],
      expectedRPID: party.id,
      expectedType: 'webauthn.get',
      requireUserVerification: true,
      credential: {
        id: passkey.credentialId,
        publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
        // The library would compare the counter before the signature.
        counter: 0,
      },
    })
    .catch((cause: unknown) => {
      throw refused('the library refused it', cause);
    });
  if (!checked.verified) throw refused('the signature is wrong');
  const { newCounter, credentialDeviceType, credentialBackedUp } = checked.authenticationInfo;
  return {
    counter: newCounter,
    backupEligible: credentialDeviceType === 'multiDevice',
    backedUp: credentialBackedUp,
  };
}

function refused(detail: string, cause?: unknown): AppError {
  return new AppError('invalid_credentials', {
    sent: 'passkey',
    detail,
    ...(cause === undefined ? {} : { cause }),
  });
}

/** A code, or a passkey with its flow. */
interface SentProof extends SentCode {
  readonly flow?: string | undefined;
  readonly response?: AuthenticationResponse | undefined;
}

/** The member, and the purpose of the proof. */
interface ProofScope {
  readonly memberId: number;
  /** The challenge or session that a mailed code must have been mailed for. */
  readonly boundKey: string;
  /** The binding of a passkey's flow. */
  readonly flow: FlowScope;
  /** What the proof is for; a sign-in if absent. */
  readonly kind?: RefusedKind;
}

/**
 * Checks a second factor: a passkey, or a code, which is counted first.
 * @throws {AppError} `invalid_credentials`, `invalid_challenge` or `passkey_unknown` for passkeys, `rate_limited`
 */
export async function checkProof(ctx: Context, of: ProofScope, sent: SentProof): Promise<CheckedProof> {
  const { flow, response } = sent;
  if (flow !== undefined && response !== undefined) {
    const { consume, afterRefusal } = await checkAssertion(ctx, { flow, response }, of.flow, of);
    return { methods: ['passkey'], consume, succeed: async () => undefined, afterRefusal };
  }
  return checkCodeProof(ctx, of.memberId, sent, of.boundKey, of.kind);
}
