import { z } from 'zod';
import { faultIn } from './fault-in.js';
import type {
  ForeignFiles,
  ForeignLine,
  ForeignOptions,
  ForeignPerson,
  ForeignReader,
} from './foreign-line.js';
import { knownIdentities } from './known-identities.js';
import { readOrganizations } from './read-organizations.js';

const text = z.string().min(1).optional().catch(undefined);
const flag = z.boolean().optional().catch(undefined);
const id = z.union([z.string().min(1), z.int().transform(String)]);

const identity = z.object({
  provider: z.string(),
  user_id: id,
  profileData: z.object({ email: text, name: text }).optional().catch(undefined),
});

const user = z.object({
  user_id: z.string().min(1),
  email: text,
  email_verified: flag,
  username: text,
  name: text,
  given_name: text,
  family_name: text,
  nickname: text,
  blocked: z.boolean().nullish(),
  created_at: text,
  identities: z.array(identity).nullish(),
  /** As a bulk import of Auth0 takes it. */
  password_hash: text,
  mfa_factors: z.array(z.object({ totp: z.object({ secret: z.string() }).nullish() })).nullish(),
});

/** A line of the export of password hashes, which Auth0's support gives. */
const credential = z.object({
  _id: z.union([z.object({ $oid: z.string() }), z.string()]),
  alt_id: text,
  passwordHash: text,
});

const organization = z.object({ id: z.string().min(1), name: text, display_name: text });

const organizationMember = z.object({
  organization_id: z.string().min(1),
  user_id: z.string().min(1),
  roles: z
    .array(z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)]))
    .nullish(),
});

/** Our names of the providers that have other names at Auth0. */
const PROVIDERS: Readonly<Record<string, string>> = {
  'google-oauth2': 'google',
  github: 'github',
  facebook: 'facebook',
  linkedin: 'linkedin',
  twitter: 'twitter',
};

/** Auth0's own stores of passwords and of addresses, which are not providers. */
const OWN: ReadonlySet<string> = new Set(['auth0', 'email', 'sms']);

/** Users of an Auth0 tenant, the hashes of their passwords, and organizations. */
export const auth0: ForeignReader = {
  files: {
    users: 'the bulk export of users, a JSON object on each line',
    passwords: 'the export of password hashes that Auth0 gives on request',
    organizations: 'the organizations, one on each line',
    members: 'who is in which organization, one on each line, with organization_id',
  },
  roles: {},
  read: readTenant,
};

async function* readTenant(files: ForeignFiles, { owns }: ForeignOptions): AsyncGenerator<ForeignLine> {
  const hashesOf = files.has('passwords')
    ? await files.indexJsonLines('passwords', (value) => {
        const { data } = credential.safeParse(value);
        return data && `auth0|${data.alt_id ?? (typeof data._id === 'string' ? data._id : data._id.$oid)}`;
      })
    : undefined;
  for await (const { file, number, value, problem } of files.readJsonObjects('users')) {
    const { data: row, error } = user.safeParse(value);
    if (problem !== undefined || row === undefined) {
      yield { file, number, problem: problem ?? faultIn(error, 'user_id', 'is no user with a user_id') };
      continue;
    }
    // A password belongs to an identity, which may be linked to a user of another.
    const owners = new Set(
      [
        row.user_id,
        ...(row.identities ?? []).map(({ provider, user_id }) => `${provider}|${user_id}`),
      ].filter((each) => each.startsWith('auth0|')),
    );
    const hashes: string[] = [];
    for (const owner of owners)
      for (const stored of (await hashesOf?.(owner)) ?? []) {
        const { passwordHash } = credential.parse(stored);
        if (passwordHash !== undefined) hashes.push(passwordHash);
      }
    const { person, notes } = personIn(row, hashes[0]);
    const missing = hashesOf === undefined ? 0 : owners.size - hashes.length;
    yield {
      file,
      number,
      person,
      notes: [
        ...notes,
        ...(missing > 0 ? ['passwords that are not in the export of hashes'] : []),
        ...(hashes.length > 1 ? ['passwords after the first of people with several'] : []),
      ],
    };
  }
  yield* readOrganizations(files, {
    owns,
    organizations: 'organizations',
    members: 'members',
    toOrganization(value) {
      const { data } = organization.safeParse(value);
      return data && { id: data.id, name: data.display_name ?? data.name ?? data.id };
    },
    toMembership(value) {
      const { data } = organizationMember.safeParse(value);
      return data && { accountId: data.organization_id, personId: data.user_id, roles: data.roles ?? [] };
    },
  });
}

function personIn(
  row: z.output<typeof user>,
  hash: string | undefined,
): { person: ForeignPerson; notes: string[] } {
  const { connections, notes } = knownIdentities(
    (row.identities ?? [])
      .filter(({ provider }) => !OWN.has(provider))
      .map(({ provider, user_id, profileData: { email, name } = {} }) => ({
        provider,
        id: user_id,
        email,
        displayName: name,
      })),
    PROVIDERS,
  );
  const secrets = (row.mfa_factors ?? []).flatMap(({ totp }) => totp?.secret ?? []);
  return {
    person: {
      id: row.user_id,
      email: row.email,
      isConfirmed: row.email_verified,
      username: row.username,
      // For a person without a name, Auth0 uses their address.
      name: [row.name, row.nickname].find((each) => each !== undefined && !each.includes('@')),
      firstName: row.given_name,
      lastName: row.family_name,
      password: hash ?? row.password_hash,
      isDisabled: row.blocked ?? undefined,
      createdAt: row.created_at,
      connections,
      totp: secrets[0],
    },
    notes,
  };
}
