import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type DirectoryWorld, startDirectoryWorld } from '../test/directory-world.js';

const resources = z.array(z.looseObject({ id: z.string(), userName: z.string().optional() }));

/** A directory with the owner and three other people. One of the three has no access. */
async function startPeople() {
  const world = await startDirectoryWorld();
  const ada = await world.provision({
    externalId: 'A-1',
    displayName: 'Ada Byron',
    name: { givenName: 'Ada', familyName: 'Byron' },
  });
  const bob = await world.provision({
    externalId: 'b-2',
    name: { givenName: "O'Neil", familyName: '100%_x' },
  });
  const eve = await world.provision({ active: false, displayName: 'Éve' });
  return { world, ada, bob, eve, owner: world.account1.owner };
}

async function find(world: DirectoryWorld, filter: string, path = '/Users') {
  const reply = await world.scim('GET', `${path}?${new URLSearchParams({ filter })}`);
  const found = resources.safeParse(reply.body['Resources']).data ?? [];
  return { ...reply, ids: found.map(({ id }) => id), total: reply.body['totalResults'] };
}

describe('a SCIM filter', () => {
  it('finds users by every operator, in any case, with and, or, not and brackets', async () => {
    const { world, ada, bob, eve } = await startPeople();
    await using _ = world;
    const own = new Set([ada.id, bob.id, eve.id]);
    const cases: [string, string[]][] = [
      [`userName eq "${ada.userName}"`, [ada.id]],
      [`USERNAME EQ "${ada.userName.toUpperCase()}"`, [ada.id]],
      [`urn:ietf:params:scim:schemas:core:2.0:User:userName eq "${bob.userName}"`, [bob.id]],
      [`emails[type eq "work" and value eq "${bob.userName}"]`, [bob.id]],
      [`emails.value eq "${eve.userName}"`, [eve.id]],
      [`emails eq "${eve.userName}"`, [eve.id]],
      ['externalId eq "A-1"', [ada.id]],
      ['externalId eq "a-1"', []],
      ['externalId pr', [ada.id, bob.id]],
      ['not (externalId pr)', [eve.id]],
      ['externalId ne "A-1"', [bob.id, eve.id]],
      ['not (externalId eq "A-1")', [bob.id, eve.id]],
      ['externalId eq null', [eve.id]],
      ['displayName co "BYR"', [ada.id]],
      ['displayName sw "ada"', [ada.id]],
      ['displayName ew "byron"', [ada.id]],
      ['displayName eq "Éve"', [eve.id]],
      [`name.givenName eq "o'neil"`, [bob.id]],
      ['name.familyName co "%"', [bob.id]],
      ['name.familyName co "0%_"', [bob.id]],
      ['name.familyName co "0%%"', []],
      ['name.givenName gt "b" and name.givenName lt "p"', [bob.id]],
      ['active eq false', [eve.id]],
      ['active eq "False"', [eve.id]],
      ['active ne true', [eve.id]],
      [`id eq "${bob.id}"`, [bob.id]],
      [`id eq "${bob.id}" or id eq "${eve.id}" and active eq true`, [bob.id]],
      [`(id eq "${bob.id}" or id eq "${eve.id}") and active eq false`, [eve.id]],
      ['meta.created gt "2020-01-01T00:00:00Z" and active eq false', [eve.id]],
      ['meta.lastModified lt "2020-01-01T00:00:00Z"', []],
      ['groups pr', []],
    ];
    for (const [filter, expected] of cases) {
      const { status, ids } = await find(world, filter);
      expect([filter, status, ids.filter((id) => own.has(id))]).toEqual([filter, 200, expected]);
    }
  });

  it('never becomes part of the statement, whatever it contains', async () => {
    const { world, ada } = await startPeople();
    await using _ = world;
    const { total } = await find(world, 'id pr');
    for (const text of [
      `' or '1'='1`,
      `\\" or 1=1 --`,
      `x'); drop table members; --`,
      '#{1+1}',
      '?',
      '\\\\',
      '%',
      '_',
      ':value',
      '\\u0027 or 1=1',
    ]) {
      const names = ['userName', 'displayName', 'externalId', 'id', 'groups.display'];
      const parts = names.flatMap((name) => ['eq', 'co', 'gt'].map((op) => `${name} ${op} "${text}"`));
      const filter = `(${parts.join(' or ')}) and userName eq "${ada.userName}" and active eq false`;
      const { status, ids } = await find(world, filter);
      expect([filter, status, ids]).toEqual([filter, 200, []]);
    }
    expect((await find(world, 'id pr')).total).toBe(total);
  });

  it('is refused when it cannot be parsed, is too long, too deep or has too many parts', async () => {
    const { world } = await startPeople();
    await using _ = world;
    const term = 'active eq true';
    const nested = (depth: number) => `${'('.repeat(depth)}${term}${')'.repeat(depth)}`;
    const terms = (count: number) => Array.from({ length: count }, () => term).join(' and ');
    for (const fine of [nested(8), terms(20), `${term} or ${' '.repeat(900)}${term}`])
      expect([fine.length, (await find(world, fine)).status]).toEqual([fine.length, 200]);
    for (const bad of [
      nested(9),
      `${'not ('.repeat(9)}${term}${')'.repeat(9)}`,
      terms(21),
      `${term} or ${' '.repeat(1_024)}${term}`,
      '('.repeat(1_000),
      '',
      ' ',
      'userName',
      'userName eq',
      'userName eq x',
      "userName eq 'x'",
      'userName eq "x',
      'userName zz "x"',
      'userName eq "x" and',
      'userName eq "x" userName eq "y"',
      'not userName eq "x"',
      '(userName eq "x"',
      'userName eq "x")',
      'emails[type eq "work"',
      'emails[type eq "work"].value eq "x"',
      'userName[value eq "x"]',
      'nothing eq "x"',
      '__proto__ eq "x"',
      'constructor pr',
      'toString.length eq 1',
      'password eq "x"',
      'userName eq true',
      'userName eq 7',
      'active gt true',
      'active eq "maybe"',
      'meta.created gt "yesterday"',
      'meta.created co "2020"',
      'userName gt null',
      'userName eq "\\u0000"',
      'userName eq "\\ud800"',
      'userName eq "\\x"',
    ]) {
      const { status, scimType, body } = await find(world, bad);
      expect([bad, status, scimType, typeof body['detail']]).toEqual([bad, 400, 'invalidFilter', 'string']);
    }
    const users = '/Users';
    const huge = { filter: `userName eq "${'x'.repeat(60_000)}"` };
    const searched = await world.scim('POST', `${users}/.search`, { body: huge });
    expect([searched.status, searched.scimType]).toEqual([400, 'invalidFilter']);
    const deep = await world.scim('POST', `${users}/.search`, { body: `{"filter":${'['.repeat(200_000)}` });
    expect(deep.status).toBe(400);
  });
});

describe('a SCIM list', () => {
  it('comes in pages by id, with the true total', async () => {
    const { world } = await startPeople();
    await using _ = world;
    for (let at = 0; at < 4; at += 1) await world.provision();
    const page = async (query: string) => (await world.scim('GET', `/Users?${query}`)).body;
    const idsOf = (body: Readonly<Record<string, unknown>>) =>
      resources.parse(body['Resources']).map(({ id }) => id);
    const all = await page('');
    expect(all).toMatchObject({ totalResults: 8, itemsPerPage: 8, startIndex: 1 });
    const paged = [
      ...idsOf(await page('count=3')),
      ...idsOf(await page('startIndex=4&count=3')),
      ...idsOf(await page('startIndex=7&count=3')),
    ];
    expect(paged).toEqual(idsOf(all));
    expect(await page('count=0')).toMatchObject({ totalResults: 8, itemsPerPage: 0, Resources: [] });
    expect(await page('count=-1')).toMatchObject({ totalResults: 8, itemsPerPage: 0 });
    expect(await page('startIndex=-5&count=1')).toMatchObject({ startIndex: 1, itemsPerPage: 1 });
    expect(await page('startIndex=100')).toMatchObject({ totalResults: 8, itemsPerPage: 0 });
    expect(await page('count=99999')).toMatchObject({ itemsPerPage: 8 });
    for (const bad of ['count=x', 'startIndex=1.5', 'count=1e3'])
      expect([bad, (await page(bad))['scimType']]).toEqual([bad, 'invalidValue']);
  });

  it('has the requested attributes, and always the id', async () => {
    const { world, ada } = await startPeople();
    await using _ = world;
    const read = async (query: string) => (await world.scim('GET', `/Users/${ada.id}?${query}`)).body;
    expect(Object.keys(await read('attributes=userName')).toSorted()).toEqual(['id', 'schemas', 'userName']);
    expect(await read('attributes=name.familyName,EMAILS.value')).toEqual({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      id: ada.id,
      name: { familyName: 'Byron' },
      emails: [{ value: ada.userName }],
    });
    const without = await read('excludedAttributes=emails,name.formatted,id');
    expect(without).toMatchObject({ id: ada.id, name: { givenName: 'Ada', familyName: 'Byron' } });
    expect(without).not.toHaveProperty('emails');
    expect(without['name']).not.toHaveProperty('formatted');
    expect((await read('attributes=id&excludedAttributes=name'))['scimType']).toBe('invalidValue');
    expect(Object.keys(await read('attributes=__proto__,constructor')).toSorted()).toEqual(['id', 'schemas']);
  });

  it('can be searched by POST too, over users and groups together', async () => {
    const { world, ada } = await startPeople();
    await using _ = world;
    const group = await world.scim('POST', '/Groups', { body: { displayName: 'Ada Byron' } });
    const search = (path: string, body: object) => world.scim('POST', `${path}/.search`, { body });
    const filter = 'displayName eq "ada byron"';
    const ids = async (path: string, body: object) =>
      resources.parse((await search(path, body)).body['Resources']).map(({ id }) => id);
    expect(await ids('/Users', { filter, attributes: ['userName'] })).toEqual([ada.id]);
    expect(await ids('/Groups', { filter })).toEqual([group.body['id']]);
    expect(await ids('', { filter })).toEqual([ada.id, group.body['id']]);
    expect(await ids('', { filter, startIndex: 2, count: 1 })).toEqual([group.body['id']]);
    expect(await ids('', { filter: `userName eq "${ada.userName}"` })).toEqual([ada.id]);
    expect((await search('', { filter: 'nothing pr' })).scimType).toBe('invalidFilter');
    expect((await search('', { filter: 7 })).scimType).toBe('invalidFilter');
  });
});
