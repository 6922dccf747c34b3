/** A member of the demonstration; the e-mail address is also the login identifier. */
export interface DemonstrationPerson {
  id: number;
  email: string;
  firstName: string;
  lastName: string;
  roleType: number;
  role: string;
  isPersonnel?: boolean;
}

/** The members of the demonstration, with the ids in the documentation. */
export const DEMONSTRATION_PEOPLE: readonly DemonstrationPerson[] = [
  {
    id: 1,
    email: 'root@gatehouse.test',
    firstName: 'Ruth',
    lastName: 'Okafor',
    roleType: 0,
    role: 'Admin',
    isPersonnel: true,
  },
  {
    id: 2,
    email: 'staff@gatehouse.test',
    firstName: 'Stefan',
    lastName: 'Lindqvist',
    roleType: 6,
    role: 'Account Manager',
    isPersonnel: true,
  },
  { id: 3, email: 'owner@acme.test', firstName: 'Olivia', lastName: 'Marsh', roleType: 1, role: 'Owner' },
  {
    id: 4,
    email: 'manager@acme.test',
    firstName: 'Mateo',
    lastName: 'Ferrari',
    roleType: 2,
    role: 'Manager/Collaborator',
  },
  {
    id: 5,
    email: 'contributor@acme.test',
    firstName: 'Chiara',
    lastName: 'Novak',
    roleType: 3,
    role: 'Contributor',
  },
  {
    id: 6,
    email: 'designer@acme.test',
    firstName: 'Daniel',
    lastName: 'Osei',
    roleType: 4,
    role: 'Designer',
  },
  { id: 7, email: 'member@acme.test', firstName: 'Mina', lastName: 'Sato', roleType: 5, role: 'User Member' },
  { id: 8, email: 'owner@birch.test', firstName: 'Bruno', lastName: 'Keller', roleType: 1, role: 'Owner' },
  { id: 9, email: 'owner@cedar.test', firstName: 'Carmen', lastName: 'Ruiz', roleType: 1, role: 'Owner' },
  {
    id: 10,
    email: 'archived@acme.test',
    firstName: 'Aron',
    lastName: 'Weiss',
    roleType: 11,
    role: 'Archived',
  },
  {
    id: 11,
    email: 'legacy@acme.test',
    firstName: 'Leila',
    lastName: 'Haddad',
    roleType: 5,
    role: 'User Member',
  },
];

/** The member whose password is stored in plain text, as in the replaced system. */
export const LEGACY_PERSON_ID = 11;

/** The accounts of the demonstration. */
export const DEMONSTRATION_ACCOUNTS = [
  { id: 1, name: 'Acme Studio', ownerId: 3 },
  { id: 2, name: 'Birch & Co', ownerId: 8 },
  { id: 3, name: 'Cedar Labs', ownerId: 9 },
] as const;

/** The memberships of the demonstration. */
export const DEMONSTRATION_MEMBERSHIPS = [
  { accountId: 1, memberId: 3, roleType: 1 },
  { accountId: 2, memberId: 3, roleType: 2 },
  { accountId: 1, memberId: 4, roleType: 2 },
  { accountId: 1, memberId: 5, roleType: 3 },
  { accountId: 1, memberId: 6, roleType: 4 },
  { accountId: 1, memberId: 7, roleType: 5 },
  { accountId: 2, memberId: 8, roleType: 1 },
  { accountId: 3, memberId: 9, roleType: 1 },
  { accountId: 1, memberId: 10, roleType: 11 },
  { accountId: 1, memberId: 11, roleType: 5 },
] as const;

/** The grants of the demonstration's staff. */
export const DEMONSTRATION_GRANTS = [{ personnelId: 2, accountId: 2 }] as const;

/** The conversations in the demonstration's accounts. */
export const DEMONSTRATION_SUBJECTS = [
  { id: 1, accountId: 1, name: 'Spring campaign' },
  { id: 2, accountId: 1, name: 'Brand refresh' },
  { id: 3, accountId: 1, name: 'Onboarding' },
  { id: 4, accountId: 2, name: 'Catalogue 2027' },
  { id: 5, accountId: 2, name: 'Delivery times' },
  { id: 6, accountId: 3, name: 'Trial results' },
] as const;

/** A conversation. Its participants are the speakers and `silent`. */
interface DemonstrationConversation {
  id: number;
  accountId: number;
  subjectId: number;
  title: string;
  silent?: readonly number[];
  /** Minutes between two messages; a few by default. */
  gapMinutes?: number;
  /** The messages with their authors, oldest first. */
  messages: readonly (readonly [memberId: number, body: string])[];
}

/** The conversations of the demonstration, oldest first. */
export const DEMONSTRATION_CONVERSATIONS: readonly DemonstrationConversation[] = [
  {
    id: 1,
    accountId: 1,
    subjectId: 1,
    title: 'Headline for the launch post',
    silent: [3],
    messages: [
      [4, 'We need one headline for the launch post by Thursday. Chiara, do you have a first draft?'],
      [5, 'Two of them: “A lighter way to plan” and “Plan less, finish more”. I prefer the second.'],
      [6, 'The second fits the layout better, the first breaks into three lines on phones.'],
      [4, 'Then the second. Daniel, please put it into the template.'],
      [6, 'Done, the template is in the shared folder.'],
    ],
  },
  {
    id: 2,
    accountId: 1,
    subjectId: 2,
    title: 'Which green is our green?',
    messages: [
      [6, 'The old logo uses #2E7D32, the website #388E3C. One of them has to go.'],
      [3, 'Keep the darker one, it prints well. Please change the website.'],
      [6, 'Changed. The contrast on white is 5.1 to 1 now, so it passes for text as well.'],
      [3, 'Thank you, that was quick.'],
    ],
  },
  {
    id: 3,
    accountId: 1,
    subjectId: 3,
    title: 'Welcome, Mina',
    messages: [
      [4, 'Welcome to the studio, Mina. Your first task is to connect your own page.'],
      [7, 'Thanks! The page is connected, but the preview picture is missing.'],
      [4, 'That takes up to an hour the first time. Write again if it is still missing tomorrow.'],
      [7, 'It is there now.'],
    ],
  },
  {
    id: 4,
    accountId: 1,
    subjectId: 3,
    title: 'Access for the summer interns',
    silent: [4],
    messages: [
      [3, 'Two interns start in June. Contributor should be enough for both?'],
      [11, 'One of them will help me with the archive, so yes, contributor is fine.'],
    ],
  },
  {
    id: 5,
    accountId: 2,
    subjectId: 4,
    title: 'Pictures for the chairs chapter',
    messages: [
      [8, 'The chairs chapter still lacks nine pictures. Can Acme deliver them until the 20th?'],
      [3, 'Seven until the 15th, the last two need a second shoot on the 18th.'],
      [8, 'That works. 100% of the chapter by the 20th, then.'],
    ],
  },
  {
    id: 6,
    accountId: 2,
    subjectId: 5,
    title: 'Late parcels in week 14',
    messages: [
      [8, 'Eleven parcels arrived late last week, all through the northern depot.'],
      [3, 'Our page now says three to five days for the north, so that nobody is surprised.'],
    ],
  },
  {
    id: 7,
    accountId: 3,
    subjectId: 6,
    title: 'Second series, first numbers',
    messages: [
      [9, 'The second series is through: 42 of 48 samples within the limits.'],
      [9, 'The six others come from one batch; a repeat is planned for Monday.'],
    ],
  },
  {
    id: 8,
    accountId: 1,
    subjectId: 3,
    title: 'Notes of the week',
    silent: [3],
    gapMinutes: 33 * 60,
    messages: notesOfTheWeeks(10, [
      'The landing page of the spring campaign',
      'Photographs for the autumn catalogue',
      'The survey among our newsletter readers',
      'A shorter form for new customers',
      'Captions for the twelve workshop films',
      'The price list in four languages',
      'Translations of the terms of delivery',
      'A calmer colour for error messages',
      'The archive of last year’s drafts',
      'Posters for the open day in June',
      'Thank-you cards for the partners',
    ]),
  },
];

/** Five messages a week, so that this conversation is longer than one page of a list. */
function notesOfTheWeeks(
  firstWeek: number,
  topics: readonly string[],
): DemonstrationConversation['messages'] {
  return topics.flatMap((topic, index) => [
    [4, `Week ${firstWeek + index}. ${topic}: who takes it?`] as const,
    [index % 2 === 0 ? 5 : 6, 'I do, there is room on Tuesday and Wednesday.'] as const,
    [4, 'Thank you. Please leave the first version in the shared folder.'] as const,
    [index % 2 === 0 ? 5 : 6, `Done, it is in the folder “week-${firstWeek + index}”.`] as const,
    [index % 3 === 0 ? 6 : 5, 'Looked through it: two small corrections, otherwise ready.'] as const,
  ]);
}
