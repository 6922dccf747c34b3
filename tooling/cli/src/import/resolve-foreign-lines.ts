import {
  emailKey,
  isForeignAddress,
  isVisible,
  outranks,
  type Roles,
  usernameKey,
} from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import {
  type AddressHolder,
  listAddressHolders,
  listForeignMembers,
  listForeignOwners,
} from '@gatehouse/db/queries/foreign-ids';
import { findLastIds } from '@gatehouse/db/queries/insert-imported-rows';
import type { ForeignLine, ForeignPerson } from './foreign-line.js';
import type { ImportLine } from './import-lines.js';
import { type ImportRecord, readFields } from './import-record.js';
import { describeRecord, nameOf } from './in-kind-order.js';
import { EVERY_OTHER, type RoleMap } from './read-role-map.js';

interface Origin {
  readonly db: Database;
  readonly roles: Roles;
  /** The name of the system under which its ids are stored. */
  readonly source: string;
  /** The roles here for its roles. */
  readonly map: RoleMap;
  /** Whether people are joined with members whose address both sides have confirmed. */
  readonly joins: boolean;
  /** Whether quick digests are accepted. */
  readonly wrapsWeak: boolean;
  /** Whether nothing is written, so that earlier lines are only in memory. */
  readonly isDry: boolean;
  /** The name of a line for the operator. */
  whereIs(line: ForeignLine): string;
  /** Called for each thing that is left out of an imported line. */
  note(where: string, text: string): void;
}

type Holder = Pick<AddressHolder, 'id' | 'isProven' | 'isPersonnel' | 'isDeleted'>;

/** A member who was imported before, or on an earlier line. */
interface KnownPerson {
  readonly id: number;
  /** Whether all their ways to sign in are still those of the import, so that a later import may add some. */
  readonly isAsImported: boolean;
}

/** The owners of ids and addresses. */
interface Known {
  readonly people: Map<string, KnownPerson>;
  readonly accounts: Map<string, number>;
  readonly addresses: Map<string, Holder>;
}

type Resolved = Omit<ImportLine, 'where'>;

/**
 * Turns lines of another system into records of an import. People and organizations get ids here, and are found again by their
 * ids there. Each call takes the next lines, once the previous ones are written.
 */
export function createForeignResolver(
  origin: Origin,
): (lines: readonly ForeignLine[]) => Promise<ImportLine[]> {
  const { db, source, isDry, roles, map, wrapsWeak } = origin;
  const next = { member: 1, account: 1 };
  let known = nothingKnown();

  const learn = async (lines: readonly ForeignLine[]) => {
    if (!isDry) known = nothingKnown();
    const [people, accounts] = [idsOf(lines, 'member'), idsOf(lines, 'account')];
    const persons = lines.flatMap(({ person }) => person ?? []);
    const emails = persons.flatMap(({ email }) => (email === undefined ? [] : emailKey(email)));
    for (const [id, owner] of await listForeignMembers(db, { source, foreignIds: people }))
      known.people.set(id, owner);
    for (const [id, owner] of await listForeignOwners(db, { kind: 'account', source, foreignIds: accounts }))
      known.accounts.set(id, owner);
    for (const [key, holder] of await listAddressHolders(db, emails)) known.addresses.set(key, holder);
    const last = await findLastIds(db);
    next.member = Math.max(next.member, last.memberId + 1);
    next.account = Math.max(next.account, last.accountId + 1);
  };

  /** The records of these fields, or the problem of the first invalid one. */
  const read = (...fields: Readonly<Record<string, unknown>>[]): ImportRecord[] | string => {
    const records: ImportRecord[] = [];
    for (const each of fields) {
      const record = readFields(each, roles, { isAccepted: false, wrapsWeak, isOurSecret: () => false });
      if ('problem' in record) return record.problem;
      records.push(record);
    }
    return records;
  };

  const resolvePerson = (person: ForeignPerson, note: (text: string) => void): Resolved => {
    const names = [`person ${JSON.stringify(person.id)}`];
    const there = known.people.get(person.id);
    if (there !== undefined) {
      const title = `member ${there.id}`;
      if (!there.isAsImported) return { records: [], names, title };
      const records = read(...signInsOf(person, there.id));
      return typeof records === 'string'
        ? { records: [], names, problem: records }
        : { records, names, title };
    }
    const { email } = person;
    if (person.username !== undefined && isForeignAddress(person.username, email ?? null))
      return {
        records: [],
        names,
        problem: "has a username that holds an @, but is not the person's own address",
      };
    const holder = email === undefined ? undefined : known.addresses.get(emailKey(email));
    if (holder !== undefined) {
      const problem = joinProblem(origin, person, holder);
      if (problem !== undefined) return { records: [], names, problem };
      note('joined with members here: their own password, name and role stay');
      if (person.totp !== undefined) note('authenticator apps of people who are joined with members here');
      if (person.passkeys?.length) note('passkeys of people who are joined with members here');
      const joined = bring(names, { foreignId: person.id, memberId: holder.id, isAsImported: false }, [
        ...connectionsOf(person, holder.id),
      ]);
      return { ...joined, records: joined.records.map((record) => joinedBy(record, emailKey(email ?? ''))) };
    }
    const id = next.member;
    const username = usernameOf(person, id);
    const [first, last] = namesOf(person).map((text) => cut(text, MAX_NAME));
    if (namesOf(person).some((text) => text.length > MAX_NAME)) note('names cut to 255 characters');
    if (person.password === undefined && person.plainPassword === undefined) note(NO_PASSWORD);
    const row = {
      id,
      sid: email ?? person.username ?? `${source}:${person.id}`,
      username,
      ...(email === undefined ? {} : { email }),
      ...(person.password === undefined ? {} : { password: person.password }),
      ...(person.plainPassword === undefined ? {} : { plainPassword: person.plainPassword }),
      ...(person.createdAt === undefined ? {} : { createdAt: person.createdAt }),
      role_type: highest(roles, person.roles ?? [], map) ?? roles.id.userMember,
      firstName: first ?? '',
      lastName: last ?? '',
      confirmed: email !== undefined && person.isConfirmed === true,
      isBanned: person.isDisabled === true,
    };
    const own = { foreignId: person.id, memberId: id, isAsImported: true };
    const brought = bring(names, own, [...signInsOf(person, id)], row);
    if (brought.problem !== undefined) return brought;
    next.member += 1;
    if (email !== undefined)
      known.addresses.set(emailKey(email), {
        id,
        isProven: row.confirmed,
        isPersonnel: false,
        isDeleted: false,
      });
    return brought;
  };

  const bring = (
    names: string[],
    { foreignId, memberId, isAsImported }: { foreignId: string; memberId: number; isAsImported: boolean },
    signIns: Readonly<Record<string, unknown>>[],
    member?: Readonly<Record<string, unknown>>,
  ): Resolved => {
    const own = { foreignId: { source, id: foreignId, memberId } };
    const records = read(...(member === undefined ? [] : [{ member }]), own, ...signIns);
    if (typeof records === 'string') return { records: [], names, problem: records };
    known.people.set(foreignId, { id: memberId, isAsImported });
    return withTitle(records, names);
  };

  const resolve = (line: ForeignLine): Resolved => {
    const { person, account, membership, problem } = line;
    const note = (text: string) => origin.note(origin.whereIs(line), text);
    for (const text of line.notes ?? []) note(text);
    if (problem !== undefined) {
      const names = line.failed === undefined ? [] : [organizationName(line.failed)];
      return { records: [], names, problem };
    }
    if (person !== undefined) return resolvePerson(person, note);
    if (account !== undefined) {
      const names = [organizationName(account.id)];
      const there = known.accounts.get(account.id);
      if (there !== undefined) return { records: [], names, title: `account ${there}` };
      const ownerId = known.people.get(account.ownerId)?.id;
      if (ownerId === undefined) return { records: [], names, needs: missingPerson(account.ownerId) };
      const accountId = next.account;
      const { name, createdAt } = account;
      const records = read(
        { account: { id: accountId, name, ownerId, ...(createdAt === undefined ? {} : { createdAt }) } },
        { foreignId: { source, id: account.id, accountId } },
      );
      if (typeof records === 'string') return { records: [], names, problem: records };
      next.account += 1;
      known.accounts.set(account.id, accountId);
      return withTitle(records, names);
    }
    if (membership === undefined) return { records: [], title: 'nothing' };
    const memberId = known.people.get(membership.personId)?.id;
    if (memberId === undefined) return { records: [], needs: missingPerson(membership.personId) };
    const accountId = known.accounts.get(membership.accountId);
    if (accountId === undefined) return { records: [], needs: missingAccount(membership.accountId) };
    const { roles: named } = membership;
    const roleType = highest(roles, named.length === 0 ? [EVERY_OTHER] : named, map, map.get(EVERY_OTHER));
    if (roleType === undefined)
      return {
        records: [],
        problem:
          named.length === 0
            ? 'has no role, and --map does not say with "*" what such members are here'
            : `has no role that --map turns into one of ours: ${named.join(', ')}`,
      };
    const records = read({ membership: { memberId, accountId, roleType } });
    return typeof records === 'string' ? { records: [], problem: records } : withTitle(records, []);
  };

  return async (lines) => {
    await learn(lines);
    return lines.flatMap((line) => {
      const { person, account, membership, problem } = line;
      const resolved = resolve(line);
      // A line with only notes is left out, and listed at the end.
      const isEmpty = (person ?? account ?? membership ?? problem) === undefined;
      return isEmpty ? [] : [{ where: origin.whereIs(line), ...resolved }];
    });
  };
}

function nothingKnown(): Known {
  return { people: new Map(), accounts: new Map(), addresses: new Map() };
}

function idsOf(lines: readonly ForeignLine[], kind: 'member' | 'account'): string[] {
  return lines.flatMap(({ person, account, membership }) =>
    [
      kind === 'member' ? person?.id : account?.id,
      kind === 'member' ? account?.ownerId : undefined,
      kind === 'member' ? membership?.personId : membership?.accountId,
    ].flatMap((id) => id ?? []),
  );
}

function withTitle(records: readonly ImportRecord[], names: readonly string[]): Resolved {
  const [first] = records;
  return {
    records,
    title: first === undefined ? 'nothing' : describeRecord(first),
    names: [...names, ...records.flatMap((record) => nameOf(record) ?? [])],
  };
}

const missingPerson = (id: string) => ({
  name: `person ${JSON.stringify(id)}`,
  problem: 'names a person who is neither here nor on an earlier line',
});

const organizationName = (id: string) => `organization ${JSON.stringify(id)}`;

const missingAccount = (id: string) => ({
  name: organizationName(id),
  problem: 'names an organization that is neither here nor on an earlier line',
});

const connectionsOf = ({ connections = [] }: ForeignPerson, memberId: number) =>
  connections.map((connection) => ({ connection: { memberId, ...connection } }));

/** Everything by which a person signs in, except a password. */
const signInsOf = (person: ForeignPerson, memberId: number) => [
  ...connectionsOf(person, memberId),
  ...(person.totp === undefined ? [] : [{ totp: { memberId, secret: person.totp } }]),
  ...(person.passkeys ?? []).map((each) => ({ passkey: { memberId, ...each } })),
];

/** A record that is only written if its member still has this address at that time. */
function joinedBy(record: ImportRecord, key: string): ImportRecord {
  if (record.kind === 'foreignId') return { ...record, row: { ...record.row, joinedBy: key } };
  return record.kind === 'connection' ? { ...record, row: { ...record.row, joinedBy: key } } : record;
}

/** Why a person is not merged with the member who has their address; undefined if they are. */
function joinProblem(
  { joins }: Pick<Origin, 'joins'>,
  { isConfirmed, isDisabled }: ForeignPerson,
  { id, isProven, isPersonnel, isDeleted }: Holder,
): string | undefined {
  const taken = `member ${id} has this e-mail address`;
  if (!joins)
    return `${taken}; --merge confirmed, which needs --confirmed-is-proven, joins them where both sides have confirmed it`;
  if (isPersonnel) return `${taken}, and is staff, whom nobody is joined with`;
  if (isDeleted) return `${taken}, and is deleted`;
  if (isConfirmed !== true) return `${taken}, and the other system has not confirmed it`;
  if (!isProven) return `${taken}, and its owner has not proven it here`;
  return isDisabled === true ? `${taken}, and the person is disabled in the other system` : undefined;
}

/** The highest of the roles in the map, by the rank of our roles. */
export function highest(
  roles: Roles,
  named: readonly string[],
  map: RoleMap,
  otherwise?: number,
): number | undefined {
  let found: number | undefined;
  for (const roleType of named.flatMap((name) => map.get(name) ?? otherwise ?? []))
    if (found === undefined || outranks(roles, roleType, found)) found = roleType;
  return found;
}

const NO_PASSWORD = 'no password, so they set one by a reset or sign in by mail';

const MAX_NAME = 255;
const MAX_STEM = 60;

function namesOf({ name, firstName, lastName }: ForeignPerson): [string, string] {
  if (firstName !== undefined || lastName !== undefined) return [visible(firstName), visible(lastName)];
  const [first = '', ...others] = visible(name).split(/\s+/u);
  return [first, others.join(' ')];
}

function visible(text = ''): string {
  const trimmed = text.trim();
  return isVisible(trimmed) ? trimmed : '';
}

/** The beginning of a text, without half a character at its end. */
function cut(text: string, most: number): string {
  return text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '');
}

/**
 * Their username; else one made from a name, which never equals that of a later person, because it contains the id. An address is
 * not used as a name.
 */
function usernameOf(person: ForeignPerson, id: number): string {
  if (person.username !== undefined && !person.username.includes('@')) return person.username;
  const stem = cut((person.alias ?? namesOf(person).join(' ')).trim(), MAX_STEM).trim();
  const isName = stem !== '' && !/[@＠﹫]/.test(stem) && usernameKey(stem) !== '';
  return `${isName ? stem : 'Member'} ${id}`;
}
