import { dummyHash } from '@gatehouse/auth-core';
import { type AccessTransaction, changeAccess } from '@gatehouse/db/queries/change-access';
import { setAccountOwner, shutAccount } from '@gatehouse/db/queries/change-accounts';
import { setMemberRole } from '@gatehouse/db/queries/change-member';
import { removeMembership, setMembership } from '@gatehouse/db/queries/memberships';
import { setPassword } from '@gatehouse/db/queries/passwords';
import { setPersonnelState } from '@gatehouse/db/queries/personnel';
import { removePersonnelGrant } from '@gatehouse/db/queries/personnel-grants';
import { removeMember } from '@gatehouse/db/queries/remove-member';
import { endAllSessions } from '@gatehouse/db/queries/revoke-sessions';
import { stopPartner } from '@gatehouse/features/partner/change-partner';
import { rotatePartnerSecret } from '@gatehouse/features/partner/rotate-partner-secret';
import { unsettled } from '../settle.js';
import type { AccessScene } from './access-scene.js';
import type { CallerKind } from './caller-kind.js';

/** One way to lose access. `take` resolves when the loss is acknowledged. */
export interface AccessLoss {
  readonly name: string;
  /** Whether the caller's token has no session row. */
  readonly isRowless?: true;
  readonly take: (scene: AccessScene) => Promise<void>;
}

const logOut = async ({ other, headers }: AccessScene): Promise<void> => {
  const { status } = await other.send('/auth/logout', { method: 'POST', headers: { ...headers } });
  if (status !== 200) throw new Error(`signing out answers ${status}`);
};

/** A change that other nodes, the command line or direct database access can make too. */
const changing =
  (
    body: (
      tx: AccessTransaction,
      change: { memberId: number; accountId: number; nowMs: number },
    ) => Promise<unknown>,
  ) =>
  async ({ db, caller, accountId }: AccessScene): Promise<void> => {
    const nowMs = Date.now();
    await changeAccess(db, { members: [caller.id], accounts: [accountId] }, (tx) =>
      body(tx, { memberId: caller.id, accountId, nowMs }),
    );
  };

const OF_A_MEMBER: readonly AccessLoss[] = [
  { name: 'logout', take: logOut },
  { name: 'logout with a token of the replaced system', isRowless: true, take: logOut },
  { name: 'deletion', take: changing((tx, { memberId, nowMs }) => removeMember(tx, { memberId, nowMs })) },
  {
    name: 'ban',
    take: changing((tx, { memberId, nowMs }) =>
      setMemberRole(unsettled(tx), { memberId, roleType: 11, role: 'Archived', nowMs }),
    ),
  },
  {
    name: 'another password',
    take: changing(async (tx, { memberId, nowMs }) => {
      await setPassword(tx, { memberId, hash: `${dummyHash.slice(0, -1)}x`, nowMs });
      await endAllSessions(tx, memberId, { nowMs, reason: 'revoked', endedById: memberId });
    }),
  },
];

const OF_STAFF: readonly AccessLoss[] = [
  ...OF_A_MEMBER,
  {
    name: 'dismissal',
    take: changing((tx, { memberId, nowMs }) =>
      setPersonnelState(unsettled(tx), { memberId, isPersonnel: false, nowMs }),
    ),
  },
];

const OF_AN_ACCOUNT: AccessLoss = {
  name: 'deletion of the account',
  take: changing((tx, { accountId, nowMs }) =>
    shutAccount(tx, { accountId, closedById: 1, erasesAtMs: nowMs, nowMs }),
  ),
};

const operator = ({ db, service }: AccessScene) => ({
  db,
  services: service.services,
  nowMs: Date.now(),
  actorId: null,
});

const OF_ROOT: readonly AccessLoss[] = [
  ...OF_STAFF,
  {
    name: 'demotion',
    take: changing((tx, { memberId, nowMs }) =>
      setMemberRole(unsettled(tx), { memberId, roleType: 6, role: 'Account manager', nowMs }),
    ),
  },
];

/** Every way in which a caller of a kind can lose access. */
export const ACCESS_LOSSES: Readonly<Record<CallerKind, readonly AccessLoss[]>> = {
  member: OF_A_MEMBER,
  staff: OF_STAFF,
  root: OF_ROOT,
  rootInAccount: [...OF_ROOT, OF_AN_ACCOUNT],
  manager: [
    ...OF_STAFF,
    OF_AN_ACCOUNT,
    {
      name: 'end of the grant',
      take: changing((tx, { memberId, accountId, nowMs }) =>
        removePersonnelGrant(unsettled(tx), { personnelId: memberId, accountId, nowMs }),
      ),
    },
  ],
  accountManager: [
    ...OF_A_MEMBER,
    OF_AN_ACCOUNT,
    {
      name: 'end of the membership',
      take: changing((tx, change) => removeMembership(tx, change)),
    },
    {
      name: 'demotion in the account',
      take: changing((tx, change) => setMembership(tx, { ...change, roleType: 11 })),
    },
  ],
  owner: [
    ...OF_A_MEMBER,
    OF_AN_ACCOUNT,
    {
      name: 'another primary owner and another role',
      take: changing(async (tx, change) => {
        const { accountId, memberId, nowMs } = change;
        await setAccountOwner(tx, { accountId, ownerId: 1, expectedOwnerId: memberId, nowMs });
        await setMembership(tx, { ...change, roleType: 5 });
      }),
    },
  ],
  partner: [
    { name: 'deactivation', take: (scene) => stopPartner(operator(scene), scene.partner.id) },
    {
      name: 'end of the secret',
      take: async (scene) => {
        await rotatePartnerSecret(operator(scene), { partnerId: scene.partner.id, overlapSeconds: 0 });
      },
    },
  ],
};
