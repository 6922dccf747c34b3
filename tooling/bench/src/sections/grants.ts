import { createDataCipher, makeOpaqueToken, randomId, sha256Hex } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { openDatabase } from '@gatehouse/db/open-database';
import { findOauthArtifact, insertOauthArtifact } from '@gatehouse/db/queries/oauth-artifacts';
import { openPayload, payloadContext } from '@gatehouse/features/core/guard/stored-grants';
import { addLoginMembers } from '../add-login-members.js';
import {
  addApplications,
  authorizationOf,
  codeFor,
  exchange,
  OURS,
  type Visit,
} from '../application-world.js';
import { type Load, type Measurement, measure, median } from '../measure.js';
import type { Bench, Section } from '../section.js';
import { signIn } from '../world.js';

const GRANTS = 10_000;

const MEMBERS = 100;

const INTROSPECTIONS_PER_SECOND = 100;

interface Asked {
  readonly visit: Visit;
  readonly token: string;
}

/** How much slower everybody else's calls become with many grants and with applications that introspect. */
export async function grants(bench: Bench): Promise<Section> {
  const { settings, start, world } = bench;
  const { origin } = await start('gatehouse', { env: world.env });
  const headers = { token: await signIn(origin), accountid: '1' };
  const loads: Record<string, Load> = {
    'GET /auth/me': { url: `${origin}/auth/me`, headers },
    'POST /v1/member/list': {
      url: origin,
      headers,
      requests: [{ path: '/v1/member/list', body: { limit: 20 } }],
    },
  };
  // Created before any grants, so that the two sides have the same members.
  const db = await openDatabase(world.databaseUrl);
  try {
    const visits = await addVisits(bench, origin);
    for (const load of Object.values(loads)) await measure(load, { ...settings, seconds: 2 });
    const measured = { none: emptyMeasured(), some: emptyMeasured(), all: emptyMeasured() };
    for (let round = 1; round <= settings.rounds; round += 1) {
      bench.say(`without grants, round ${round} of ${settings.rounds}`);
      await measureAll(bench, loads, measured.none);
    }
    bench.say(`adding ${GRANTS} grants`);
    const asked = await addGrants(bench, db, visits);
    const rates: number[] = [];
    for (let round = 1; round <= settings.rounds; round += 1) {
      bench.say(`with grants, round ${round} of ${settings.rounds}`);
      await measureAll(bench, loads, measured.some);
      rates.push(await whileAsking(asked, () => measureAll(bench, loads, measured.all)));
    }
    const rows = Object.keys(loads).map((name) => {
      const [none, some, all] = [measured.none, measured.some, measured.all].map((each) =>
        middle(each.get(name) ?? []),
      );
      const ratio = (of: Figures | undefined) => ((of?.perSecond ?? 0) / (none?.perSecond ?? 0)).toFixed(2);
      const cells = [none, some, all].map((of) => Math.round(of?.perSecond ?? 0).toLocaleString('en'));
      return `| \`${name}\` | ${cells.join(' | ')} | ${ratio(some)} | ${ratio(all)} | ${none?.p99Ms} | ${all?.p99Ms} |`;
    });
    return {
      title: 'Grants',
      text: `| Requests/s | without grants | with ${GRANTS.toLocaleString('en')} | and introspections | ratio | ratio | p99 ms without | p99 ms with all |
|---|---:|---:|---:|---:|---:|---:|---:|
${rows.join('\n')}

${settings.connections} connections, median of ${settings.rounds} rounds of ${settings.seconds} s. ${GRANTS.toLocaleString('en')} grants of ${MEMBERS} members have an access token each; meanwhile ${median(rates).toFixed(0)} introspections a second ask about one after the other.`,
      chart: [],
    };
  } finally {
    await db.close();
  }
}

interface Figures {
  readonly perSecond: number;
  readonly p99Ms: number;
}

function middle(measured: readonly Measurement[]): Figures {
  return {
    perSecond: median(measured.map((each) => each.requestsPerSecond)),
    p99Ms: median(measured.map((each) => each.p99Ms)),
  };
}

type Measured = Map<string, Measurement[]>;

const emptyMeasured = (): Measured => new Map();

async function measureAll(
  { settings }: Bench,
  loads: Readonly<Record<string, Load>>,
  into: Measured,
): Promise<void> {
  for (const [name, load] of Object.entries(loads))
    into.set(name, [...(into.get(name) ?? []), await measure(load, settings)]);
}

/** Members in sessions of their own, each with an application. */
async function addVisits({ world }: Bench, origin: string): Promise<Visit[]> {
  const clients = await addApplications(world);
  const visits: Visit[] = [];
  for (const email of await addLoginMembers(world, MEMBERS)) {
    const cookie = `__Host-gatehouse=${await signIn(origin, email)}`;
    const client = clients[visits.length % clients.length];
    if (client) visits.push({ origin, client, paths: OURS, cookie });
  }
  return visits;
}

/** Each member consents once; the other grants are copies of what is then stored, with ids of their own. */
async function addGrants({ world }: Bench, db: Database, visits: readonly Visit[]): Promise<Asked[]> {
  const cipher = createDataCipher({ key: world.env['DATA_ENCRYPTION_KEY'] ?? '' });
  const asked: Asked[] = [];
  for (const visit of visits) {
    const first = await exchange(visit, await codeFor(visit));
    const token = await findOauthArtifact(db, { model: 'AccessToken', digest: sha256Hex(first) });
    const grant =
      token?.grantDigest && (await findOauthArtifact(db, { model: 'Grant', digest: token.grantDigest }));
    if (!token || !grant) throw new Error('The service stores no token or no grant');
    const [tokenFacts, grantFacts] = [token, grant].map((row) => openPayload({ cipher }, row));
    for (let copy = 0; copy < GRANTS / MEMBERS; copy += 1) {
      const [id, value] = [randomId(32), makeOpaqueToken('accessToken')];
      const grantDigest = sha256Hex(id);
      const rows = [
        { row: { ...grant, digest: grantDigest }, facts: grantFacts },
        { row: { ...token, digest: sha256Hex(value), grantDigest }, facts: { ...tokenFacts, grantId: id } },
      ];
      for (const { row, facts } of rows) {
        const { model, digest, memberId, consentId, createdAtMs, expiresAtMs } = row;
        const payload = cipher.seal(JSON.stringify(facts), payloadContext(row));
        const stored = { model, digest, grantDigest: row.grantDigest, memberId, consentId, payload };
        if (!(await insertOauthArtifact(db, { ...stored, createdAtMs, expiresAtMs })))
          throw new Error('A copy of a grant has the id of another');
      }
      asked.push({ visit, token: value });
    }
  }
  return asked;
}

async function ask({ visit, token }: Asked): Promise<void> {
  const answer = await fetch(`${visit.origin}${visit.paths.introspect}`, {
    method: 'POST',
    headers: { authorization: authorizationOf(visit.client) },
    body: new URLSearchParams({ token }),
  });
  const text = await answer.text();
  if (!text.includes('"active":true')) throw new Error(`An introspection answers ${answer.status} ${text}`);
}

/** Introspects one token after the other while something else happens. Returns how many a second were answered. */
async function whileAsking(asked: readonly Asked[], work: () => Promise<void>): Promise<number> {
  const calls: Promise<void>[] = [];
  const startMs = performance.now();
  const elapsed = () => (performance.now() - startMs) / 1000;
  const asking = setInterval(() => {
    while (calls.length < elapsed() * INTROSPECTIONS_PER_SECOND) {
      // In an order that puts no two tokens of one member next to each other.
      const one = asked[(calls.length * 7919) % asked.length];
      if (one) calls.push(ask(one));
    }
  }, 5);
  try {
    await work();
  } finally {
    clearInterval(asking);
  }
  await Promise.all(calls);
  return calls.length / elapsed();
}
