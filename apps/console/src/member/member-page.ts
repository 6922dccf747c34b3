import type { AdminOutputs } from '@gatehouse/client-sdk/admin';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { gatehouse } from '../client.js';

/** All that the service tells about a member. */
export type MemberPage = AdminOutputs['member']['page']['data'];

/** Something that staff do about a member. */
export type MemberAction = MemberPage['actions'][number];

/** What everything that was read of a member is kept under. */
export const memberKey = (memberId: number) => ['member', memberId] as const;

/** The member of the path; NaN where it names none, which the service refuses. */
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
