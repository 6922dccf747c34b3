import { setTimeout as pause } from 'node:timers/promises';
import { dummyHash, fitsBcrypt, normalizePassword, searchKey } from '@gatehouse/auth-core';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { listForeignIdsOf } from '@gatehouse/db/queries/foreign-ids';
import {
  adoptPassword,
  type Credential,
  fillInNames,
  findCredentialById,
} from '@gatehouse/db/queries/passwords';
import { recordAudit } from '../audit/record-audit.js';
import type { Context } from '../core/context.js';
import { LEGACY_WAIT_MS, type LegacyProfile, type LegacySignIn } from '../core/legacy-sign-in.js';

/** What the previous system made of a password that did not match here. */
export type LegacyVerdict =
  /** It is the member's password. */
  | { readonly is: 'right'; readonly profile: LegacyProfile }
  | { readonly is: 'wrong' }
  /** Their password is here by now. */
  | { readonly is: 'here'; readonly credential: Credential }
  /**
   * The result must not be revealed. `wasAsked` is whether the system should have been asked about this member, and gave no
   * answer.
   */
  | { readonly is: 'unknown'; readonly wasAsked: boolean };

/** Whether a member was imported without a password, and none was set here since. Staff set one through a mail. */
function hasNoPasswordYet({ password, hasPassword, isPersonnel }: Credential): boolean {
  return password === dummyHash && hasPassword && !isPersonnel;
}

/**
 * Asks the previous system whether the password is the member's, if they have none here. Every refusal waits equally long, even
 * if no question is sent: for unknown members, and for those whose password is here. While that system does not answer, or no
 * place is free, all get the same refusal, even those whose password it has called wrong.
 * @param member the member who may sign in; undefined if there is none
 */
export async function askLegacy(
  { services: { db } }: Pick<Context, 'services'>,
  legacy: LegacySignIn,
  { member, password }: { readonly member: Credential | undefined; readonly password: string },
): Promise<LegacyVerdict> {
  const dueMs = performance.now() + LEGACY_WAIT_MS;
  const isAsked = member !== undefined && hasNoPasswordYet(member) && fitsBcrypt(normalizePassword(password));
  if (!isAsked || member.email === null) {
    await legacy.waitForPlace();
    await waitUntil(dueMs);
    return legacy.isAnswering() ? { is: 'wrong' } : { is: 'unknown', wasAsked: false };
  }
  const answer = await legacy.ask({ memberId: member.id, email: member.email, password });
  if (answer.outcome === 'verified') {
    if (await isSamePerson(db, member.id, answer.profile)) return { is: 'right', profile: answer.profile };
    legacy.count('otherMember');
  } else {
    legacy.count(answer.outcome === 'crowded' ? 'busy' : answer.outcome);
  }
  await waitUntil(dueMs);
  if (answer.outcome === 'crowded') {
    const credential = await findCredentialById(db, member.id);
    if (credential !== undefined && credential.password !== member.password)
      return { is: 'here', credential };
  }
  if (answer.outcome === 'failed' || answer.outcome === 'busy') return { is: 'unknown', wasAsked: true };
  if (legacy.isAnswering()) return { is: 'wrong' };
  return { is: 'unknown', wasAsked: answer.outcome === 'crowded' };
}

/**
 * An address may belong to another person there by now, which the id there reveals. It is not known which of a member's ids are
 * of that system, so any of them is accepted; an answer without an id is not.
 */
async function isSamePerson(
  db: Context['services']['db'],
  memberId: number,
  { id }: LegacyProfile,
): Promise<boolean> {
  const known = await listForeignIdsOf(db, memberId);
  return known.length === 0 || known.some((each) => each.id === id);
}

/**
 * Makes a password that the previous system has verified the member's own, and fills in their names if they have none. Does nothing
 * if the member's password, address or state changed meanwhile, or LEGACY_SIGN_IN_UNTIL has passed.
 * @returns the member with the new hash; undefined if nothing was written
 */
export async function adoptLegacyPassword(
  ctx: Context,
  legacy: LegacySignIn,
  { member, hash, profile }: { member: Credential; hash: string; profile: LegacyProfile },
): Promise<Credential | undefined> {
  const { db, now } = ctx.services;
  const { id: memberId, emailKey } = member;
  const { firstName = '', lastName = '' } = profile;
  const isAdopted = await changeAccess(db, { members: [memberId] }, async (tx) => {
    const nowMs = now();
    const change = { memberId, emailKey: emailKey ?? '', expectedPassword: dummyHash, hash, nowMs };
    if (!legacy.isOn() || !(await adoptPassword(tx, change))) return false;
    const names = {
      firstName,
      firstNameKey: searchKey(firstName),
      lastName,
      lastNameKey: searchKey(lastName),
    };
    const isNamed = firstName + lastName !== '' && (await fillInNames(tx, { memberId, names }));
    await recordAudit(tx, ctx, {
      atMs: nowMs,
      action: 'password.adopted',
      actorId: memberId,
      subjectKind: 'member',
      subjectId: memberId,
      ...(isNamed && {
        events: [{ type: 'member.updated', memberId, changed: ['firstName', 'lastName'] }],
      }),
    });
    return true;
  });
  legacy.count(isAdopted ? 'verified' : 'overtaken');
  if (!isAdopted) return undefined;
  return { ...member, password: hash, passwordIsPlain: false, passwordRounds: null, passwordDelayMs: null };
}

const waitUntil = (dueMs: number): Promise<void> => pause(Math.max(0, dueMs - performance.now()));
