import { findAccount } from '@gatehouse/db/queries/read-accounts';
import { findAccountOfDomain } from '@gatehouse/db/queries/sso-domains';
import { readOutbox } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startDnsServer } from '../test/dns-server.js';
import { eventsOf } from '../test/events-of.js';
import { PASSWORD, type PeopleWorld, startPeopleWorld } from '../test/people-world.js';
import { ssoDomainChecks } from './check-domains.js';
import { provableDomain } from './domain-rules.js';

const DAY_MS = 86_400_000;

const added = z.object({
  id: z.int(),
  domain: z.string(),
  state: z.string(),
  record: z.object({ name: z.string(), value: z.string() }),
});
const answer = z.looseObject({ data: z.unknown().optional() });
const verdict = z.object({ verified: z.boolean(), found: z.array(z.string()) });

/** A world with a name server, and the calls of an owner of one account. */
async function startDomainWorld() {
  const dns = await startDnsServer();
  const world = await startPeopleWorld({ DNS_SERVERS: dns.address });
  return {
    world,
    dns,
    ownerOf: async (given?: Awaited<ReturnType<PeopleWorld['account']>>) => {
      const account = given ?? (await world.account());
      const as = { token: account.owner.token, accountId: account.id };
      return {
        account,
        as,
        add: async (domain: string) => added.parse((await world.call('sso.addDomain', { domain }, as)).data),
        async verify(domainId: number) {
          const response = await world.service.send('/v1/sso/verifyDomain', { ...as, body: { domainId } });
          const body = answer.parse(await response.json());
          return { status: response.status, body: body.data ?? body };
        },
        refused: async (name: string, input: object) => (await world.call(name, input, as)).code,
      };
    },
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]();
      await dns[Symbol.asyncDispose]();
    },
  };
}

describe('a domain of an account', () => {
  it('is regarded as verified once its record is found in exact form, with its chunks joined', async () => {
    await using domains = await startDomainWorld();
    const { dns, world } = domains;
    const owner = await domains.ownerOf();
    const { id, record, ...rest } = await owner.add('Bücher.Example.');
    expect(rest).toMatchObject({ domain: 'xn--bcher-kva.example', state: 'pending' });
    expect(record.name).toBe('_gatehouse.xn--bcher-kva.example');
    expect(record.value).toMatch(/^gatehouse-domain=[0-9a-f]{32}$/);

    expect((await owner.verify(id)).body).toEqual({ verified: false, found: [] });
    dns.set(record.name, [['other'], [`${record.value} `], [record.value.toUpperCase()]]);
    const near = verdict.parse((await owner.verify(id)).body);
    expect(near.verified).toBe(false);
    expect(near.found.toSorted()).toEqual(
      ['other', `${record.value} `, record.value.toUpperCase()].toSorted(),
    );
    dns.fail(true);
    expect((await owner.verify(id)).body).toEqual({ verified: false, found: [] });
    dns.fail(false);
    expect(await findAccountOfDomain(world.db, 'xn--bcher-kva.example')).toBeUndefined();
    dns.set(record.name, [['other'], [record.value.slice(0, 20), record.value.slice(20)]]);
    expect((await owner.verify(id)).body).toEqual({ verified: true, found: [] });
    expect(await findAccountOfDomain(world.db, 'xn--bcher-kva.example')).toBe(owner.account.id);
    expect(await findAccountOfDomain(world.db, 'sub.xn--bcher-kva.example')).toBeUndefined();
  });

  it('is not verified with more than 20 records, which an answer shows in part', async () => {
    await using domains = await startDomainWorld();
    const owner = await domains.ownerOf();
    const { id, record } = await owner.add('acme.example');
    const others = Array.from({ length: 20 }, (_, at) => [`other ${at} ${'x'.repeat(200)}`, 'y'.repeat(250)]);
    domains.dns.set(record.name, [[record.value], ...others]);
    const many = verdict.parse((await owner.verify(id)).body);
    expect([many.verified, many.found.length]).toEqual([false, 20]);
    expect(Math.max(...many.found.map(({ length }) => length))).toBe(255);
    domains.dns.set(record.name, [[record.value], ...others.slice(1)]);
    expect((await owner.verify(id)).body).toEqual({ verified: true, found: [] });
  });

  it('belongs to one of two accounts that verify it concurrently, until that one removes it', async () => {
    await using domains = await startDomainWorld();
    const owners = [await domains.ownerOf(), await domains.ownerOf()] as const;
    const [one, other] = [await owners[0].add('acme.example'), await owners[1].add('acme.example')];
    expect(one.record.value).not.toBe(other.record.value);
    domains.dns.set(one.record.name, [[one.record.value], [other.record.value]]);
    const answers = await Promise.all([owners[0].verify(one.id), owners[1].verify(other.id)]);
    expect(answers.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([200, 409]);
    const winner = answers[0].status === 200 ? 0 : 1;
    const [won, lost] = winner === 0 ? [one, other] : [other, one];
    expect(answers[1 - winner]?.body).toMatchObject({ error: { code: 'domain_taken' } });
    expect(await owners[winner].refused('sso.removeDomain', { domainId: lost.id })).toBe('not_found');
    expect(await owners[winner].refused('sso.removeDomain', { domainId: won.id })).toBeUndefined();
    expect((await owners[winner === 0 ? 1 : 0].verify(lost.id)).status).toBe(200);
  });

  it('is looked up at most ten times an hour', async () => {
    await using domains = await startDomainWorld();
    const owner = await domains.ownerOf();
    const { id } = await owner.add('acme.example');
    for (let check = 0; check < 10; check += 1) expect((await owner.verify(id)).status).toBe(200);
    expect((await owner.verify(id)).body).toMatchObject({ error: { code: 'rate_limited' } });
    expect(domains.dns.asked).toHaveLength(10);
  });

  it('lapses after seven days without its record, about which its owners get a mail', async () => {
    await using domains = await startDomainWorld();
    const { world, dns } = domains;
    const owner = await domains.ownerOf();
    const { id, record } = await owner.add('acme.example');
    dns.set(record.name, [[record.value]]);
    await owner.verify(id);
    const mails = async () =>
      (await readOutbox(world.service)).filter(({ kind }) => kind === 'domainUnproven').length;
    const daysLater = async () => {
      world.wait(DAY_MS + 1_000);
      for (const node of [world.service, world.other]) await ssoDomainChecks.run(node.services);
      return [await findAccountOfDomain(world.db, 'acme.example'), await mails()];
    };
    const { id: accountId } = owner.account;
    expect(await daysLater()).toEqual([accountId, 0]);
    dns.set(record.name, []);
    expect(await daysLater()).toEqual([accountId, 1]);
    dns.set(record.name, [[record.value]]);
    expect(await daysLater()).toEqual([accountId, 1]);
    // Name servers that fail say nothing about the record, and are asked again soon.
    dns.fail(true);
    for (let day = 0; day < 8; day += 1) expect(await daysLater()).toEqual([accountId, 1]);
    dns.fail(false);
    dns.set(record.name, []);
    const sent: unknown[] = [];
    for (let day = 1; day <= 6; day += 1) sent.push(await daysLater());
    expect(sent).toEqual([2, 2, 3, 3, 3, 4].map((count) => [accountId, count]));
    expect(await daysLater()).toEqual([undefined, 5]);
    expect(await daysLater()).toEqual([undefined, 5]);
    dns.set(record.name, [[record.value]]);
    expect(await daysLater()).toEqual([undefined, 5]);
    expect((await world.call('sso.list', {}, owner.as)).data).toMatchObject({
      domains: [{ state: 'lapsed', failedDays: 7 }],
    });
    const { token } = owner.account.owner;
    await world.call('verification.prove', { password: PASSWORD }, { token });
    expect((await owner.verify(id)).body).toEqual({ verified: true, found: [] });
    expect(await findAccountOfDomain(world.db, 'acme.example')).toBe(accountId);
  });

  it('lapses after 30 days without an answer of its name servers, about which its owners get three mails before', async () => {
    await using domains = await startDomainWorld();
    const { world, dns } = domains;
    const owner = await domains.ownerOf();
    const { id, record } = await owner.add('acme.example');
    dns.set(record.name, [[record.value]]);
    await owner.verify(id);
    // An answer in between restarts the time.
    for (const isFailing of [true, false]) {
      dns.fail(isFailing);
      world.wait(20 * DAY_MS);
      await ssoDomainChecks.run(world.service.services);
    }
    dns.fail(true);
    const mailedOn: number[] = [];
    let lapsedOn = 0;
    for (let halfDay = 1; lapsedOn === 0 && halfDay < 100; halfDay += 1) {
      world.wait(DAY_MS / 2);
      const before = (await readOutbox(world.service)).length;
      for (const node of [world.service, world.other]) await ssoDomainChecks.run(node.services);
      const sent = (await readOutbox(world.service)).slice(before);
      mailedOn.push(...sent.map(() => Math.floor(halfDay / 2)));
      if ((await findAccountOfDomain(world.db, 'acme.example')) === undefined)
        lapsedOn = Math.floor(halfDay / 2);
    }
    expect([mailedOn, lapsedOn]).toEqual([[23, 27, 29, 30], 30]);
    const mails = await readOutbox(world.service);
    expect(mails.filter(({ text }) => text.includes('gave no answer for 30 days'))).toHaveLength(1);
  });

  it('tells programs of the account when it is verified, and when it lapses', async () => {
    await using domains = await startDomainWorld();
    const { world, dns } = domains;
    const owner = await domains.ownerOf();
    const { id, record } = await owner.add('acme.example');
    dns.set(record.name, [[record.value]]);
    for (let time = 0; time < 2; time += 1) await owner.verify(id);
    dns.set(record.name, []);
    for (let day = 0; day < 8; day += 1) {
      world.wait(DAY_MS + 1_000);
      await ssoDomainChecks.run(world.service.services);
    }
    const { id: accountId } = owner.account;
    const { name } = z.object({ name: z.string() }).parse(await findAccount(world.db, accountId));
    const data = { accountId, name, domain: 'acme.example' };
    const actor = { kind: 'member', id: owner.account.owner.id };
    expect(await eventsOf(world, owner.as, ['account.*'])).toEqual([
      { type: 'account.domainVerified', subject: `account:${accountId}`, actor, data },
      { type: 'account.domainLapsed', subject: `account:${accountId}`, actor: { kind: 'system' }, data },
    ]);
  });

  it('may not be a public suffix, a host of public mailboxes, or text that only looks like a domain', async () => {
    const refused = [
      'com',
      'co.uk',
      'github.io',
      'gmail.com',
      'GoogleMail.com',
      'mail.gmail.com',
      'yahoo.co.jp',
      'web.de',

      'outlook.com',
      'live.com',
      'example',
      '127.0.0.1',
      '[::1]',
      'a b.example',
      '@acme.example',
      'acme.example/x',
      'xn--a.example',
      '-',
      '',
      'a..example',
      'gmail.com.',
      'ｇmail.com',
      `${'a'.repeat(64)}.example`,
    ];
    for (const domain of refused) expect([domain, await provableDomain(domain)]).toEqual([domain, undefined]);
    expect(await provableDomain('ACME.co.uk')).toBe('acme.co.uk');
    expect(await provableDomain('acme.github.io')).toBe('acme.github.io');
    // Its first letter is Cyrillic.
    expect(await provableDomain('\u0430cme.example')).toBe('xn--cme-5cd.example');
    await using domains = await startDomainWorld();
    const owner = await domains.ownerOf();
    expect(await owner.refused('sso.addDomain', { domain: 'gmail.com' })).toBe('domain_not_allowed');
    const { id } = await owner.add('acme.example');
    expect((await owner.add('ACME.example')).id).toBe(id);
    for (let at = 1; at < 20; at += 1) await owner.add(`acme${at}.example`);
    expect(await owner.refused('sso.addDomain', { domain: 'acme20.example' })).toBe('limit_reached');
  });

  it('is managed only by owners, and visible to no other account', async () => {
    await using domains = await startDomainWorld();
    const { world } = domains;
    const owner = await domains.ownerOf();
    const { id } = await owner.add('acme.example');
    const stranger = await domains.ownerOf();
    expect((await stranger.verify(id)).status).toBe(404);
    const manager = await world.member();
    const at = { createdAtMs: 1, updatedAtMs: 1 };
    const place = { memberId: manager.id, accountId: owner.account.id, roleType: 2, ...at };
    await world.db.insert(world.db.tables.memberships, place);
    const as = { token: manager.token, accountId: owner.account.id };
    expect((await world.call('sso.addDomain', { domain: 'b.example' }, as)).code).toBe('permission_denied');
    expect((await world.call('sso.list', {}, as)).code).toBe('permission_denied');
  });
});
