import { z } from 'zod';
import type {
  ForeignFields,
  ForeignFiles,
  ForeignLine,
  ForeignOptions,
  ForeignReader,
} from './foreign-line.js';
import { knownIdentities } from './known-identities.js';

const text = z.string().min(1).optional().catch(undefined);

/** The data about a person from providers and the product's own pages. */
const profile = z.object({
  full_name: text,
  name: text,
  first_name: text,
  last_name: text,
  preferred_username: text,
  user_name: text,
  email: text,
  sub: text,
});

type Profile = z.output<typeof profile>;

/** Our names of the providers that have other names at Supabase. */
const PROVIDERS: Readonly<Record<string, string>> = {
  google: 'google',
  github: 'github',
  facebook: 'facebook',
  linkedin: 'linkedin',
  linkedin_oidc: 'linkedin',
  twitter: 'twitter',
};

/** Supabase's own identities, which are not providers. */
const OWN: ReadonlySet<string> = new Set(['email', 'phone']);

/** The tables of Supabase's schema `auth`, as PostgreSQL writes them in CSV or dumps them. */
export const supabase: ForeignReader = {
  files: {
    users: 'the table auth.users as CSV with a header, or a dump of the schema auth',
    identities: 'the table auth.identities, with the providers',
    mfa_factors: 'the table auth.mfa_factors, with the authenticator apps',
  },
  roles: {},
  read: readTables,
};

async function* readTables(files: ForeignFiles, { nowMs }: ForeignOptions): AsyncGenerator<ForeignLine> {
  const isDump = await files.isDump('users');
  const ofUser = async (name: string): Promise<(id: string) => Promise<readonly ForeignFields[]>> => {
    if (isDump) return files.indexDump('users', { table: `auth.${name}`, column: 'user_id' });
    return files.has(name) ? files.indexCsv(name, 'user_id') : () => Promise.resolve([]);
  };
  const identitiesOf = await ofUser('identities');
  const factorsOf = await ofUser('mfa_factors');
  const users = isDump ? files.readDump('users', 'auth.users') : files.readCsv('users');
  for await (const { file, number, value, problem } of users) {
    const id = value?.['id'];
    if (value === undefined || id === undefined) {
      yield { file, number, problem: problem ?? 'has no id' };
      continue;
    }
    const [identities, factors] = [await identitiesOf(id), await factorsOf(id)];
    yield { file, number, ...personIn({ ...value, id }, { identities, factors, nowMs }) };
  }
}

function personIn(
  row: ForeignFields & { readonly id: string },
  {
    identities,
    factors,
    nowMs,
  }: { identities: readonly ForeignFields[]; factors: readonly ForeignFields[]; nowMs: number },
): Pick<ForeignLine, 'person' | 'problem' | 'notes'> {
  if (row['deleted_at'] !== undefined) return { problem: 'was deleted there' };
  if (row['is_anonymous'] === 't' || row['is_anonymous'] === 'true')
    return { problem: 'is nobody: an anonymous user' };
  if (row['is_sso_user'] === 't' || row['is_sso_user'] === 'true')
    return { notes: ['people who sign in through SSO of Supabase'] };
  const times = ['created_at', 'banned_until'].map((column) => readTime(row[column]));
  if (times.includes(undefined)) return { problem: 'has a time that PostgreSQL does not write' };
  const [createdAt, bannedUntilMs = 0] = times;
  const about = profileIn(row['raw_user_meta_data']);
  const { connections, notes } = knownIdentities(
    identities.map(identityIn).filter(({ provider }) => !OWN.has(provider)),
    PROVIDERS,
  );
  const verified = factors.filter(({ status }) => status === 'verified');
  const [app] = verified.filter(({ factor_type: kind }) => kind === 'totp');
  return {
    person: {
      id: row.id,
      email: row['email'],
      isConfirmed: row['email_confirmed_at'] !== undefined,
      alias: about.preferred_username ?? about.user_name,
      name: about.full_name ?? about.name,
      firstName: about.first_name,
      lastName: about.last_name,
      password: row['encrypted_password'],
      isDisabled: bannedUntilMs > nowMs,
      createdAt: createdAt === 0 ? undefined : createdAt,
      connections,
      totp: app?.['secret'],
    },
    notes: [
      ...notes,
      ...(verified.some(({ factor_type: kind }) => kind !== 'totp')
        ? ['second factors other than authenticator apps']
        : []),
    ],
  };
}

function identityIn({ provider = '', ...row }: ForeignFields) {
  const about = profileIn(row['identity_data']);
  // Before it had a column of its own, the id there was only in the profile.
  const id = row['provider_id'] ?? about.sub;
  return { provider, id, email: about.email, displayName: about.full_name ?? about.name };
}

function profileIn(json = '{}'): Profile {
  try {
    return profile.catch({}).parse(JSON.parse(json));
  } catch {
    return {};
  }
}

const TIME = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d+)?)(?:Z|([+-]\d\d)(?::?(\d\d))?)$/;

/** Milliseconds since 1970 of a time as PostgreSQL writes it, 0 for none; undefined for any other text. */
function readTime(stored: string | undefined): number | undefined {
  if (stored === undefined) return 0;
  const [, day, time, hours = '+00', minutes = '00'] = TIME.exec(stored) ?? [];
  const readMs = Date.parse(`${day}T${time}${hours}:${minutes}`);
  return Number.isNaN(readMs) ? undefined : readMs;
}
