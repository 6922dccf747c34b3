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
