import { pbkdf2Sync, randomInt, scryptSync } from 'node:crypto';
import {
  dummyHash,
  foreignHash,
  hashPassword,
  isPasswordHash,
  passwordCost,
  randomId,
  wrapPasswordHash,
} from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { setPasswordHash } from '@gatehouse/db/queries/passwords';
import { removeMember } from '@gatehouse/db/queries/remove-member';
import { CHEAP_FOREIGN_VECTORS } from '@gatehouse/runtime/test/foreign-vectors';
import {
  createTestDatabase,
  insertTestMember,
  printMeasurements,
  type SpawnedService,
  seedTestDatabase,
  spawnService,
} from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';

const TRIES = 10_000;

/** So many members of each kind that nobody is locked out by their share of the attempts. */
const PEOPLE_OF_A_KIND = 20;

/** So few at once that none waits for another: this measures a sign-in, not a queue. */
const AT_ONCE = 2;

/**
 * By chance, one of ten kinds is this far from the others in one of a thousand runs: the two-sided quantile for 0.001 / 10. The
 * kinds take turns at random, so that no other cause makes their times differ.
 */
const LIMIT = 3.89;

/** With it added, a difference is found in 80 of 100 runs. */
const FOR_POWER = 0.84;

/** The smallest difference that is regarded as visible: 2 % of the time of a refusal. */
const SENSITIVE_TO = 0.02;

const vector = (kind: string) =>
  foreignHash(CHEAP_FOREIGN_VECTORS.find(([own]) => own === kind)?.[2] ?? '') ?? expect.unreachable();

function pbkdf2Hash(): string {
  const key = pbkdf2Sync('Known-Before-1', 'NaCl', 40_000, 32, 'sha256').toString('base64');
  return foreignHash(`pbkdf2_sha256$40000$NaCl$${key}`) ?? expect.unreachable();
}

function scryptHash(): string {
  const [salt, key] = [
    Buffer.from('NaClNaCl'),
    scryptSync('Known-Before-1', 'NaClNaCl', 32, { N: 2 ** 12, r: 8, p: 1 }),
  ].map((bytes) => bytes.toString('base64').replaceAll('=', ''));
  return foreignHash(`$scrypt$ln=12,r=8,p=1$${salt}$${key}`) ?? expect.unreachable();
}

/**
 * The stored password of each kind of member. The costliest make each refusal wait 56 ms more, so that all attempts take minutes.
 */
async function storedOfEachKind(): Promise<Map<string, string>> {
  const ours = await hashPassword('Known-Before-1');
  return new Map([
    ['ours', ours],
    ['deleted', ours],
    ['WordPress', ours.replace('$2b$', '$wp$2y$')],
    ['wrapped', await wrapPasswordHash(await hashPassword('Known-Before-1', 4))],
    ['pbkdf2', pbkdf2Hash()],
    ['scrypt', scryptHash()],
    ...['argon2', 'phpass', 'sha-crypt'].map((kind) => [kind, vector(kind)] as const),
  ]);
}

/** The addresses of each kind of people, and of some unknown ones. */
async function insertEachKind(database: Database): Promise<Map<string, string[]>> {
  const people = new Map<string, string[]>();
  for (const [kind, stored] of await storedOfEachKind()) {
    const emails: string[] = [];
    while (emails.length < PEOPLE_OF_A_KIND) {
      expect([kind, isPasswordHash(stored)]).toEqual([kind, true]);
      const { id, email } = await insertTestMember(database, { withSession: false });
      expect(await setPasswordHash(database, id, dummyHash, stored, passwordCost(stored))).toBe(true);
      if (kind === 'deleted')
        await changeAccess(database, { members: [id] }, (tx) =>
          removeMember(tx, { memberId: id, nowMs: Date.now() }),
        );
      emails.push(email);
    }
    people.set(kind, emails);
  }
  people.set(
    'unknown',
    Array.from({ length: PEOPLE_OF_A_KIND }, () => `m${randomId()}@many.test`),
  );
  return people;
}

interface Refusal {
  readonly kind: string;
  readonly ms: number;
}

async function timeRefusal(service: SpawnedService, email: string): Promise<number> {
  const startedMs = performance.now();
  const answer = await service.send('/webauthenticate', { body: { email, password: 'Wrong-Harbor-42' } });
  await answer.arrayBuffer();
  const endedMs = performance.now();
  expect(answer.status).toBe(401);
  return endedMs - startedMs;
}

/** Kinds in random order, and all people of each in turn, so that none is tried more often than another. */
async function measure(service: SpawnedService, people: ReadonlyMap<string, string[]>): Promise<Refusal[]> {
  const kinds = [...people];
  const deck = shuffled(
    Array.from({ length: TRIES }, (_, at) => {
      const [kind, emails] = kinds[at % kinds.length] ?? expect.unreachable();
      return { kind, email: emails[Math.floor(at / kinds.length) % emails.length] ?? expect.unreachable() };
    }),
  );
  const refusals: Refusal[] = [];
  const call = async () => {
    for (let next = deck.pop(); next !== undefined; next = deck.pop())
      refusals.push({ kind: next.kind, ms: await timeRefusal(service, next.email) });
  };
  for (const [, [email]] of kinds) await timeRefusal(service, email ?? expect.unreachable());
  await Promise.all(Array.from({ length: AT_ONCE }, call));
  return refusals;
}

function shuffled<Item>(items: Item[]): Item[] {
  for (let at = items.length - 1; at > 0; at -= 1) {
    const other = randomInt(at + 1);
    [items[at], items[other]] = [items[other] as Item, items[at] as Item];
  }
  return items;
}

const NEIGHBORS = 20;

/** Each time without the median of those around it, so that a machine that is slower for a while hides less. */
function withoutDrift(refusals: readonly Refusal[]): Refusal[] {
  return refusals.map(({ kind, ms }, at) => {
    const around = refusals.slice(Math.max(0, at - NEIGHBORS), at + NEIGHBORS + 1);
    return { kind, ms: ms - medianOf(around) };
  });
}

function medianOf(refusals: readonly Refusal[]): number {
  const sorted = refusals.map(({ ms }) => ms).toSorted((one, other) => one - other);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}

/** How many standard errors each kind is from all others by the Mann-Whitney test: below zero if it is refused sooner. */
function distances(refusals: readonly Refusal[]): Map<string, number> {
  const ranks = new Map<string, number[]>();
  for (const [at, { kind }] of refusals.toSorted((one, other) => one.ms - other.ms).entries())
    ranks.set(kind, [...(ranks.get(kind) ?? []), at + 1]);
  return new Map(
    [...ranks].map(([kind, own]) => {
      const others = refusals.length - own.length;
      const mean = own.reduce((sum, rank) => sum + rank, 0) / own.length;
      const share = (mean - (own.length + 1) / 2) / others;
      return [kind, (share - 0.5) / standardError(own.length, others)];
    }),
  );
}

/** The standard error of the share of pairs in which one of a kind took longer than one of the others. */
const standardError = (own: number, others: number) => Math.sqrt((own + others + 1) / (12 * own * others));

/** By how many milliseconds one kind of ten would have to differ to be found. */
function smallestSeen(refusals: readonly Refusal[], kinds: number): number {
  const sorted = refusals.map(({ ms }) => ms).toSorted((one, other) => one - other);
  const own = sorted.length / kinds;
  const wanted = 0.5 + (LIMIT + FOR_POWER) * standardError(own, sorted.length - own);
  for (let later = 0.05; ; later += 0.05) {
    let below = 0;
    let pairs = 0;
    for (const ms of sorted) {
      while (below < sorted.length && (sorted[below] ?? 0) < ms + later) below += 1;
      pairs += below;
    }
    if (pairs / sorted.length ** 2 >= wanted) return later;
  }
}

describe('refused sign-ins', () => {
  it('take as long for every kind of stored hash as for unknown people', async () => {
    await using test = await createTestDatabase(inject('dialect'));
    await seedTestDatabase(test.database);
    const people = await insertEachKind(test.database);
    await using service = await spawnService('api-main', {
      databaseUrl: test.url,
      env: {
        LOGIN_FAILURES_PER_ADDRESS: '100000',
        LOGIN_FAILURES_PER_MEMBER: '99',
        // Two places for the hashes of other systems.
        PASSWORD_HASH_CONCURRENCY: '4',
      },
    });
    const measured = await measure(service, people);
    const refusals = withoutDrift(measured);
    const apart = [...distances(refusals)].toSorted(([, one], [, other]) => Math.abs(other) - Math.abs(one));
    const [[farthest, distance] = ['', 0]] = apart;
    const medianMs = medianOf(measured);
    const smallestSeenMs = smallestSeen(refusals, people.size);
    printMeasurements('a wrong password of every kind', {
      wrongPasswords: TRIES,
      kinds: people.size,
      medianMs: medianMs.toFixed(1),
      smallestSeenMs: smallestSeenMs.toFixed(2),
      farthest,
      standardErrors: distance.toFixed(2),
    });
    expect(smallestSeenMs).toBeLessThan(medianMs * SENSITIVE_TO);
    expect(apart.filter(([, errors]) => Math.abs(errors) > LIMIT)).toEqual([]);
  });
});
