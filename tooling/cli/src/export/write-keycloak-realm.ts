import { createHash } from 'node:crypto';
import { type DataCipher, dummyHash, type Roles, SealedDataRefused, toBase32 } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { listWholeRowsWith, type WholeRow } from '@gatehouse/db/queries/read-whole-tables';
import { openTotpSecret } from '@gatehouse/features/authentication/second-factor/factor-codes';
import { findSocialProviderById } from '@gatehouse/features/core/social-providers/social-providers';
import { type KeycloakCredential, keycloakAuthenticator, keycloakPassword } from './keycloak-password.js';
import { readTablePages } from './read-table-pages.js';

interface RealmInput {
  /** Reads one moment. */
  readonly db: Database;
  readonly cipher: DataCipher;
  readonly roles: Roles;
  /** Whether passwords and the secrets of authenticator apps are included, in the clear: Keycloak reads no others. */
  readonly withSecrets: boolean;
  readonly nowMs: number;
  readonly advance: (rows: number) => void;
  /** Called for each thing about a person that is not exported. */
  readonly note: (what: string) => void;
}

type Account = Database['tables']['accounts']['$inferSelect'];
type Member = Database['tables']['members']['$inferSelect'];
type Membership = Database['tables']['memberships']['$inferSelect'];
type CustomRole = Database['tables']['customRoles']['$inferSelect'];
type Connection = Database['tables']['socialConnections']['$inferSelect'];
type TotpFactor = Database['tables']['totpFactors']['$inferSelect'];

/**
 * A realm as Keycloak imports it, a part at a time: each account as a group at the top, in which there is a group for each role, and
 * each living member as a user. Machines and erased or deleted members are left out.
 */
export async function* writeKeycloakRealm(input: RealmInput): AsyncGenerator<string> {
  yield '{"realm":"gatehouse","enabled":true,"registrationAllowed":false,"loginWithEmailAllowed":true,"groups":[';
  yield* joined(groupsOf(input));
  yield '],"users":[';
  yield* joined(usersOf(input));
  yield ']}\n';
}

/** Pages of JSON values with commas between them. */
async function* joined(pages: AsyncIterable<readonly object[]>): AsyncGenerator<string> {
  let isFirst = true;
  for await (const page of pages) {
    if (page.length === 0) continue;
    yield `${isFirst ? '' : ','}\n${page.map((value) => JSON.stringify(value)).join(',\n')}`;
    isFirst = false;
  }
}

async function* groupsOf({ db, roles, advance }: RealmInput): AsyncGenerator<readonly object[]> {
  const own = Object.keys(roles.id);
  let length = 0;
  for await (const page of readTablePages(db, 'accounts', () => length)) {
    const accounts = asRows<Account>(page);
    const custom = await customRolesOf(db, accounts);
    const groups = accounts
      .filter(({ isDeleted }) => !isDeleted)
      .map((account) => {
        const path = pathOf(account);
        const ofAccount = custom.filter(({ accountId }) => accountId === account.id).map(roleNameOf);
        const subGroups = [...new Set([...own, ...ofAccount])].map((name) => ({
          name,
          path: `${path}/${name}`,
        }));
        return {
          name: path.slice(1),
          path,
          attributes: { gatehouseId: [String(account.id)] },
          subGroups,
        };
      });
    length = JSON.stringify(groups).length;
    yield groups;
    advance(page.length);
  }
}

async function* usersOf(input: RealmInput): AsyncGenerator<readonly object[]> {
  let length = 0;
  for await (const page of readTablePages(input.db, 'members', () => length)) {
    const members = asRows<Member>(page).filter(({ isDeleted, isMachine }) => !isDeleted && !isMachine);
    const users = await usersIn(input, members);
    length = JSON.stringify(users).length;
    yield users;
    input.advance(page.length);
  }
}

async function usersIn(input: RealmInput, members: readonly Member[]): Promise<object[]> {
  const { db, nowMs } = input;
  const ids = members.map(({ id }) => id);
  const places = asRows<Membership>(await listWholeRowsWith(db, 'memberships', 'memberId', ids));
  const connections = asRows<Connection>(await listWholeRowsWith(db, 'socialConnections', 'memberId', ids));
  const apps = input.withSecrets
    ? asRows<TotpFactor>(await listWholeRowsWith(db, 'totpFactors', 'memberId', ids))
    : [];
  const groupsOfMember = await groupNames(input, places);
  return members.map((member) => ({
    id: userIdOf(member),
    username: member.username.toLowerCase(),
    ...(member.email === null ? {} : { email: member.email }),
    emailVerified: member.emailConfirmedAtMs !== null,
    firstName: member.firstName,
    lastName: member.lastName,
    enabled: member.bannedRoleType === null || (member.bannedUntilMs ?? Number.MAX_SAFE_INTEGER) <= nowMs,
    createdTimestamp: member.createdAtMs,
    attributes: { gatehouseId: [String(member.id)], locale: [member.locale] },
    credentials: credentialsOf(
      input,
      member,
      apps.find(({ memberId }) => memberId === member.id),
    ),
    federatedIdentities: connections
      .filter(({ memberId }) => memberId === member.id)
      .flatMap(({ providerId, providerUserId, displayName }) => {
        const provider = findSocialProviderById(providerId)?.key;
        const userName = displayName ?? providerUserId;
        return provider === undefined
          ? []
          : [{ identityProvider: provider, userId: providerUserId, userName }];
      }),
    groups: groupsOfMember(member.id),
  }));
}

/** The paths of the groups for the memberships that give access. */
async function groupNames(
  { db, roles }: RealmInput,
  places: readonly Membership[],
): Promise<(memberId: number) => string[]> {
  const live = places.filter(({ isDeleted, active }) => !isDeleted && active);
  const accountIds = [...new Set(live.map(({ accountId }) => accountId))];
  const accounts = asRows<Account>(await listWholeRowsWith(db, 'accounts', 'id', accountIds));
  const standing = new Map(
    accounts.filter(({ isDeleted }) => !isDeleted).map((account) => [account.id, account]),
  );
  const custom = new Map((await customRolesOf(db, accounts)).map((role) => [role.id, roleNameOf(role)]));
  const names = new Map<number, string>(Object.entries(roles.id).map(([name, number]) => [number, name]));
  return (memberId) =>
    live
      .filter((place) => place.memberId === memberId)
      .flatMap(({ accountId, customRoleId, roleType }) => {
        const account = standing.get(accountId);
        const name = custom.get(customRoleId ?? 0) ?? names.get(roleType);
        return account === undefined || name === undefined ? [] : [`${pathOf(account)}/${name}`];
      });
}

async function customRolesOf(db: Database, accounts: readonly Account[]): Promise<CustomRole[]> {
  const ids = accounts.map(({ id }) => id);
  return asRows<CustomRole>(await listWholeRowsWith(db, 'customRoles', 'accountId', ids));
}

function credentialsOf(
  { cipher, withSecrets, note }: RealmInput,
  { id, password, passwordIsPlain, hasPassword }: Member,
  app: TotpFactor | undefined,
): KeycloakCredential[] {
  if (!withSecrets) return [];
  const credentials: KeycloakCredential[] = [];
  // A person who was imported without a password has a hash that matches none.
  if (hasPassword && password !== dummyHash) {
    const credential = passwordIsPlain ? undefined : keycloakPassword(password);
    if (credential === undefined) note('have a password of a kind that Keycloak does not know');
    else credentials.push(credential);
    if (credential !== undefined && password.startsWith('$2'))
      note('have a password by bcrypt, for which Keycloak needs an extension');
  }
  if (app?.secret !== null && app?.secret !== undefined) {
    const secret = openIfReadable(cipher, id, app.secret);
    if (secret === undefined) note('have an authenticator app whose secret no key of this deployment opens');
    else credentials.push(keycloakAuthenticator(toBase32(secret)));
  }
  return credentials;
}

function openIfReadable(cipher: DataCipher, memberId: number, sealed: string): Buffer | undefined {
  try {
    return openTotpSecret({ cipher }, memberId, sealed);
  } catch (error) {
    if (error instanceof SealedDataRefused) return undefined;
    throw error;
  }
}

/** A name with the number of the account, because names at the top level are unique. In a path a slash separates groups. */
const pathOf = ({ id, name }: Account) => `/${name.replaceAll('/', '-')} (${id})`;

const roleNameOf = ({ name }: CustomRole) => name.replaceAll('/', '-');

/** An id in the form of a UUID, the same in each export. Keycloak's are unique in all realms. */
function userIdOf({ id, sidKey, createdAtMs }: Member): string {
  const hex = createHash('sha256')
    .update(JSON.stringify([id, sidKey, createdAtMs]))
    .digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

function asRows<Row>(rows: readonly WholeRow[]): Row[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- callers name the row of the table they have read, of which all columns were selected
  return rows as unknown as Row[];
}
