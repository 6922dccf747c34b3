// @module-tag slow

import {
  type ImpersonationWorld,
  startImpersonationWorld,
} from '@gatehouse/features/test/impersonation-world';
import { listProcedures } from '@gatehouse/http/trpc/list-procedures';
import { billingEnvironment, startProviderSimulator } from '@gatehouse/simulator';
import { createAccessScene, dumpEffects, type TestMember } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { router } from './router.js';
import { routes } from './routes.js';
import { GUARDED_CALLS } from './test/guarded-calls.js';

const OPTIONS = { timeout: 300_000 };
const all = listProcedures(router);

/** Procedures that only the member may call in person, as the tables of the procedures mark them. */
const IN_PERSON = new Set(
  `account.close account.create account.rename account.restore account.transferOwnership accountPolicy.set billing.checkout
  billing.invoices billing.portal email.change email.resend eventDelivery.detail eventDelivery.list eventDelivery.redeliver eventEndpoint.list eventEndpoint.remove eventEndpoint.resume eventEndpoint.rotateSecret eventEndpoint.save eventEndpoint.test factor.list factor.newBackupCodes factor.switch invitation.accept invitation.create invitation.decline invitation.listMine
  invitation.resend invitation.revoke member.deleteOwn member.exportOwn membership.changeRole membership.leave
  membership.remove partner.consent partner.endLink password.set profile.update role.remove role.save securityEvent.listMine
  passkey.add passkey.addOptions passkey.list passkey.remove passkey.rename recovery.cancelMine
  consent.applications consent.listInAccount consent.withdraw consent.withdrawInAccount
  app.addSecret app.detail app.list app.remove app.removeSecret app.save
  key.create key.list key.revoke key.rotate machine.list machine.remove machine.save
  scim.addToken scim.listTokens scim.log scim.removeToken
  sso.activate sso.addDomain sso.consent sso.list sso.remove sso.removeDomain sso.saveOidc sso.saveSaml sso.setPolicy sso.test sso.testResult sso.verifyDomain
  session.accessToken session.endMany session.rename social.connect social.finish social.list social.remove takeover.decide takeover.list totp.confirm totp.remove
  totp.start verification.options verification.prove verification.sendEmail`.split(/\s+/),
);

/** Changes that would leave a way to sign in, which would outlast the session. */
const WAYS_IN = new Set(['partner.signIn', 'password.change', 'session.issueAuthToken']);

/** Mutations that a read-only session may call too. */
const STAYS_POSSIBLE = new Set(['session.end', 'session.refresh']);

/** Procedures with credentials of their own, for which a member's session means nothing. */
const OTHER_CREDENTIALS: Readonly<Record<string, string>> = {
  'health.bearer': 'bearer_refused',
  ...Object.fromEntries(
    all.flatMap(({ name, rule }) => (rule?.who === 'partner' ? [[name, 'invalid_partner_token']] : [])),
  ),
};

type Mode = 'read' | 'write';

/** The refusal that the rules require; undefined if both the member and the actor may do it. */
function oracle(name: string, type: string, mode: Mode): string | undefined {
  const other = OTHER_CREDENTIALS[name];
  if (other !== undefined) return other;
  if (IN_PERSON.has(name)) return 'permission_denied';
  if (type === 'query' || STAYS_POSSIBLE.has(name)) return undefined;
  if (mode === 'read') return 'read_only';
  return WAYS_IN.has(name) ? 'permission_denied' : undefined;
}

const restAnswer = z.object({ error: z.object({ code: z.string() }).optional() });
const trpcAnswer = z.object({
  error: z.object({ data: z.object({ reason: z.string() }) }).optional(),
});

/** The refusals of the replaced system are text; that of the health check is empty. */
function codeIn(text: string): string | undefined {
  if (text === '') return 'bearer_refused';
  return text.startsWith('{') ? restAnswer.parse(JSON.parse(text)).error?.code : text;
}

interface Call {
  readonly name: string;
  readonly type: 'query' | 'mutation';
  readonly input: object;
  readonly headers: Readonly<Record<string, string>>;
}

/** The same call over REST, over tRPC, and twice in a batch: the codes of the refusals. */
async function codesOf({ main }: ImpersonationWorld, call: Call): Promise<(string | undefined)[]> {
  const { name, type, input, headers } = call;
  const rest = await main.send(`/v1/${name.replaceAll('.', '/')}`, { headers, body: input });
  const text = await rest.text();
  const codeOfRest = codeIn(text);
  const query = (of: object, batch: object = {}) =>
    new URLSearchParams({ ...batch, input: JSON.stringify(of) }).toString();
  const twice = { 0: input, 1: input };
  const single =
    type === 'query'
      ? await main.send(`/trpc/${name}?${query(input)}`, { headers })
      : await main.send(`/trpc/${name}`, { headers, body: input });
  const batch =
    type === 'query'
      ? await main.send(`/trpc/${name},${name}?${query(twice, { batch: '1' })}`, { headers })
      : await main.send(`/trpc/${name},${name}?batch=1`, { headers, body: twice });
  const answers = [await single.json(), ...z.array(z.unknown()).parse(await batch.json())];
  return [codeOfRest, ...answers.map((each) => trpcAnswer.parse(each).error?.data.reason)];
}

const CALLS_OF_CODES = 4;

async function start() {
  const simulator = await startProviderSimulator();
  const world = await startImpersonationWorld({
    GOOGLE_CLIENT_ID: 'client',
    GOOGLE_CLIENT_SECRET: 'google-secret',
    ...billingEnvironment(simulator.url),
  });
  return {
    ...world,
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]();
      await simulator[Symbol.asyncDispose]();
    },
  };
}

/** The lines of calls in the audit log, as who called what for whom. */
async function callsIn({ db }: ImpersonationWorld): Promise<string[]> {
  const rows = await db.select().from(db.tables.auditLog);
  return rows
    .filter(({ action }) => action === 'impersonation.called')
    .map(({ actorId, onBehalfOfId, subjectId }) => `${actorId} for ${onBehalfOfId}: ${subjectId}`);
}

async function impersonate(world: ImpersonationWorld, member: TestMember, mode: Mode): Promise<string> {
  const started = await world.start(world.root, { memberId: member.id, write: mode === 'write' });
  expect([started.status, started.code]).toEqual([200, undefined]);
  return started.token;
}

describe.each(['read', 'write'] as const)(
  'a session in which root staff act for a member with the right to %s',
  (mode) => {
    it(
      'has every call allowed or refused by the rules, over both transports and in batches, and refused calls have no effect',
      OPTIONS,
      async () => {
        await using world = await start();
        const nodes = { service: world.main, other: world.other, db: world.db };
        for (const [name, guarded] of Object.entries(GUARDED_CALLS)) {
          if (guarded.as === 'partner') continue;
          const type = guarded.type ?? 'mutation';
          const scene = await createAccessScene(nodes, guarded.as, {
            isConfirmed: guarded.isConfirmed ?? false,
          });
          const { input } = await guarded.make(scene);
          const token = await impersonate(world, scene.caller, mode);
          const headers = { ...scene.headers, token };
          const expected = oracle(name, type, mode);
          const [before, lines] = [await dumpEffects(world.db), await callsIn(world)];
          if (expected === undefined) {
            const response = await world.main.send(`/v1/${name.replaceAll('.', '/')}`, {
              headers,
              body: input,
            });
            expect([name, response.status]).toEqual([name, 200]);
            expect((await callsIn(world)).slice(lines.length)).toEqual([
              `${world.root.id} for ${scene.caller.id}: ${name}`,
            ]);
            continue;
          }
          const codes = await codesOf(world, { name, type, input, headers });
          expect([name, codes]).toEqual([name, Array.from({ length: CALLS_OF_CODES }, () => expected)]);
          expect((await callsIn(world)).slice(lines.length)).toEqual(
            Array.from({ length: CALLS_OF_CODES }, () => `${world.root.id} for ${scene.caller.id}: ${name}`),
          );
          const after = await dumpEffects(world.db);
          const changed = Object.keys(after).filter((table) => after[table] !== before[table]);
          expect([name, changed.filter((table) => !['auditLog', 'memberKeys'].includes(table))]).toEqual([
            name,
            [],
          ]);
        }
      },
    );

    it(
      'is regarded as a caller by every guarded procedure, and as anonymous by the others',
      OPTIONS,
      async () => {
        await using world = await start();
        const owner = await world.member({ memberships: { 2: 1 } });
        const token = await impersonate(world, owner, mode);
        const headers = { token, accountid: '2' };
        for (const { name, type, rule } of all) {
          if (name in GUARDED_CALLS && rule?.who !== 'partner') continue;
          const call = { name, type, input: {}, headers };
          if (rule?.who === 'anyone' && !IN_PERSON.has(name)) {
            const lines = await callsIn(world);
            const unsigned = await codesOf(world, { ...call, headers: { accountid: '2' } });
            expect([name, await codesOf(world, call)]).toEqual([name, unsigned]);
            expect([name, await callsIn(world)]).toEqual([name, lines]);
            continue;
          }
          const asked = name === 'invitation.decline' ? { ...call, input: { invitationId: 1 } } : call;
          const lines = await callsIn(world);
          const codes = await codesOf(world, asked);
          const expected = oracle(name, type, mode);
          // Its input is empty, which a guard that lets the caller through may refuse.
          const seen = codes.map((code) =>
            code === 'invalid_input' || code === 'not_found' ? undefined : code,
          );
          expect([name, seen]).toEqual([name, Array.from({ length: CALLS_OF_CODES }, () => expected)]);
          const isGuarded = OTHER_CREDENTIALS[name] === undefined;
          expect([name, (await callsIn(world)).length - lines.length]).toEqual([
            name,
            isGuarded ? CALLS_OF_CODES : 0,
          ]);
        }
      },
    );
  },
);

describe('a session in which staff with a grant act for a member', () => {
  it('has only those permissions in an account that both people have', OPTIONS, async () => {
    await using world = await start();
    const owner = await world.member({ memberships: { 1: 1, 2: 1 } });
    const { token } = await world.start(world.manager, { memberId: owner.id, accountId: 2 });
    const ofManager = new Set(
      'account.read member.list member.manage conversation.read subject.remove social.connect knowledge.analyze subscription.read'.split(
        ' ',
      ),
    );
    const walked: string[] = [];
    for (const { name, type, rule } of all) {
      if (rule?.who !== 'account' || type !== 'query' || rule.orOwn) continue;
      const call = { name, type, input: {} };
      const own = await codesOf(world, { ...call, headers: { token: owner.token, accountid: '2' } });
      const acting = await codesOf(world, { ...call, headers: { token, accountid: '2' } });
      const expected = ofManager.has(rule.permission) ? own : own.map(() => 'permission_denied');
      expect([name, acting]).toEqual([name, expected]);
      const elsewhere = await codesOf(world, { ...call, headers: { token, accountid: '1' } });
      expect([name, elsewhere]).toEqual([name, own.map(() => 'account_forbidden')]);
      walked.push(rule.permission);
    }
    expect(new Set(walked).size).toBeGreaterThan(4);
  });
});

describe('a page or a redirect', () => {
  it('treats a session in which staff act for a member like an anonymous caller', OPTIONS, async () => {
    await using world = await start();
    const subject = await world.member();
    const token = await impersonate(world, subject, 'write');
    const raw = routes.filter((row) => row.kind === 'raw' && row.methods.includes('GET'));
    expect(raw.length).toBeGreaterThan(5);
    for (const { path } of raw) {
      const target = path.replaceAll(/:[A-Za-z]+/g, 'google');
      const [acting, nobody] = await Promise.all([
        world.main.send(target, { token }),
        world.main.send(target),
      ]);
      expect([path, acting.status, acting.headers.get('set-cookie') === null]).toEqual([
        path,
        nobody.status,
        nobody.headers.get('set-cookie') === null,
      ]);
    }
  });
});

describe('a documented path', () => {
  it('treats a session in which staff act for a member as its procedure does', OPTIONS, async () => {
    await using world = await start();
    const owner = await world.member({ memberships: { 2: 1 } });
    const token = await impersonate(world, owner, 'read');
    for (const row of routes) {
      if (row.kind !== 'procedure') continue;
      const { rule, type = 'query' } = all.find(({ name }) => name === row.call) ?? {};
      if (rule?.who === 'anyone' || row.call === 'session.end') continue;
      // The member is not staff, and that is refused first.
      const isOfStaff = row.call === 'session.issueAuthToken';
      const expected = isOfStaff ? 'permission_denied' : oracle(row.call, type, 'read');
      const path = row.path.replaceAll(/:[A-Za-z]+/g, '1');
      for (const method of row.methods) {
        const body = method === 'POST' ? { body: {} } : {};
        const response = await world.main.send(path, { token, accountId: 2, method, ...body });
        const text = await response.text();
        const code = codeIn(text);
        const seen = code === 'invalid_input' || code === 'not_found' ? undefined : code;
        expect([method, path, seen]).toEqual([method, path, expected]);
      }
    }
  });
});
