import { z } from 'zod';
import { faultIn } from './fault-in.js';
import type {
  ForeignFields,
  ForeignFiles,
  ForeignLine,
  ForeignOptions,
  ForeignReader,
} from './foreign-line.js';
import { knownIdentities } from './known-identities.js';
import { readOrganizations } from './read-organizations.js';

const instant = z.int().nonnegative().optional().catch(undefined);

const organization = z.object({ id: z.string().min(1), name: z.string().min(1), created_at: instant });

const organizationMember = z.object({
  organization: z.object({ id: z.string().min(1) }),
  public_user_data: z.object({ user_id: z.string().min(1) }),
  role: z.string(),
});

/**
 * The functions whose digests contain all parameters, by Clerk's names. Others look like one of these but are made in another
 * way, such as `bcrypt_peppered`.
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

const text = z.string().min(1).optional().catch(undefined);

const verification = z.object({ status: z.string() }).optional().catch(undefined);

/** A user as the Backend API answers, perhaps with the password that the export of the dashboard has. */
const user = z.object({
  id: z.string().min(1),
  username: text,
  first_name: text,
  last_name: text,
  primary_email_address_id: text,
  email_addresses: z.array(z.object({ id: text, email_address: z.string(), verification })),
  phone_numbers: z.array(z.unknown()).nullish(),
  external_accounts: z
    .array(
      z.object({
        provider: z.string(),
        provider_user_id: text,
        email_address: text,
        first_name: text,
        last_name: text,
        verification,
      }),
    )
    .nullish(),
  banned: z.boolean().nullish(),
  created_at: instant,
  password_digest: text,
  password_hasher: text,
  totp_secret: text,
});

/** A user as the export of the dashboard writes it, in JSON. */
const exported = z.record(z.string(), z.unknown());

/** Our names of the providers that have other names at Clerk. */
const PROVIDERS: Readonly<Record<string, string>> = {
  oauth_google: 'google',
  oauth_github: 'github',
  oauth_facebook: 'facebook',
  oauth_linkedin: 'linkedin',
  oauth_linkedin_oidc: 'linkedin',
  oauth_twitter: 'twitter',
  oauth_x: 'twitter',
};

/** The export of users that Clerk's dashboard gives, or users of its Backend API, and organizations of that. */
export const clerk: ForeignReader = {
  files: {
    users: 'the export of users of the dashboard, or users of the Backend API as JSON',
    organizations: 'the organizations of the Backend API, one on each line',
    memberships: 'who is in which organization, one on each line',
  },
  roles: { 'org:admin': 'owner', 'org:member': 'userMember' },
  read: readApplication,
};

async function* readApplication(files: ForeignFiles, { owns }: ForeignOptions): AsyncGenerator<ForeignLine> {
  if (await files.isJson('users'))
    for await (const { file, number, value, problem } of files.readJsonObjects('users'))
      yield { file, number, ...(value === undefined ? { problem } : userIn(value)) };
  else
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

type Read = Pick<ForeignLine, 'person' | 'problem' | 'notes'>;

function userIn(value: unknown): Read {
  const { data: row, error } = user.safeParse(value);
  if (row === undefined) {
    const { data: flat } = exported.safeParse(value);
    if (flat === undefined) return { problem: 'is no user' };
    // The export of the dashboard has no such field.
    if ('email_addresses' in flat) return { problem: faultIn(error, 'id', 'has no id') };
    return personIn(textsIn(flat));
  }
  const { password_hasher: hasher, password_digest: digest } = row;
  const problem = passwordProblem(digest, hasher);
  if (problem !== undefined) return { problem };
  const addresses = row.email_addresses.toSorted((one, other) => rankIn(row, one) - rankIn(row, other));
  const [address] = addresses;
  const { connections, notes } = knownIdentities(
    (row.external_accounts ?? [])
      .filter(isVerified)
      .map(({ provider, provider_user_id: id, ...account }) => ({
        provider,
        id,
        email: account.email_address,
        displayName: [account.first_name, account.last_name].filter(isText).join(' ') || undefined,
      })),
    PROVIDERS,
  );
  return {
    person: {
      id: row.id,
      email: address?.email_address,
      isConfirmed: address !== undefined && isVerified(address),
      username: row.username,
      firstName: row.first_name,
      lastName: row.last_name,
      password: digest,
      isDisabled: row.banned ?? undefined,
      createdAt: row.created_at,
      connections,
      totp: row.totp_secret,
    },
    notes: [
      ...notes,
      ...notesAbout({ addresses: addresses.length, hasPhone: (row.phone_numbers ?? []).length > 0 }),
    ],
  };
}

const isText = (name: string | undefined): name is string => name !== undefined;

const isVerified = (of: { readonly verification?: { readonly status: string } | undefined }): boolean =>
  of.verification?.status === 'verified';

/** The primary address before others, and verified ones before the rest. */
function rankIn(
  { primary_email_address_id: primary }: z.output<typeof user>,
  address: z.output<typeof user>['email_addresses'][number],
): number {
  if (primary !== undefined && address.id === primary) return 0;
  return isVerified(address) ? 1 : 2;
}

/** The fields of the export in CSV. */
function textsIn(row: Readonly<Record<string, unknown>>): ForeignFields {
  return Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) => {
      const written = Array.isArray(value) ? value.join('|') : value;
      return typeof written === 'string' && written !== '' ? [[name, written]] : [];
    }),
  );
}

function passwordProblem(digest: string | undefined, hasher: string | undefined): string | undefined {
  if (digest === undefined || HASHERS.has(hasher ?? '')) return undefined;
  return `has a password that ${JSON.stringify(hasher ?? '')} made, which is not taken`;
}

function notesAbout({ addresses, hasPhone }: { addresses: number; hasPhone: boolean }): string[] {
  return [...(addresses > 1 ? ['more addresses than one'] : []), ...(hasPhone ? ['telephone numbers'] : [])];
}

function personIn(fields: ForeignFields): Read {
  const { id, username, first_name: firstName, last_name: lastName, totp_secret: totp } = fields;
  if (id === undefined) return { problem: 'has no id' };
  const [verified, unverified] = [
    addressesIn(fields['verified_email_addresses']),
    addressesIn(fields['unverified_email_addresses']),
  ];
  const email = fields['primary_email_address'] ?? verified[0] ?? unverified[0];
  const { password_hasher: hasher, password_digest: digest } = fields;
  const problem = passwordProblem(digest, hasher);
  if (problem !== undefined) return { problem };
  const isConfirmed = email !== undefined && verified.includes(email);
  const addresses = new Set([...verified, ...unverified, ...(email === undefined ? [] : [email])]).size;
  return {
    person: { id, email, isConfirmed, username, firstName, lastName, password: digest, totp },
    notes: notesAbout({ addresses, hasPhone: fields['primary_phone_number'] !== undefined }),
  };
}

const addressesIn = (list = ''): string[] => list.split(/[|,;\s]+/).filter((each) => each !== '');
