/** The tags of operations, by reader: each with whom or what it is for. */
export const TAGS = {
  public: 'Without a session: signing in, registering, and what the links of mails are about.',
  member: 'For a signed-in member: their own sessions, ways to sign in, profile, invitations and accounts.',
  account: 'In the account that `Accountid` selects: its members, invitations, roles and payments.',
  partner: 'For partners, who register members of theirs and sign them on.',
  staff: 'For staff, who look after members, accounts, partners and payments.',
  webhooks: 'Where payment and social providers report events.',
  machines: 'For load balancers, monitors and generators of clients.',
  pages: 'Pages and redirects for browsers, and the mails of a development service.',
  compatibility:
    'The paths of the replaced system, with its names. Each leads to a procedure that has a path of its own.',
} as const;

export type Tag = keyof typeof TAGS;
