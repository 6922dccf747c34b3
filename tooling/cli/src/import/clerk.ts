import { z } from 'zod';
import type {
  ForeignFields,
  ForeignFiles,
  ForeignLine,
  ForeignOptions,
  ForeignReader,
} from './foreign-line.js';
import { readOrganizations } from './read-organizations.js';

const instant = z.int().nonnegative().optional().catch(undefined);

const organization = z.object({ id: z.string().min(1), name: z.string().min(1), created_at: instant });

const organizationMember = z.object({
  organization: z.object({ id: z.string().min(1) }),
  public_user_data: z.object({ user_id: z.string().min(1) }),
  role: z.string(),
});

/**
 * The functions whose digests are in a form that says all, by the names of Clerk. Others have the form of one of these and are made in
 * another way, such as `bcrypt_peppered`.
 */
const HASHERS: ReadonlySet<string> = new Set([
  'argon2i',
  'argon2id',
  'bcrypt',
  'ldap_ssha',
  'md5',
  'pbkdf2_sha256_django',
  'phpass',
  'scrypt_werkzeug',
  'sha256',
]);

/** The export of users that Clerk's dashboard gives, and organizations of its Backend API. */
export const clerk: ForeignReader = {
  files: {
    users: 'the export of users of the dashboard, as CSV',
    organizations: 'the organizations of the Backend API, one on each line',
    memberships: 'who is in which organization, one on each line',
  },
  roles: { 'org:admin': 'owner', 'org:member': 'userMember' },
  read: readApplication,
};

async function* readApplication(files: ForeignFiles, { owns }: ForeignOptions): AsyncGenerator<ForeignLine> {
  for await (const { file, number, value, problem } of files.readCsv('users'))
    yield { file, number, ...(value === undefined ? { problem } : personIn(value)) };
  yield* readOrganizations(files, {
    owns,
    organizations: 'organizations',
    members: 'memberships',
    toOrganization(value) {
      const { data } = organization.safeParse(value);
      return data && { id: data.id, name: data.name, createdAt: data.created_at };
    },
    toMembership(value) {
      const { data } = organizationMember.safeParse(value);
      return (
        data && {
          accountId: data.organization.id,
          personId: data.public_user_data.user_id,
          roles: [data.role],
        }
      );
    },
  });
}

function personIn(fields: ForeignFields): Pick<ForeignLine, 'person' | 'problem' | 'notes'> {
  const { id, username, first_name: firstName, last_name: lastName, totp_secret: totp } = fields;
  if (id === undefined) return { problem: 'has no id' };
  const [verified, unverified] = [
    addressesIn(fields['verified_email_addresses']),
    addressesIn(fields['unverified_email_addresses']),
  ];
  const email = fields['primary_email_address'] ?? verified[0] ?? unverified[0];
  const { password_hasher: hasher, password_digest: digest } = fields;
  if (digest !== undefined && !HASHERS.has(hasher ?? ''))
    return { problem: `has a password that ${JSON.stringify(hasher ?? '')} made, which is not taken` };
  const others = new Set([...verified, ...unverified].filter((each) => each !== email));
  return {
    person: {
      id,
      email,
      isConfirmed: email !== undefined && verified.includes(email),
      username,
      firstName,
      lastName,
      password: digest,
      totp,
    },
    notes: [
      ...(others.size > 0 ? ['more addresses than one'] : []),
      ...(fields['primary_phone_number'] === undefined ? [] : ['telephone numbers']),
    ],
  };
}

const addressesIn = (list = ''): string[] => list.split(/[|,;\s]+/).filter((each) => each !== '');
