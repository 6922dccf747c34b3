import { hash } from 'bcrypt';

type Flag = 0 | 1;

/** A member as the replaced system stores one. */
export interface ReplacedMember {
  id: number;
  sid: string;
  username: string;
  password: string;
  role_type: number;
  role: string;
  firstName: string;
  lastName: string;
  access_token: string | null;
  auth_token: string | null;
  isDeleted: Flag;
  createdAt: string;
}

/** The rows of a replaced system, by its tables. */
export interface ReplacedRows {
  readonly members: ReplacedMember[];
  readonly accounts: { id: number; name: string; isDeleted: Flag; createdAt: string }[];
  readonly account_members: {
    memberId: number;
    accountId: number;
    roleType: number;
    isDeleted: Flag;
    active: Flag;
  }[];
  readonly personnel_accounts: { personnelId: number; accountId: number; isDeleted: Flag; active: Flag }[];
  readonly partners: { partnerId: string; partnerName: string; secretKey: string; appUrl: string }[];
  readonly subjects: { id: number; accountId: number; name: string; isDeleted: Flag }[];
  readonly conversations: {
    id: number;
    accountId: number;
    subjectId: number;
    title: string;
    isDeleted: Flag;
    createdAt: string;
  }[];
  readonly conversation_members: { conversationId: number; memberId: number }[];
  readonly messages: {
    id: number;
    conversationId: number;
    memberId: number;
    message: string;
    createdAt: string;
  }[];
  readonly affiliates: { memberId: number; affiliateCode: string; commission: number }[];
}

export const REPLACED_PASSWORD = 'Known-Before-1';
export const PLAIN_PASSWORD = 'Plain-Before-1';
export const PARTNER_SECRET = 'partner-secret-of-the-old-system-0123456789';
export const STORED_AUTH_TOKEN = 'auth-token-of-the-old-system-0123456789';

const LABELS: Readonly<Record<number, string>> = {
  0: 'Admin',
  1: 'Owner',
  2: 'Manager/Collaborator',
  3: 'Contributor',
  4: 'Designer',
  5: 'User Member',
  6: 'Account Manager',
  11: 'Disabled/Archived',
};

/** Number, name, base role, and role in each account. */
const PEOPLE: readonly [
  id: number,
  name: string,
  roleType: number,
  memberships: Readonly<Record<number, number>>,
][] = [
  [1, 'root', 0, {}],
  [2, 'staff', 6, {}],
  [3, 'owner', 1, { 1: 1, 2: 2 }],
  [4, 'manager', 2, { 1: 2 }],
  [5, 'contributor', 3, { 1: 3 }],
  [6, 'designer', 4, { 1: 4 }],
  [7, 'member', 5, { 1: 5 }],
  [8, 'birch', 1, { 2: 1 }],
  [9, 'cedar', 1, { 3: 1 }],
  [10, 'archived', 11, { 1: 11 }],
  [11, 'plain', 5, { 1: 5 }],
];

/** More people than a page of a list here has. */
const CROWD = 52;

const AT = '2021-02-03 04:05:06';

/** Staff, members of each role in three accounts, and more members in the first than a page has. */
export async function replacedRows(): Promise<ReplacedRows> {
  const known = await hash(REPLACED_PASSWORD, 10);
  const crowd = Array.from({ length: CROWD }, (_, at): (typeof PEOPLE)[number] => [
    at + 12,
    `crowd${at + 12}`,
    5,
    { 1: 5 },
  ]);
  const people = [...PEOPLE, ...crowd];
  return {
    members: people.map(([id, name, role_type]) => ({
      id,
      sid: `${name}@old.test`,
      username: `${name}.old`,
      password: name === 'plain' ? PLAIN_PASSWORD : known,
      role_type,
      role: LABELS[role_type] ?? '',
      firstName: name,
      lastName: 'Lind',
      access_token: null,
      auth_token: name === 'staff' ? STORED_AUTH_TOKEN : null,
      isDeleted: 0,
      createdAt: AT,
    })),
    accounts: ['Acme Studio', 'Birch & Co', 'Cedar Labs'].map((name, at) => ({
      id: at + 1,
      name,
      isDeleted: 0,
      createdAt: AT,
    })),
    account_members: people.flatMap(([memberId, , , memberships]) =>
      Object.entries(memberships).map(([accountId, roleType]) => ({
        memberId,
        accountId: Number(accountId),
        roleType,
        isDeleted: 0 as const,
        active: 1 as const,
      })),
    ),
    personnel_accounts: [
      { personnelId: 1, accountId: 1, isDeleted: 0, active: 1 },
      { personnelId: 2, accountId: 2, isDeleted: 0, active: 1 },
    ],
    partners: [
      {
        partnerId: '4711',
        partnerName: 'nordwind',
        secretKey: PARTNER_SECRET,
        appUrl: 'https://nordwind.example',
      },
    ],
    subjects: [{ id: 1, accountId: 1, name: 'Holidays', isDeleted: 0 }],
    conversations: [
      { id: 1, accountId: 1, subjectId: 1, title: 'Where to?', isDeleted: 0, createdAt: AT },
      { id: 2, accountId: 1, subjectId: 1, title: 'When?', isDeleted: 0, createdAt: AT },
    ],
    conversation_members: [
      { conversationId: 1, memberId: 3 },
      { conversationId: 1, memberId: 4 },
      { conversationId: 2, memberId: 3 },
    ],
    messages: [
      { id: 1, conversationId: 1, memberId: 3, message: 'To the sea', createdAt: AT },
      { id: 2, conversationId: 1, memberId: 4, message: 'To the hills', createdAt: '2021-02-03 04:05:07' },
    ],
    affiliates: [{ memberId: 4, affiliateCode: 'SPRING', commission: 12.5 }],
  };
}
