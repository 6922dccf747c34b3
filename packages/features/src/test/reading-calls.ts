import type { TransportCall } from './transport-call.js';

/** The calls of the reading paths, for both transports. */
export const readingCalls = {
  members: (page: object = {}): TransportCall => ({
    procedure: 'member.list',
    type: 'query',
    input: page,
    path: `/getAllMemberslist?${queryOf(page)}`,
  }),
  memberSearch: (username: string, page: object = {}): TransportCall => ({
    procedure: 'member.search',
    type: 'query',
    input: { username, ...page },
    path: '/searchAllMembers',
    body: { username, ...page },
  }),
  memberDetail: (userId: number): TransportCall => ({
    procedure: 'member.detail',
    type: 'query',
    input: { userId },
    path: `/getUserdetail${userId}`,
  }),
  accountSearch: (search: string, page: object = {}): TransportCall => ({
    procedure: 'account.search',
    type: 'query',
    input: { search, ...page },
    path: '/searchAccountUser',
    body: { search, ...page },
  }),
  conversations: (page: object = {}): TransportCall => ({
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
  }): TransportCall => ({
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
