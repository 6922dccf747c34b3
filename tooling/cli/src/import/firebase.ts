import { z } from 'zod';
import { CommandError } from '../command-error.js';
import { faultIn } from './fault-in.js';
import type { ForeignLine, ForeignReader } from './foreign-line.js';
import { knownIdentities } from './known-identities.js';

const text = z.string().min(1).optional().catch(undefined);

const identity = z.object({ providerId: z.string(), rawId: text, email: text, displayName: text });

const user = z.object({
  localId: z.string().min(1),
  email: text,
  emailVerified: z.boolean().optional().catch(undefined),
  displayName: text,
  passwordHash: text,
  salt: text,
  /** Milliseconds since 1970, in a text. */
  createdAt: z.coerce.number().int().nonnegative().optional().catch(undefined),
  disabled: z.boolean().nullish(),
  phoneNumber: text,
  /** The custom claims, as JSON in a text. */
  customAttributes: text,
  providerUserInfo: z.array(identity).nullish(),
  mfaInfo: z.array(z.unknown()).nullish(),
});

/** Our names of the providers. */
const PROVIDERS: Readonly<Record<string, string>> = {
  'google.com': 'google',
  'github.com': 'github',
  'facebook.com': 'facebook',
  'linkedin.com': 'linkedin',
  'oidc.linkedin': 'linkedin',
  'twitter.com': 'twitter',
};

/** Firebase's own ways to sign in, which are not providers. */
const OWN: ReadonlySet<string> = new Set(['password', 'phone', 'anonymous']);

/** Users of Firebase Authentication, as `firebase auth:export` writes them. */
export const firebase: ForeignReader = {
  files: { users: 'the JSON file of firebase auth:export' },
  roles: {},
  async *read({ readJsonArray }, { hashConfig }) {
    const config = hashConfig === undefined ? undefined : readHashConfig(hashConfig);
    for await (const { file, number, value, problem } of readJsonArray('users', 'users')) {
      const { data, error } = user.safeParse(value);
      if (problem !== undefined || data === undefined)
        yield { file, number, problem: problem ?? faultIn(error, 'localId', 'is no user with a localId') };
      else if (isAnonymous(data))
        yield { file, number, notes: ['anonymous users, who have no way to sign in'] };
      else if (data.passwordHash !== undefined && config === undefined)
        throw new CommandError(
          'People have passwords: give the parameters of the project in a file, with --hash-config.',
        );
      else yield { file, number, ...personIn(data, config) };
    }
  },
};

function isAnonymous({ email, phoneNumber, passwordHash, providerUserInfo }: z.output<typeof user>): boolean {
  const ways = (providerUserInfo ?? []).filter(({ providerId }) => providerId !== 'anonymous');
  return (email ?? phoneNumber ?? passwordHash) === undefined && ways.length === 0;
}

function personIn(
  row: z.output<typeof user>,
  config: HashConfig | undefined,
): Pick<ForeignLine, 'person' | 'notes'> {
  const { connections, notes } = knownIdentities(
    (row.providerUserInfo ?? [])
      .filter(({ providerId }) => !OWN.has(providerId))
      .map(({ providerId, rawId, email, displayName }) => ({
        provider: providerId,
        id: rawId,
        email,
        displayName,
      })),
    PROVIDERS,
  );
  return {
    person: {
      id: row.localId,
      email: row.email,
      isConfirmed: row.emailVerified,
      name: row.displayName,
      password: config && passwordOf(row, config),
      isDisabled: row.disabled ?? undefined,
      createdAt: row.createdAt,
      connections,
      roles: rolesIn(row.customAttributes),
    },
    notes: [
      ...notes,
      ...((row.mfaInfo ?? []).length > 0 ? ['second factors, which Firebase does not give'] : []),
    ],
  };
}

/** The parameters of a project, as the console shows them. */
const hashParameters = z.object({
  base64_signer_key: z.string(),
  base64_salt_separator: z.string(),
  rounds: z.string(),
  mem_cost: z.string(),
});

type HashConfig = z.output<typeof hashParameters>;

function readHashConfig(shown: string): HashConfig {
  const fields = [...shown.matchAll(/(\w+)"?\s*[:=]\s*"?([^\s,"}]+)/g)].map(([, name, value]) => [
    name,
    value,
  ]);
  const { data } = hashParameters.safeParse(Object.fromEntries(fields));
  if (data !== undefined) return data;
  const names = Object.keys(hashParameters.shape).join(', ');
  throw new CommandError(`The file of --hash-config does not have all of ${names}.`);
}

/** The hash in the form that `docs/importing.md` lists. Firebase writes base64 for addresses, or the usual one. */
function passwordOf({ passwordHash, salt }: z.output<typeof user>, config: HashConfig): string | undefined {
  if (passwordHash === undefined) return undefined;
  const usual = (base64 = '') => base64.replaceAll('-', '+').replaceAll('_', '/');
  const { rounds, mem_cost: memory, base64_salt_separator: separator, base64_signer_key: key } = config;
  return ['firebase', rounds, memory, usual(separator), usual(salt), usual(key), usual(passwordHash)].join(
    '$',
  );
}

/** The roles in custom claims: the texts of `role` and `roles`, and each claim that is true. */
function rolesIn(claims = '{}'): string[] {
  const fields = z.record(z.string(), z.unknown()).safeParse(parsed(claims)).data ?? {};
  const texts = [fields['role'], fields['roles']].flat().filter((each) => typeof each === 'string');
  return [...texts, ...Object.keys(fields).filter((name) => fields[name] === true)];
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
