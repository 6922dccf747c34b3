import { type Answer, startStaffWorld } from '@gatehouse/features/test/staff-world';
import { listProcedures } from '@gatehouse/http/trpc/list-procedures';
import { insertTestMember, isProxied, isStressRun } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { router } from './router.js';
import { routes } from './routes.js';

const UNKNOWN = 999_999;
const all = listProcedures(router);

/** The callers: staff by base role, with or without a grant of the account. */
const CALLERS = {
  member: { roleType: 5, memberships: { 2: 1 } },
  staff0: { roleType: 0, isPersonnel: true },
  staff1: { roleType: 1, isPersonnel: true, grants: [2] },
  staff2: { roleType: 2, isPersonnel: true, grants: [2] },
  staff3: { roleType: 3, isPersonnel: true, grants: [2] },
  staff4: { roleType: 4, isPersonnel: true, grants: [2] },
  staff5: { roleType: 5, isPersonnel: true },
  staff6: { roleType: 6, isPersonnel: true, grants: [2] },
} as const;

type CallerName = keyof typeof CALLERS;

/** One caller for each expected result: to Prism, others send the same requests and get the same answers. */
const ONE_OF_EACH: readonly string[] = ['member', 'staff0', 'staff2', 'staff6'] satisfies CallerName[];
type Verdict = 200 | 'not_found' | 'permission_denied' | 'account_forbidden' | 'account_required';

interface Expected {
  /** The required staff permission or role, and the expected result for three callers. */
  readonly root: Verdict;
  readonly manager: Verdict;
  readonly others: Verdict;
}

const forRoot = (root: Verdict): Expected => ({
  root,
  manager: 'permission_denied',
  others: 'permission_denied',
});
const forManagers = (verdict: Verdict): Expected => ({
  root: verdict,
  manager: verdict,
  others: 'permission_denied',
});
const forStaff = (verdict: Verdict): Expected => ({ root: verdict, manager: verdict, others: verdict });

const AFFILIATE = { memberId: UNKNOWN, code: 'SURFACE', commissionPercent: 5, payoutEmail: 'pay@out.test' };

/** Every staff procedure: its tRPC call, its REST call if it has a path, and the expected results. */
const TABLE: Record<string, { input: object; rest?: [path: string, body?: object]; expected: Expected }> = {
  'access.explain': { input: { memberId: UNKNOWN }, expected: forStaff('not_found') },
  'account.list': { input: {}, rest: ['/getAccountsList'], expected: forStaff(200) },
  'account.members': {
    input: { ownerId: UNKNOWN, search: 'a' },
    rest: [`/getAlltAccountMembers/${UNKNOWN}/0/a`],
    expected: forStaff(200),
  },
  'account.names': { input: {}, rest: ['/getAccountNameList?searchUser=b'], expected: forStaff(200) },
  'account.page': { input: { accountId: UNKNOWN }, expected: forStaff('not_found') },
  'account.remove': {
    input: { accountId: UNKNOWN },
    rest: ['/deleteAccount', { accountId: UNKNOWN }],
    expected: forRoot('not_found'),
  },
  'account.search': { input: {}, rest: ['/searchAccountUser', { search: '' }], expected: forStaff(200) },
  'affiliate.marketingUrl': {
    input: { affiliateId: UNKNOWN },
    rest: [`/getAffiliateMarketingURL/${UNKNOWN}`],
    expected: forManagers('not_found'),
  },
  'affiliate.referrals': { input: { affiliateId: UNKNOWN }, expected: forManagers('not_found') },
  'affiliate.save': {
    input: AFFILIATE,
    rest: ['/addOrUpdateAffiliateDetails', AFFILIATE],
    expected: forManagers('not_found'),
  },
  'affiliate.search': { input: {}, rest: ['/searchAffiliatePeople'], expected: forManagers(200) },
  'audit.list': { input: {}, expected: forRoot(200) },
  'eventDelivery.detail': { input: { deliveryId: UNKNOWN }, expected: forRoot('not_found') },
  'eventDelivery.list': { input: {}, expected: forRoot(200) },
  'eventDelivery.redeliver': { input: { ids: [UNKNOWN] }, expected: forRoot('not_found') },
  'eventEndpoint.list': { input: {}, expected: forRoot(200) },
  'eventEndpoint.remove': { input: { endpointId: UNKNOWN }, expected: forRoot('not_found') },
  'eventEndpoint.resume': { input: { endpointId: UNKNOWN, from: 'now' }, expected: forRoot('not_found') },
  'eventEndpoint.rotateSecret': { input: { endpointId: UNKNOWN }, expected: forRoot('not_found') },
  'eventEndpoint.save': {
    input: { endpointId: UNKNOWN, url: 'https://hooks.example.test', types: ['member.*'] },
    expected: forRoot('not_found'),
  },
  'eventEndpoint.test': { input: { endpointId: UNKNOWN }, expected: forRoot('not_found') },
  'event.list': { input: {}, expected: forRoot(200) },
  'partnerEvent.deliveryDetail': {
    input: { partnerId: 1, deliveryId: UNKNOWN },
    expected: forRoot('not_found'),
  },
  'partnerEvent.listDeliveries': { input: { partnerId: UNKNOWN }, expected: forRoot('not_found') },
  'partnerEvent.listEndpoints': { input: { partnerId: UNKNOWN }, expected: forRoot('not_found') },
  'partnerEvent.redeliver': { input: { partnerId: 1, ids: [UNKNOWN] }, expected: forRoot('not_found') },
  'partnerEvent.removeEndpoint': {
    input: { partnerId: 1, endpointId: UNKNOWN },
    expected: forRoot('not_found'),
  },
  'partnerEvent.resumeEndpoint': {
    input: { partnerId: 1, endpointId: UNKNOWN, from: 'now' },
    expected: forRoot('not_found'),
  },
  'partnerEvent.rotateSecret': {
    input: { partnerId: 1, endpointId: UNKNOWN },
    expected: forRoot('not_found'),
  },
  'partnerEvent.saveEndpoint': {
    input: { partnerId: UNKNOWN, url: 'https://hooks.example.test', types: ['member.*'] },
    expected: forRoot('not_found'),
  },
  'partnerEvent.testEndpoint': {
    input: { partnerId: 1, endpointId: UNKNOWN },
    expected: forRoot('not_found'),
  },
  'export.begin': { input: { list: 'member.search' }, expected: forStaff(200) },
  'impersonation.end': { input: { impersonationId: UNKNOWN }, expected: forStaff('not_found') },
  'impersonation.list': { input: {}, expected: forRoot(200) },
  'impersonation.start': {
    input: { memberId: UNKNOWN, accountId: 2, reason: 'They cannot see their invoices' },
    expected: forManagers('not_found'),
  },
  'knowledge.analyze': {
    input: { accountId: UNKNOWN, languageModelId: 'm', topic: 't' },
    rest: ['/analyzeKnowledge', { AccountId: UNKNOWN, languageModelId: 'm', topic: 't' }],
    expected: forStaff('account_forbidden'),
  },
  'mail.list': { input: {}, expected: forStaff(200) },
  'mail.retry': { input: { mailId: UNKNOWN }, expected: forStaff('not_found') },
  'member.ban': { input: { memberId: UNKNOWN }, expected: forStaff('not_found') },
  'account.restore': { input: { accountId: UNKNOWN, reason: 'why' }, expected: forRoot('not_found') },
  'account.transferOwnership': {
    input: { accountId: UNKNOWN, memberId: UNKNOWN, reason: 'why' },
    expected: forRoot('not_found'),
  },
  'member.restore': { input: { memberId: UNKNOWN, reason: 'why' }, expected: forRoot('not_found') },
  'member.sendConfirmation': { input: { memberId: UNKNOWN }, expected: forStaff('not_found') },
  'member.sendReset': { input: { memberId: UNKNOWN }, expected: forStaff('not_found') },
  'personnel.reinvite': { input: { personnelId: UNKNOWN }, expected: forRoot('not_found') },
  'subscription.extendTrial': {
    input: { accountId: UNKNOWN, until: '2999-01-01T00:00:00Z', reason: 'why' },
    expected: forRoot('not_found'),
  },
  'subscription.reconcile': { input: { accountId: UNKNOWN }, expected: forRoot('not_found') },
  'member.export': { input: { memberId: UNKNOWN, reason: 'asked' }, expected: forRoot('not_found') },
  'member.byForeignId': { input: { source: 'auth0', id: 'unknown' }, expected: forStaff('not_found') },
  'member.list': { input: {}, expected: forStaff('account_required') },
  'member.owners': { input: {}, rest: ['/getAllOwnerList?search='], expected: forStaff(200) },
  'member.page': { input: { memberId: UNKNOWN }, expected: forStaff('not_found') },
  'member.remove': {
    input: { memberId: UNKNOWN },
    rest: ['/deleteUser', { userId: UNKNOWN }],
    expected: forRoot('not_found'),
  },
  'member.search': {
    input: { search: 'x' },
    rest: ['/searchUser', { search: 'x' }],
    expected: forStaff(200),
  },
  'member.unban': { input: { memberId: UNKNOWN }, expected: forStaff('not_found') },
  'member.unlock': { input: { memberId: UNKNOWN }, expected: forStaff('not_found') },
  'member.update': {
    input: { memberId: UNKNOWN, firstName: 'X' },
    rest: ['/updateUser', { id: UNKNOWN, fName: 'X' }],
    expected: forStaff('not_found'),
  },
  'membership.remove': { input: { memberId: UNKNOWN, accountId: UNKNOWN }, expected: forStaff('not_found') },
  'membership.save': {
    input: { memberId: UNKNOWN, accountId: UNKNOWN, roleType: 5 },
    expected: forStaff('not_found'),
  },
  'personnel.detail': {
    input: { personnelId: UNKNOWN },
    rest: [`/getPersonnel/${UNKNOWN}`],
    expected: forManagers('not_found'),
  },
  'personnel.list': { input: {}, expected: forManagers(200) },
  'personnel.promote': {
    input: { memberId: UNKNOWN },
    rest: ['/NewAccManager', { memberId: UNKNOWN }],
    expected: forRoot('not_found'),
  },
  'personnel.save': {
    input: { personnelId: UNKNOWN },
    rest: ['/addOrUpdatePersonnel', { personnelId: UNKNOWN }],
    expected: forRoot('not_found'),
  },
  'personnel.searchManagers': {
    input: {},
    rest: ['/searchAccountManagers', { search: '' }],
    expected: forManagers(200),
  },
  'platformApp.addSecret': { input: { applicationId: UNKNOWN }, expected: forRoot('not_found') },
  'platformApp.block': {
    input: { accountId: UNKNOWN, applicationId: UNKNOWN, blocked: true },
    expected: forRoot('not_found'),
  },
  'platformApp.blockedHosts': { input: {}, expected: forRoot(200) },
  'platformApp.blockHost': {
    input: { host: 'agent.example.com', blocked: false },
    expected: forRoot(200),
  },
  'platformApp.connected': { input: { memberId: UNKNOWN }, expected: forRoot(200) },
  'platformApp.detail': { input: { applicationId: UNKNOWN }, expected: forRoot('not_found') },
  'platformApp.list': { input: {}, expected: forRoot(200) },
  'platformApp.remove': { input: { applicationId: UNKNOWN }, expected: forRoot('not_found') },
  'platformApp.removeSecret': {
    input: { applicationId: UNKNOWN, secretId: UNKNOWN },
    expected: forRoot('not_found'),
  },
  'platformSso.detail': { input: { accountId: UNKNOWN }, expected: forRoot(200) },
  'platformSso.list': { input: {}, expected: forRoot(200) },
  'platformSso.listFor': { input: { memberId: UNKNOWN }, expected: forRoot(200) },
  'platformApp.save': {
    input: { applicationId: UNKNOWN, name: 'Wiki' },
    expected: forRoot('not_found'),
  },
  'profile.update': { input: {}, rest: ['/updateProfile', {}], expected: forStaff(200) },
  'securityEvent.listFor': { input: { memberId: UNKNOWN }, expected: forStaff('not_found') },
  'service.statistics': {
    input: {
      from: `${new Date().getUTCFullYear()}-01-01T00:00:00Z`,
      until: `${new Date().getUTCFullYear()}-02-01T00:00:00Z`,
    },
    expected: forRoot(200),
  },
  'staffSso.activate': { input: { connectionId: UNKNOWN }, expected: forRoot('not_found') },
  'staffSso.list': { input: {}, expected: forRoot(200) },
  'staffSso.remove': { input: { connectionId: UNKNOWN }, expected: forRoot('not_found') },
  'staffSso.saveOidc': { input: { connectionId: UNKNOWN, name: 'Works' }, expected: forRoot('not_found') },
  'staffSso.saveSaml': { input: { connectionId: UNKNOWN, name: 'Works' }, expected: forRoot('not_found') },
  'staffSso.test': { input: { connectionId: UNKNOWN }, expected: forRoot('not_found') },
  'staffSso.testResult': { input: { testId: UNKNOWN }, expected: forRoot('not_found') },
  'recovery.approve': { input: { recoveryId: UNKNOWN }, expected: forRoot('not_found') },
  'recovery.cancel': { input: { recoveryId: UNKNOWN }, expected: forRoot('not_found') },
  'recovery.list': { input: {}, expected: forRoot(200) },
  'recovery.open': {
    input: { memberId: UNKNOWN, reason: 'The phone was lost' },
    expected: forRoot('not_found'),
  },
  'key.create': {
    input: { machineId: UNKNOWN, name: 'Nightly', scopes: ['audit.read'] },
    expected: forRoot('not_found'),
  },
  'key.list': { input: {}, expected: forRoot(200) },
  'key.revoke': { input: { keyId: UNKNOWN }, expected: forRoot('not_found') },
  'key.rotate': { input: { keyId: UNKNOWN }, expected: forRoot('not_found') },
  'machine.list': { input: {}, expected: forRoot(200) },
  'machine.remove': { input: { machineId: UNKNOWN }, expected: forRoot('not_found') },
  'machine.save': { input: { machineId: UNKNOWN, name: 'Importer' }, expected: forRoot('not_found') },
  'resource.list': { input: {}, expected: forRoot(200) },
  'resource.remove': { input: { resourceId: UNKNOWN }, expected: forRoot('not_found') },
  'resource.save': {
    input: { resourceId: UNKNOWN, origin: 'https://api.example.test', name: 'Invoices' },
    expected: forRoot('not_found'),
  },
  'role.remove': { input: { customRoleId: UNKNOWN }, expected: forStaff('account_required') },
  'role.save': {
    input: { name: 'Front desk', roleType: 5, permissions: ['account.read'] },
    expected: forStaff('account_required'),
  },
  'session.endFor': { input: { memberId: UNKNOWN }, expected: forStaff('not_found') },
  'session.listFor': { input: { memberId: UNKNOWN }, expected: forStaff('not_found') },
};

/** Procedures that other tests cover, or that both deployments share. */
const ELSEWHERE =
  /^(accountPolicy|factor|health|invitation|login|partner|passkey|password|registration|signIn|social|subscription|totp|verification|webhook)\.|^event\.catalogue$|^staffSso\.offered$|^recovery\.cancelMine$|^session\.(byAuthToken|end|endMany|issueAuthToken|list|me|refresh|rename)$/;

describe('the surface of the admin service', () => {
  it('declares a rule and an output for every procedure', () => {
    expect(all.filter(({ rule, hasOutput }) => rule === undefined || !hasOutput)).toEqual([]);
  });

  it('requires no input over tRPC where REST requires none', () => {
    const stricter = all.filter(
      ({ type, input }) =>
        type === 'query' && input?.safeParse({}).success && !input.safeParse(undefined).success,
    );
    expect(stricter.map(({ name }) => name)).toEqual([]);
  });

  it('has a row in the table of expected results for every procedure', () => {
    const missing = all.filter(({ name }) => !(name in TABLE) && !ELSEWHERE.test(name));
    expect(
      missing.map(({ name }) => name),
      'add a row for these to TABLE in this test',
    ).toEqual([]);
  });

  it('refuses unauthenticated calls to every documented path before it reads the input', async () => {
    await using world = await startStaffWorld();
    for (const row of routes) {
      if (row.kind !== 'procedure') continue;
      const rule = all.find(({ name }) => name === row.call)?.rule;
      if (rule?.who === 'anyone' || rule?.who === 'bearer') continue;
      const path = row.path.replaceAll(/:[A-Za-z]+/g, 'x');
      for (const method of row.methods) {
        const response = await world.service.send(path, {
          method,
          ...(method === 'POST' ? { body: '{broken' } : {}),
        });
        expect([row.path, response.status, await response.text()]).toEqual([
          row.path,
          401,
          'unauthorized access',
        ]);
      }
    }
    for (const { name, type, rule } of all) {
      if (rule?.who === 'anyone') continue;
      const answer = await world.service.send(`/trpc/${name}`, type === 'query' ? {} : { body: '{broken' });
      expect([name, answer.status]).toEqual([name, rule?.who === 'bearer' ? 403 : 401]);
    }
  });

  it('gives each kind of caller the documented result, the same over REST and tRPC', {
    timeout: 120_000,
  }, async () => {
    await using world = await startStaffWorld();
    const isShort = isProxied() && !isStressRun();
    for (const [caller, options] of Object.entries(CALLERS)) {
      if (isShort && !ONE_OF_EACH.includes(caller)) continue;
      const signedIn = await insertTestMember(world.service.database, options);
      for (const [name, { input, rest, expected }] of Object.entries(TABLE)) {
        const verdict = expectedFor(caller as CallerName, expected);
        expect([caller, name, verdictOf(await world.call(name, input, signedIn))]).toEqual([
          caller,
          name,
          verdict,
        ]);
        const derived = await world.send(`/v1/${name.replace('.', '/')}`, signedIn, input);
        expect([caller, name, verdictOf(derived)]).toEqual([caller, name, verdict]);
        if (!rest) continue;
        const [path, body] = rest;
        expect([caller, path, verdictOf(await world.send(path, signedIn, body))]).toEqual([
          caller,
          path,
          verdict,
        ]);
      }
    }
  });

  it('answers every request, even with an empty or missing body or a broken or unknown id', {
    timeout: 120_000,
  }, async () => {
    await using world = await startStaffWorld();
    for (const { name } of all.filter((each) => each.name in TABLE)) {
      for (const input of [
        {},
        null,
        [],
        'text',
        { memberId: '2', accountId: 1.5, personnelId: -1, search: {} },
      ]) {
        const { status } = await world.call(name, input, world.manager);
        expect([200, 400, 403, 404], `${name} ${JSON.stringify(input)}`).toContain(status);
      }
    }
    for (const row of routes) {
      if (row.kind !== 'procedure' || !(row.call in TABLE)) continue;
      const ids = row.path.includes(':') ? ['0', '-1', '1e3', '9007199254740993', '%00', '%ED%A0%80'] : [''];
      for (const id of ids) {
        const path = row.path.replaceAll(/:[A-Za-z]+/g, id);
        const requests = row.methods.flatMap((method) =>
          (method === 'GET' ? [undefined] : [undefined, {}, '[]', '{"__proto__":{"a":1}}']).map((body) => ({
            method,
            body,
          })),
        );
        for (const { method, body } of requests) {
          const response = await world.service.send(path, { token: world.manager.token, method, body });
          expect([200, 400, 403, 404], `${method} ${path} ${String(body)}`).toContain(response.status);
        }
      }
    }
  });

  it('ignores unknown fields, and refuses an invalid account header', async () => {
    await using world = await startStaffWorld();
    const { root, manager, service } = world;
    const extras = { isPersonnel: true, role_type: 0, roleType: 0, id: 1, isDeleted: 1, password: 'x' };
    const answer = await world.send('/updateProfile', manager, { firstName: 'Only', ...extras });
    expect(answer.body['data']).toMatchObject({ id: manager.id, firstName: 'Only', role_type: 6 });
    for (const accountId of ['0', '-1', 'x', '1,2', '1e3', '99999999999999999999']) {
      const response = await service.send('/getAccountsList', { token: root.token, accountId });
      expect([accountId, response.status]).toEqual([accountId, 400]);
    }
  });
});

function expectedFor(caller: CallerName, { root, manager, others }: Expected): Verdict {
  if (caller === 'member') return 'permission_denied';
  if (caller === 'staff0') return root;
  return caller === 'staff6' ? manager : others;
}

function verdictOf({ status, code }: Answer): number | string {
  return status === 200 ? status : (code ?? String(status));
}
