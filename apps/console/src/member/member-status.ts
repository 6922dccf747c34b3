import type { StatusTone } from '@gatehouse/ui/parts/status-icon';
import { shownTime } from '@gatehouse/ui/screen/shown-time';
import { shownName } from '../session/shown-name.js';
import { t } from '../words.js';
import type { MemberPage } from './member-page.js';

/** Whether somebody can sign in, and why not. */
export interface MemberStatus {
  readonly tone: StatusTone;
  readonly title: string;
  readonly lead: string;
}

/** One sentence about a member: the gravest of what stands between them and signing in. */
export function statusOf(page: MemberPage): MemberStatus {
  const {
    member,
    status,
    restorableUntil,
    ban,
    lockedUntil,
    lockedOut,
    recovery,
    factors,
    connections,
    erasedAt,
    mayReturn,
  } = page;
  const name = shownName(member);
  if (status === 'deleting' && mayReturn && erasedAt !== null) {
    const lead = ban === null ? 'verdict.mayReturnLead' : 'verdict.mayReturnBanned';
    return {
      tone: 'error',
      title: t('verdict.deletedSelf', { name }),
      lead: t(lead, { day: shownTime(erasedAt) }),
    };
  }
  if (status === 'deleted' || status === 'deleting') {
    const lead =
      restorableUntil === null
        ? t('verdict.deletedLead')
        : t(erasedAt === null ? 'verdict.restorableLead' : 'verdict.erasedLead', {
            day: shownTime(restorableUntil),
          });
    return { tone: 'error', title: t('verdict.deleted', { name }), lead };
  }
  if (status === 'banned') {
    const until = ban?.until ?? null;
    return {
      tone: 'error',
      title:
        until === null
          ? t('verdict.banned', { name })
          : t('verdict.bannedUntil', { name, time: shownTime(until) }),
      lead: ban?.reason ? t('verdict.bannedLead', { reason: ban.reason }) : t('verdict.bannedNoReason'),
    };
  }
  if (lockedOut) {
    return { tone: 'error', title: t('verdict.lockedOut', { name }), lead: t('verdict.lockedOutLead') };
  }
  if (lockedUntil !== null) {
    return {
      tone: 'pending',
      title: t('verdict.locked', { name, time: shownTime(lockedUntil) }),
      lead: t('verdict.lockedLead'),
    };
  }
  if (recovery !== null) {
    return { tone: 'pending', title: t('verdict.recovery', { name }), lead: t('verdict.recoveryLead') };
  }
  if (member.email !== null && !member.emailVerified) {
    return { tone: 'pending', title: t('verdict.unconfirmed', { name }), lead: t('verdict.unconfirmedLead') };
  }
  if (!factors.password && connections.length === 0) {
    return { tone: 'pending', title: t('verdict.noPassword', { name }), lead: t('verdict.noPasswordLead') };
  }
  const { lastLoginAt } = member;
  return {
    tone: 'ok',
    title: t('verdict.open', { name }),
    lead: lastLoginAt === null ? t('verdict.never') : t('verdict.last', { time: shownTime(lastLoginAt) }),
  };
}
