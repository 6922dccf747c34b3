import type { MainOutputs } from '@gatehouse/client-sdk';
import type { StatusTone } from '@gatehouse/ui/parts/icons';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { gatehouse } from '../../../client.js';
import type { Me } from '../../session/me.js';
import { t } from './words.js';

/** The second factors of the person signed in. */
export type Factors = MainOutputs['factor']['list']['data'];

export const factorsQuery = queryOptions({
  queryKey: ['you', 'factors'],
  queryFn: ({ signal }) => gatehouse.api.factor.list.query(undefined, { signal }),
});

type Stronger = Pick<Factors, 'totp' | 'passkeys'>;

/** Whether there is a factor other than the mailbox. */
export function hasStronger({ totp, passkeys }: Stronger): boolean {
  return totp !== null || passkeys > 0;
}

function levelOf({ totp, passkeys }: Stronger): number {
  if (passkeys > 0) return 3;
  return totp === null ? 1 : 2;
}

/** Whether the member lacks a factor that an account, or their work, requires. */
function fallsShort(factors: Factors): boolean {
  return factors.requiredBy !== null && levelOf(factors) < factors.requiredBy.level;
}

/** Why the service does not allow a factor to be removed; undefined if it can be removed. */
export function whyKept(factors: Factors, removed: 'totp' | 'passkey'): 'policy' | 'lastStep' | undefined {
  const { requiredBy, secondFactor, email } = factors;
  const after =
    removed === 'totp' ? { ...factors, totp: null } : { ...factors, passkeys: factors.passkeys - 1 };
  const kept = levelOf(after);
  if (requiredBy !== null && kept < levelOf(factors) && kept < requiredBy.level) return 'policy';
  return secondFactor && kept === 1 && !email ? 'lastStep' : undefined;
}

/** The message of a section after an action. */
export interface Done {
  readonly notice: string;
  /** New backup codes, which are shown only once. */
  readonly backupCodes?: readonly string[] | undefined;
}

/** Invalidates everything that depends on factors, sessions or the password. */
export function useRefresh(): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    await Promise.all(['you', 'me'].map((key) => queries.invalidateQueries({ queryKey: [key] })));
  };
}

/** The action that fixes the most serious problem. */
export type Remedy = 'codes' | 'passkey' | 'password' | 'recovery' | 'twoSteps';

/** A dialog of a card. Its button is in the page header if it fixes the problem named there, else in the card. */
export interface Asking {
  readonly isAsking: boolean;
  readonly isInHeader: boolean;
  ask(isAsking: boolean): void;
}

/** The security of the sign-in, and what is missing. */
interface Status {
  readonly tone: StatusTone;
  readonly title: string;
  readonly lead: string;
  readonly remedy?: Remedy;
}

/** With so few left, the member is told to make new backup codes. */
export const FEW_CODES = 3;

/** Whether the session was opened by the ticket of a recovery, and may only add a factor. */
export function isRecovering({ requires }: Me, { recovery }: Factors): boolean {
  return recovery !== null && requires !== null;
}

export function statusOf(me: Me, factors: Factors): Status {
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
    return {
      tone: 'pending',
      title: t('standing.weak'),
      lead: t(me.member.hasPassword ? 'standing.weakLead' : 'standing.weakProvider'),
      remedy: 'passkey',
    };
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

/** What is required of the member, and by whom. */
export function requiredText({ level, by }: NonNullable<Factors['requiredBy']>): string {
  if (by === 'account') return t(level >= 3 ? 'required.account3' : 'required.account2');
  return t(level >= 3 ? 'required.staff3' : 'required.staff2');
}
