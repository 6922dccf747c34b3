import { useQuery } from '@tanstack/react-query';
import { gatehouse } from '../../../client.js';
import { nameOf, type TeamMember } from '../../account/team/team-member.js';
import { useMe } from '../../session/me.js';

/** States of a subscription that has to end before the account may close. */
const RUNNING = ['active', 'past_due', 'paused'];

/** An account whose primary owner one is, and what may become of it. */
export interface OwnedAccount {
  readonly id: number;
  readonly name: string;
  readonly isPaid: boolean;
  readonly hasOthers: boolean;
  /** Those to whom it can be handed over: confirmed members of it. */
  readonly heirs: readonly { readonly id: number; readonly name: string }[];
}

/** The accounts for which something has to be chosen, or that close, when one deletes oneself. */
export function useOwnedAccounts() {
  const { member, memberships } = useMe();
  return useQuery({
    queryKey: ['you', 'owned'],
    // What is chosen depends on it.
    staleTime: 0,
    queryFn: async ({ signal }) => {
      const { data } = await gatehouse.api.account.listMine.query({ limit: 200 }, { signal });
      const owned = data.filter(({ state, isPrimaryOwner }) => state === 'live' && isPrimaryOwner);
      return Promise.all(
        owned.map(async ({ id, name }): Promise<OwnedAccount> => {
          const within = gatehouse.withAccount(id).api;
          const members = await within.member.list.query({ limit: 200 }, { signal });
          const others = members.data.filter((other) => other.id !== member.id);
          const place = memberships.find(({ accountId }) => accountId === id);
          return {
            id,
            name,
            isPaid: RUNNING.includes(place?.subscription.state ?? ''),
            hasOthers: others.length > 0,
            heirs: others.filter(({ emailVerified }) => emailVerified).map(asHeir),
          };
        }),
      );
    },
  });
}

function asHeir(member: TeamMember) {
  return { id: member.id, name: nameOf(member) };
}
