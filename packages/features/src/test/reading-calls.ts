import type { DoorCall } from './door-call.js';

/** The calls of the reading paths, as both doors take them. */
export const readingCalls = {
  members: (page: object = {}): DoorCall => ({
    procedure: 'member.list',
    type: 'query',
    input: page,
    path: `/getAllMemberslist?${queryOf(page)}`,
  }),
  memberSearch: (username: string, page: object = {}): DoorCall => ({
    procedure: 'member.search',
    type: 'query',
    input: { username, ...page },
    path: '/searchAllMembers',
    body: { username, ...page },
  }),
  memberDetail: (userId: number): DoorCall => ({
    procedure: 'member.detail',
    type: 'query',
    input: { userId },
    path: `/getUserdetail${userId}`,
  }),
  accountSearch: (search: string, page: object = {}): DoorCall => ({
    procedure: 'account.search',
    type: 'query',
    input: { search, ...page },
    path: '/searchAccountUser',
    body: { search, ...page },
  }),
  conversations: (page: object = {}): DoorCall => ({
    procedure: 'conversation.list',
    type: 'query',
    input: page,
    path: `/getAllConversationlist?${queryOf(page)}`,
  }),
  messages: (input: {
    memberId: number;
    conversationId: number;
    cursor?: string;
    limit?: number;
  }): DoorCall => ({
    procedure: 'conversation.messages',
    type: 'query',
    input,
    path: '/getMemberschatMessages',
    body: input,
  }),
};

function queryOf(page: object): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(page)) query.append(name, String(value));
  return query.toString();
}
