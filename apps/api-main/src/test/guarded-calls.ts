import { randomId } from '@gatehouse/auth-core';
import { type GuardedCall, SHARED_CALLS } from '@gatehouse/testkit';

/** Every guarded procedure that changes something, and every read that takes a body over REST. */
export const GUARDED_CALLS: Readonly<Record<string, GuardedCall>> = {
  ...SHARED_CALLS,
  'partner.registerUser': {
    as: 'partner',
    rest: '/partnerAuth/registerUser',
    make: () => ({ input: { email: `${randomId()}@many.test`, firstName: 'New', lastName: 'Member' } }),
  },
  'partner.signIn': {
    as: 'member',
    rest: '/partnerAuth/partnerSignIn',
    make: ({ partner }) => ({ input: { partner: partner.id } }),
  },
  'partner.singleSignOn': {
    as: 'partner',
    rest: '/partnerAuth/singleSignOn',
    make: ({ subject }) => ({ input: { userId: subject.id } }),
  },
  'profile.update': {
    as: 'member',
    rest: '/v1/profile/update',
    make: () => ({ input: { firstName: 'Changed' } }),
  },
  'subject.remove': {
    as: 'accountManager',
    rest: '/RemoveSubject',
    make: async ({ db, accountId }) => {
      const subjectId = await db.insert(db.tables.subjects, {
        accountId,
        name: 'A subject',
        createdAtMs: Date.now(),
      });
      return { input: { subjectId } };
    },
  },
  'account.search': {
    as: 'member',
    type: 'query',
    rest: '/searchAccountUser',
    make: () => ({ input: { search: 'a' } }),
  },
  'conversation.messages': {
    as: 'accountManager',
    type: 'query',
    rest: '/getMemberschatMessages',
    make: async ({ db, accountId, caller }) => {
      const { conversations, participants } = db.tables;
      const nowMs = Date.now();
      const conversationId = await db.insert(conversations, {
        accountId,
        title: 'A conversation',
        createdAtMs: nowMs,
      });
      await db.insert(participants, { conversationId, memberId: caller.id, joinedAtMs: nowMs });
      return { input: { memberId: caller.id, conversationId } };
    },
  },
  'member.search': {
    as: 'accountManager',
    type: 'query',
    rest: '/searchAllMembers',
    make: () => ({ input: { username: 'a' } }),
  },
  'subscription.list': {
    as: 'manager',
    type: 'query',
    rest: '/subscriptionList',
    make: () => ({ input: {} }),
  },
};
