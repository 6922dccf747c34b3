import type { AccessLink } from './access-chain.js';
import type { AskedAccount, AskedLevel, LevelRefusal, RequiredLevel } from './access-question.js';

/** The level that sessions need in an account at a moment; 1 asks nothing more. */
export function accountLevelAt(account: AskedAccount, nowMs: number): number {
  if (account === undefined) return 1;
  const { requiredLevel: level = 1, requiredFromMs = null, requiredUntilThen = 1 } = account;
  return requiredFromMs !== null && nowMs < requiredFromMs ? requiredUntilThen : level;
}

/** The highest level that a call needs, and who asks for it; undefined where nothing more is asked. */
export function requiredLevel(
  { staff, nowMs }: Pick<AskedLevel, 'staff' | 'nowMs'>,
  account: AskedAccount,
): RequiredLevel | undefined {
  const ofAccount = accountLevelAt(account, nowMs);
  if (staff <= 1 && ofAccount <= 1) return undefined;
  return staff >= ofAccount ? { level: staff, by: 'staff' } : { level: ofAccount, by: 'account' };
}

/** Whether a session was authenticated well enough for what is asked for; the last of all questions. */
export function levelRefusal(
  asked: AskedLevel,
  account: AskedAccount,
  chain: AccessLink[] | undefined,
): LevelRefusal | undefined {
  const required = requiredLevel(asked, account);
  const { reached, factors, isEnrolment } = asked;
  if (required === undefined && !isEnrolment) return undefined;
  const isMet = !isEnrolment && (required === undefined || reached >= required.level);
  if (chain !== undefined) {
    const last = chain.pop();
    if (last !== undefined) chain.push({ ...last, effect: 'passes' });
    if (required !== undefined)
      chain.push(
        { fact: 'policy', value: required.by, effect: 'passes' },
        { fact: 'requiredLevel', value: required.level, effect: 'passes' },
      );
    const value = isEnrolment ? 'enrolment only' : reached;
    chain.push({ fact: 'level', value, effect: isMet ? 'allows' : 'denies' });
  }
  if (isMet) return undefined;
  const hasFactor = !isEnrolment && required !== undefined && factors >= required.level;
  return hasFactor ? 'verification_required' : 'enrolment_required';
}
