import type { AdminOutputs } from '@gatehouse/client-sdk/admin';
import type { StatusTone } from '@gatehouse/ui/parts/icons';
import { At } from '@gatehouse/ui/screen/ago';
import { QueryView } from '@gatehouse/ui/screen/asked';
import { shownTime } from '@gatehouse/ui/screen/shown-time';
import { shownName } from '@gatehouse/ui/session/who-is-here';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactElement, ReactNode } from 'react';
import { gatehouse } from '../client.js';
import { Trail } from '../shell/breadcrumbs.js';
import { t } from '../words.js';

/** All that the service tells about a member. */
export type MemberPage = AdminOutputs['member']['page']['data'];

/** Something that staff do about a member. */
export type MemberAction = MemberPage['actions'][number];

/** The cache key of everything read of a member. */
export const memberKey = (memberId: number) => ['member', memberId] as const;

/** The member of the path; NaN if it names none, which the service refuses. */
export function useMemberId(): number {
  const { memberId = '' } = useParams({ strict: false });
  return Number(memberId);
}

export function useMemberPage(memberId: number) {
  return useQuery({
    queryKey: [...memberKey(memberId), 'page'],
    queryFn: async ({ signal }) => (await gatehouse.api.member.page.query({ memberId }, { signal })).data,
  });
}

/** Whether somebody can sign in, and why not. */
interface MemberStatus {
  readonly tone: StatusTone;
  readonly title: string;
  readonly lead: ReactNode;
}

/** One sentence about a member: the most serious reason why they cannot sign in. */
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
    lead:
      lastLoginAt === null ? (
        t('verdict.never')
      ) : (
        <At at={lastLoginAt} say={(time) => t('verdict.last', { time })} />
      ),
  };
}

/** A screen about a member, or about a part of their data, once it is there. */
export function MemberView({
  memberId,
  here,
  children,
}: {
  readonly memberId: number;
  /** The part that the screen shows; absent on the main screen. */
  readonly here?: string;
  readonly children: (page: MemberPage) => ReactNode;
}): ReactElement {
  const page = useMemberPage(memberId);
  return (
    <QueryView
      // Lists keep their last rows until the next are there: they must not be those of another member.
      key={memberId}
      answer={page}
      title={here ?? t('verdict.heading')}
      gone={t('verdict.gone')}
      trail={
        <Trail
          to="/members"
          all={t('frame.members')}
          id={memberId}
          name={page.data && shownName(page.data.member)}
          main={{ to: '/members/$memberId', params: { memberId: String(memberId) } }}
          here={here}
          isGone={page.isError && page.data === undefined}
        />
      }
    >
      {children}
    </QueryView>
  );
}
