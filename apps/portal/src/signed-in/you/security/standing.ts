import type { StatusTone } from '@gatehouse/ui/parts/status-icon';
import type { Me } from '../../session/me.js';
import { type Factors, fallsShort, hasStronger } from './factors.js';
import type { Remedy } from './remedy.js';
import { t } from './words.js';

/** How safe a sign-in is, and what it lacks. */
export interface Standing {
  readonly tone: StatusTone;
  readonly title: string;
  readonly lead: string;
  readonly remedy?: Remedy;
}

/** So few backup codes are soon used up. */
export const FEW_CODES = 3;

/** Whether the session was opened by the ticket of a recovery, and may only add a factor. */
export function isRecovering({ requires }: Me, { recovery }: Factors): boolean {
  return recovery !== null && requires !== null;
}

export function standingOf(me: Me, factors: Factors): Standing {
  const { secondFactor, backupCodesLeft, recovery, requiredBy } = factors;
  const isStronger = hasStronger(factors);
  if (isRecovering(me, factors))
    return {
      tone: 'pending',
      title: t('standing.recovering'),
      lead: t('standing.recoveringLead'),
      remedy: 'passkey',
    };
  if (recovery !== null)
    return {
      tone: 'error',
      title: t('standing.recovery'),
      lead: t('standing.recoveryLead'),
      remedy: 'recovery',
    };
  if (me.prompts.includes('changePassword'))
    return { tone: 'error', title: t('standing.listed'), lead: t('standing.listedLead'), remedy: 'password' };
  if (requiredBy !== null && fallsShort(factors))
    return { tone: 'pending', title: t('standing.short'), lead: requiredText(requiredBy), remedy: 'passkey' };
  if (!secondFactor && isStronger)
    return {
      tone: 'pending',
      title: t('standing.unasked'),
      lead: t('standing.unaskedLead'),
      remedy: 'twoSteps',
    };
  if (!secondFactor)
    return { tone: 'pending', title: t('standing.weak'), lead: t('standing.weakLead'), remedy: 'passkey' };
  if (!isStronger)
    return { tone: 'pending', title: t('standing.mail'), lead: t('standing.mailLead'), remedy: 'passkey' };
  if (backupCodesLeft <= FEW_CODES)
    return {
      tone: 'pending',
      title: t('standing.few', { count: backupCodesLeft }),
      lead: t('standing.fewLead'),
      remedy: 'codes',
    };
  return { tone: 'ok', title: t('standing.strong'), lead: t('standing.strongLead') };
}

/** What is asked of somebody, and by whom. */
export function requiredText({ level, by }: NonNullable<Factors['requiredBy']>): string {
  if (by === 'account') return t(level >= 3 ? 'required.account3' : 'required.account2');
  return t(level >= 3 ? 'required.staff3' : 'required.staff2');
}
