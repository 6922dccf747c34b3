import { toBase32 } from '@gatehouse/auth-core';
import { z } from 'zod';
import { faultIn } from './fault-in.js';
import type {
  ForeignFiles,
  ForeignLine,
  ForeignOptions,
  ForeignPasskey,
  ForeignReader,
} from './foreign-line.js';
import { knownIdentities } from './known-identities.js';
import { knownPasskey, UNKNOWN_PASSKEYS } from './known-passkey.js';

const text = z.string().min(1).optional().catch(undefined);
const flag = z.boolean().optional().catch(undefined);
const texts = z.array(z.string()).nullish();

/** JSON in a text, as Keycloak stores the content of credentials. */
const json = z.string().transform((stored, context): unknown => {
  try {
    return JSON.parse(stored);
  } catch {
    context.addIssue({ code: 'custom', message: 'is no JSON' });
    return z.NEVER;
  }
});

const credential = z.object({
  type: z.string(),
  userLabel: text,
  createdDate: z.int().nonnegative().optional().catch(undefined),
  secretData: z.unknown(),
  credentialData: z.unknown(),
});

type Credential = z.output<typeof credential>;

const parameters = z.record(z.string(), z.array(z.string())).catch({});

const password = z.object({
  secretData: json.pipe(z.object({ value: z.string(), salt: z.string().catch('') })),
  credentialData: json.pipe(
    z.object({
      algorithm: z.string(),
      hashIterations: z.int(),
      additionalParameters: parameters.optional(),
    }),
  ),
});

const authenticator = z.object({
  secretData: json.pipe(z.object({ value: z.string().min(1) })),
  credentialData: json.pipe(
    z.object({
      subType: z.literal('totp'),
      digits: z.literal(6),
      period: z.literal(30),
      algorithm: z.literal('HmacSHA1'),
      secretEncoding: z.string().optional(),
    }),
  ),
});

const webAuthn = json.pipe(
  z.object({
    credentialId: z.string(),
    credentialPublicKey: z.string(),
    counter: z.int().nonnegative().catch(0),
    transports: z.array(z.string()).catch([]),
  }),
);

const identity = z.object({ identityProvider: z.string(), userId: z.string().min(1), userName: text });

const user = z.object({
  id: z.string().min(1),
  username: text,
  email: text,
  emailVerified: flag,
  firstName: text,
  lastName: text,
  enabled: z.boolean().nullish(),
  createdTimestamp: z.int().nonnegative().optional().catch(undefined),
  credentials: z.array(credential).nullish(),
  federatedIdentities: z.array(identity).nullish(),
  realmRoles: texts,
  groups: texts,
  serviceAccountClientId: text,
});

type User = z.output<typeof user>;

/** A group at the top, or an organization. */
const named = z.object({ id: text, name: z.string().min(1) });

const organization = named.extend({
  members: z.array(z.object({ username: z.string() })).nullish(),
});

/** Our names of the providers, by the usual aliases. */
const PROVIDERS: Readonly<Record<string, string>> = {
  google: 'google',
  github: 'github',
  facebook: 'facebook',
  linkedin: 'linkedin',
  'linkedin-openid-connect': 'linkedin',
  twitter: 'twitter',
};

/** A realm of Keycloak, as `kc.sh export --users same_file` writes it. */
export const keycloak: ForeignReader = {
  files: { realm: 'the export of the realm with its users, one JSON file' },
  roles: {},
  read: readRealm,
};

async function* readRealm(files: ForeignFiles, options: ForeignOptions): AsyncGenerator<ForeignLine> {
  for await (const { file, number, value, problem } of files.readJsonArray('realm', 'users')) {
    const { data, error } = user.safeParse(value);
    if (problem !== undefined || data === undefined)
      yield { file, number, problem: problem ?? faultIn(error, 'id', 'is no user with an id') };
    // A client that acts for itself.
    else if (data.serviceAccountClientId === undefined)
      yield { file, number, ...personIn(data, options.rpId) };
  }
  yield* readGroups(files, options);
  yield* readOrganizations(files, options);
}

/** A group at the top level is an account. Its subgroups, and the roles of the realm, say the role of a person there. */
async function* readGroups(files: ForeignFiles, { owns }: ForeignOptions): AsyncGenerator<ForeignLine> {
  const owners = new Map<string, string>();
  /** The ids of groups, which paths do not have, by their names. */
  const ids = new Map<string, string>();
  for await (const { member, places } of groupMembers(files))
    for (const [name, roles] of places) if (owns(roles) && !owners.has(name)) owners.set(name, member.id);
  for await (const { file, number, value, problem } of files.readJsonArray('realm', 'groups')) {
    const { id, name } = named.safeParse(value).data ?? {};
    if (name === undefined) {
      yield { file, number, problem: problem ?? 'is no group with a name' };
      continue;
    }
    const accountId = id ?? `group ${name}`;
    ids.set(name, accountId);
    yield { file, number, ...accountOf(accountId, { name, ownerId: owners.get(name) }) };
  }
  for await (const { file, number, member, places } of groupMembers(files))
    for (const [name, roles] of places)
      yield {
        file,
        number,
        membership: { accountId: ids.get(name) ?? `group ${name}`, personId: member.id, roles },
      };
}

/** Everybody who is in groups, with the names of the top-level groups, and of their roles in each. */
async function* groupMembers(files: ForeignFiles) {
  for await (const { file, number, value } of files.readJsonArray('realm', 'users')) {
    const member = user.safeParse(value).data;
    if (member === undefined || member.serviceAccountClientId !== undefined) continue;
    const places = new Map<string, string[]>();
    for (const path of member.groups ?? []) {
      const [, top = '', ...below] = path.split('/');
      places.set(top, [...(places.get(top) ?? member.realmRoles ?? []), ...below]);
    }
    yield { file, number, member, places };
  }
}

/**
 * An organization is an account. The roles of the realm say the role of a person there. It remembers the members of
 * organizations.
 */
async function* readOrganizations(
  files: ForeignFiles,
  { owns }: ForeignOptions,
): AsyncGenerator<ForeignLine> {
  const named = new Set<string>();
  for await (const { value } of files.readJsonArray('realm', 'organizations'))
    for (const { username } of organization.safeParse(value).data?.members ?? []) named.add(username);
  if (named.size === 0) return;
  const members = new Map<string, { id: string; realmRoles: User['realmRoles'] }>();
  for await (const { value } of files.readJsonArray('realm', 'users')) {
    const { id, username = '', realmRoles } = user.safeParse(value).data ?? { id: '' };
    if (named.has(username)) members.set(username, { id, realmRoles });
  }
  for await (const { file, number, value } of files.readJsonArray('realm', 'organizations')) {
    const { data, error } = organization.safeParse(value);
    if (data === undefined) {
      yield { file, number, problem: faultIn(error, 'name', 'is no organization with a name') };
      continue;
    }
    const accountId = data.id ?? `organization ${data.name}`;
    const people = (data.members ?? []).flatMap(({ username }) => members.get(username) ?? []);
    const owner = people.find(({ realmRoles }) => owns(realmRoles ?? []));
    yield { file, number, ...accountOf(accountId, { name: data.name, ownerId: owner?.id }) };
    for (const { id: personId, realmRoles } of people)
      yield { file, number, membership: { accountId, personId, roles: realmRoles ?? [] } };
  }
}

function accountOf(
  id: string,
  { name, ownerId }: { name: string; ownerId: string | undefined },
): Pick<ForeignLine, 'account' | 'problem' | 'failed'> {
  if (ownerId !== undefined) return { account: { id, name, ownerId } };
  const problem = 'has nobody with a role that --map turns into owner (1) or admin (0), who could own it';
  return { problem, failed: id };
}

function personIn(row: User, rpId: string | undefined): Pick<ForeignLine, 'person' | 'problem' | 'notes'> {
  const credentials = row.credentials ?? [];
  const of = (type: string) => credentials.filter((each) => each.type === type);
  const [stored] = of('password');
  const hash = stored && passwordOf(stored);
  if (stored !== undefined && hash === undefined)
    return { problem: 'has a password that is stored in another way than Keycloak does' };
  const apps = of('otp');
  const [totp] = apps.flatMap((each) => secretOf(each) ?? []);
  const { connections, notes } = knownIdentities(
    (row.federatedIdentities ?? []).map(({ identityProvider, userId, userName }) => ({
      provider: identityProvider,
      id: userId,
      displayName: userName,
    })),
    PROVIDERS,
  );
  const keys = credentials.filter(({ type }) => type in WEB_AUTHN);
  const passkeys =
    rpId === undefined ? [] : keys.flatMap((each) => passkeyOf(each, { of: row.id, rpId }) ?? []);
  const others = new Set(credentials.map(({ type }) => type).filter((type) => !TAKEN.has(type)));
  return {
    person: {
      id: row.id,
      email: row.email,
      isConfirmed: row.emailVerified,
      username: row.username,
      firstName: row.firstName,
      lastName: row.lastName,
      password: hash,
      isDisabled: row.enabled === false,
      createdAt: row.createdTimestamp,
      connections,
      totp,
      passkeys,
    },
    notes: [
      ...notes,
      ...(apps.length > (totp === undefined ? 0 : 1)
        ? ['authenticator apps after the first, or of another form than 6 digits in 30 seconds by SHA-1']
        : []),
      ...(keys.length > passkeys.length
        ? [
            rpId === undefined
              ? 'passkeys, because neither PASSKEY_RP_ID nor APP_URL names their domain'
              : UNKNOWN_PASSKEYS,
          ]
        : []),
      ...[...others].map((type) => `credentials of the type ${JSON.stringify(type)}`),
    ],
  };
}

/** Keycloak's kinds of WebAuthn credentials, and whether they are a second step there. */
const WEB_AUTHN: Readonly<Record<string, { isSecondStep: boolean }>> = {
  webauthn: { isSecondStep: true },
  'webauthn-passwordless': { isSecondStep: false },
};

const TAKEN: ReadonlySet<string> = new Set(['password', 'otp', ...Object.keys(WEB_AUTHN)]);

/** A passkey; undefined if it is stored in another way. Keycloak gives browsers its id of the user. */
function passkeyOf(
  { type, userLabel, createdDate, credentialData }: Credential,
  { of, rpId }: { of: string; rpId: string },
): ForeignPasskey | undefined {
  const { data } = webAuthn.safeParse(credentialData);
  return (
    data &&
    knownPasskey({
      id: data.credentialId,
      publicKey: data.credentialPublicKey,
      rpId,
      counter: data.counter,
      name: userLabel,
      transports: data.transports,
      userHandle: Buffer.from(of).toString('base64url'),
      createdAt: createdDate,
      isSecondStep: WEB_AUTHN[type]?.isSecondStep,
    })
  );
}

/** The hash in a form that `docs/importing.md` lists. */
function passwordOf(stored: Credential): string | undefined {
  const { data } = password.safeParse(stored);
  if (data === undefined) return undefined;
  const { value, salt } = data.secretData;
  const { algorithm, hashIterations: rounds, additionalParameters = {} } = data.credentialData;
  if (algorithm === 'bcrypt') return value;
  if (algorithm === 'pbkdf2-sha256' || algorithm === 'pbkdf2-sha512')
    return [algorithm, rounds, Buffer.from(value, 'base64').length * 8, salt, value].join('$');
  if (algorithm !== 'argon2') return undefined;
  const { type: [type = 'id'] = [], memory: [memory] = [], parallelism: [lanes] = [] } = additionalParameters;
  const version = additionalParameters['version']?.[0] ?? '1.3';
  if (version !== '1.3' || memory === undefined || lanes === undefined) return undefined;
  const unpadded = (base64: string) => base64.replace(/=+$/, '');
  const cost = `m=${memory},t=${rounds},p=${lanes}`;
  return `$argon2${type}$v=19$${cost}$${unpadded(salt)}$${unpadded(value)}`;
}

/** The secret of an authenticator app in base32. Keycloak stores a text whose bytes are the secret, or base32. */
function secretOf(stored: Credential): string | undefined {
  const { data } = authenticator.safeParse(stored);
  if (data === undefined) return undefined;
  const { value } = data.secretData;
  return data.credentialData.secretEncoding === 'BASE32' ? value : toBase32(Buffer.from(value));
}
