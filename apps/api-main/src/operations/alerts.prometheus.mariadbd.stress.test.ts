import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '@gatehouse/db/open-database';
import { BILLING_ENVIRONMENT, deliver } from '@gatehouse/features/test/billing';
import { paddleLife } from '@gatehouse/simulator';
import {
  createTestFolder,
  dashboardQueries,
  findFreePort,
  insertTestMember,
  printMeasurements,
  readAlertRules,
  type SpawnedService,
  seedTestDatabase,
  sendRequest,
  signInByPassword,
  spawnService,
  startPrivateMariadb,
  startPrivateRedis,
} from '@gatehouse/testkit';
import {
  type RunningPrometheus,
  startHaproxy,
  startLossyLink,
  startPrometheus,
  startSlowLink,
} from '@gatehouse/testkit/operations';
import { expect, it } from 'vitest';

const BALANCER = fileURLToPath(new URL('../../../../deploy/proxy/haproxy.cfg', import.meta.url));
const METRICS_TOKEN = 'metrics-token-0123456789';
/** A minute of the rules. */
const SECONDS_PER_MINUTE = 3;
const QUIET_MS = 30_000;
const MAX_WAIT_MS = 240_000;

const ENVIRONMENT = {
  LOG_LEVEL: 'warn',
  METRICS_TOKEN,
  // Shorter than the time-out of a scrape.
  DATABASE_TIMEOUT_MS: '1200',
  PASSWORD_HASH_WAIT_MS: '6000',
  TRUSTED_PROXIES: '127.0.0.1',
  MAIL_REQUESTS_PER_ADDRESS: '1000',
  RESEND_API_KEY: 're_test',
  ...BILLING_ENVIRONMENT,
};

/** Set in a node from outside, because nothing in a service can cause these faults on purpose. */
const FAULTS_INSIDE = `
import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
const realNow = Date.now;
let wrongMs = 0, leak, blocking;
Date.now = () => realNow() + wrongMs;
process.on('SIGUSR2', () => {
  const fault = JSON.parse(readFileSync(process.env.TEST_FAULT_FILE, 'utf8'));
  wrongMs = fault.wrongMs ?? 0;
  leak = fault.leakBytes ? Buffer.alloc(fault.leakBytes, 1) : undefined;
  collect();
  clearInterval(blocking);
  if (fault.blockMs) blocking = setInterval(() => {
    const end = performance.now() + fault.blockMs;
    while (performance.now() < end);
  }, 2 * fault.blockMs);
});`;

interface Fault {
  readonly alerts: readonly string[];
  begin(): Promise<unknown>;
  /** Repeated until the alerts fire. */
  again?(): Promise<unknown>;
  end(): Promise<unknown>;
}

/** A mail provider that accepts, fails or refuses. */
async function startMailProvider() {
  const conduct = { status: 200, body: { id: 'mail' } as object };
  const server = createServer((request, response) => {
    request.resume();
    request.once('end', () => {
      response.writeHead(conduct.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(conduct.body));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a listening server has no port');
  const answer = (status: number, body: object) => () => {
    Object.assign(conduct, { status, body });
  };
  return {
    url: `http://127.0.0.1:${address.port}`,
    accept: answer(200, { id: 'mail' }),
    fail: answer(500, { name: 'application_error', message: 'down', statusCode: 500 }),
    refuse: answer(422, { name: 'validation_error', message: 'no', statusCode: 422 }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Runs calls concurrently, each again and again, until it is stopped. Their answers do not matter. */
function startCalls(count: number, pauseMs: number, call: () => Promise<Response>) {
  let isRunning = true;
  const running = Array.from({ length: count }, async () => {
    while (isRunning) {
      await call().then(
        (response) => response.arrayBuffer(),
        () => undefined,
      );
      await pause(pauseMs);
    }
  });
  return {
    async stop() {
      isRunning = false;
      await Promise.all(running);
    },
  };
}

async function until(what: () => Promise<boolean>, complaint: () => Promise<string>): Promise<number> {
  const startedMs = performance.now();
  while (!(await what())) {
    if (performance.now() - startedMs > MAX_WAIT_MS) throw new Error(await complaint());
    await pause(250);
  }
  return Math.round((performance.now() - startedMs) / 100) / 10;
}

async function meet(prometheus: RunningPrometheus, fault: Fault) {
  expect([fault.alerts, await prometheus.firing()]).toEqual([fault.alerts, []]);
  const others = new Set<string>();
  const fires = async () => {
    await fault.again?.();
    const names = await prometheus.firing();
    for (const name of names) if (!fault.alerts.includes(name)) others.add(name);
    return fault.alerts.every((name) => names.includes(name));
  };
  const now = async () => `${fault.alerts.join(', ')}: ${(await prometheus.firing()).join(', ')} fire`;
  await fault.begin();
  const firedAfterSeconds = await until(fires, now);
  await fault.end();
  const endedAfterSeconds = await until(async () => (await prometheus.firing()).length === 0, now);
  printMeasurements(`alerts fire: ${fault.alerts.join(', ')}`, {
    firedAfterSeconds,
    endedAfterSeconds,
    others: [...others].join(' ') || 'none',
  });
}

it('each alert fires during the fault that it covers, and neither before nor after it', {
  timeout: 3_600_000,
}, async () => {
  await using server = await startPrivateMariadb();
  const schema = 'alerts';
  const db = await openDatabase(await server.createSchema(schema));
  await db.migrate();
  await seedTestDatabase(db);
  const [oneAccount, ...members] = await Promise.all(
    Array.from({ length: 16 }, () => insertTestMember(db, { memberships: { 3: 2 }, isConfirmed: true })),
  );
  if (oneAccount === undefined) throw new Error('there are members');
  await using locks = await server.openSession(schema);
  await using redis = await startPrivateRedis();
  await using mails = await startMailProvider();
  await using lossy = await startLossyLink({ host: '127.0.0.1', port: server.port });
  await using slow = await startSlowLink(server.port);
  await using folder = await createTestFolder();
  const faultFile = join(folder.path, 'fault.json');

  const through = (port: number) => `mysql://root@127.0.0.1:${port}/${schema}`;
  const env = { ...ENVIRONMENT, RESEND_BASE_URL: mails.url };
  const ports = [await findFreePort(), await findFreePort(), await findFreePort()] as const;
  const startFirst = () =>
    spawnService('api-main', {
      databaseUrl: through(lossy.port),
      port: ports[0],
      env: {
        ...env,
        TEST_FAULT_FILE: faultFile,
        NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(FAULTS_INSIDE)}`,
      },
    });
  let first: SpawnedService = await startFirst();
  await using _first = { [Symbol.asyncDispose]: () => first[Symbol.asyncDispose]() };
  await using second = await spawnService('api-main', {
    databaseUrl: through(slow.port),
    port: ports[1],
    env: { ...env, REDIS_URL: redis.url, DATABASE_POOL_SIZE: '3', PASSWORD_HASH_QUEUE: '4' },
  });
  await using _admin = await spawnService('api-admin', {
    databaseUrl: through(server.port),
    port: ports[2],
    env,
  });
  const [main, admin, figures] = [await findFreePort(), await findFreePort(), await findFreePort()];
  const nodes = ports.map((port) => `127.0.0.1:${port}`);
  const [node1 = '', node2 = '', node3 = ''] = nodes;
  await using _balancer = await startHaproxy(BALANCER, {
    ports: [main, admin, figures],
    variables: {
      FIGURES_BIND: `127.0.0.1:${figures}`,
      MAIN_BIND: `127.0.0.1:${main}`,
      MAIN_NODE_1: node1,
      MAIN_NODE_2: node2,
      ADMIN_BIND: `127.0.0.1:${admin}`,
      ADMIN_NODE_1: node3,
      ADMIN_NODE_2: node3,
    },
  });
  await using prometheus = await startPrometheus({
    targets: {
      'gatehouse-api-main': [node1, node2],
      'gatehouse-api-admin': [node3],
      'gatehouse-haproxy': [`127.0.0.1:${figures}`],
    },
    metricsToken: METRICS_TOKEN,
    secondsPerMinute: SECONDS_PER_MINUTE,
  });

  const send = (path: string, request: Parameters<SpawnedService['send']>[1] = {}) =>
    second.send(path, request);
  const signedIn = (node: SpawnedService) =>
    signInByPassword(node, 'owner@cedar.test').catch(() => undefined);
  const list = { token: oneAccount.token, accountId: 3 };
  const usual = startCalls(2, 100, () =>
    sendRequest(`http://127.0.0.1:${main}/getAllMemberslist?limit=20`, list),
  );
  await using _usual = { [Symbol.asyncDispose]: () => usual.stop() };
  await signedIn(first);
  await signedIn(second);

  const inside = async (fault: object) => {
    await writeFile(faultFile, JSON.stringify(fault));
    process.kill(first.pid, 'SIGUSR2');
  };
  const healthy = () => inside({});
  const sql = (text: string) => server.ask(`${text.replaceAll('@', `${schema}.`)}`);
  const AGO = 'created_at_ms = created_at_ms - 660000';
  const mailTo = (email: string) => send('/forgotPassword', { body: { email } });
  const event = (key: string) => paddleLife({ accountId: 3, startMs: Date.now(), key })[0]?.event ?? {};
  const pay = (given: object, secret?: string) =>
    deliver(second, {
      path: '/paddle_production_webhooks',
      event: given,
      ...(secret === undefined ? {} : { secret }),
    });
  let heavy: ReturnType<typeof startCalls> | undefined;
  const endHeavy = async () => heavy?.stop();

  const faults: readonly Fault[] = [
    {
      alerts: ['GatehouseDown', 'GatehouseNodeOutOfBalancer'],
      begin: () => first.kill9(),
      async end() {
        first = await startFirst();
      },
    },
    {
      alerts: ['GatehouseNotReady', 'GatehouseDatabaseUnavailable', 'GatehouseAccessLogUnread'],
      begin: () => server.pause(),
      end: () => Promise.resolve(server.resume()),
    },
    {
      alerts: ['GatehouseErrors'],
      begin: () => locks.run('lock tables memberships write'),
      end: () => locks.run('unlock tables'),
    },
    {
      alerts: ['GatehouseSlow'],
      async begin() {
        slow.setDelay(300);
        heavy = startCalls(4, 50, () => send('/getAllMemberslist?limit=20', list));
      },
      async end() {
        slow.setDelay(0);
        await endHeavy();
      },
    },
    {
      alerts: ['GatehousePoolExhausted'],
      async begin() {
        slow.setDelay(40);
        heavy = startCalls(12, 0, () => send('/getAllMemberslist?limit=20', list));
      },
      async end() {
        slow.setDelay(0);
        await endHeavy();
      },
    },
    {
      alerts: ['GatehouseCommitUnknown'],
      begin: async () => lossy.loseAt(/^COMMIT/i, 'after'),
      again: () => signedIn(first),
      end: async () => lossy.forward(),
    },
    {
      alerts: ['GatehouseDatabaseFull'],
      begin: () =>
        sql(
          "create trigger @no_room before insert on @limits for each row signal sqlstate 'HY000' set mysql_errno = 1021, message_text = 'Disk full'",
        ),
      // Each name has a counter of its own, which is a row to insert.
      again: () =>
        first.send('/webauthenticate', {
          body: { email: `${randomUUID()}@many.test`, password: 'Wrong-Harbor-42' },
        }),
      end: () => sql('drop trigger @no_room'),
    },
    {
      alerts: ['GatehouseAccessLogIncomplete'],
      async begin() {
        await sql('create trigger @hang before insert on @access_changes for each row do sleep(10)');
        await sql('delete from @access_changes');
      },
      end: () => sql('drop trigger @hang'),
    },
    {
      alerts: ['GatehouseLimitsNotShared'],
      begin: () => redis.stop(),
      end: () => redis.restart(),
    },
    { alerts: ['GatehouseClockWrong'], begin: () => inside({ wrongMs: 60_000 }), end: healthy },
    { alerts: ['GatehouseEventLoopSlow'], begin: () => inside({ blockMs: 700 }), end: healthy },
    { alerts: ['GatehouseMemoryHigh'], begin: () => inside({ leakBytes: 400e6 }), end: healthy },
    {
      alerts: ['GatehouseLoginsShed'],
      async begin() {
        heavy = startCalls(40, 0, () =>
          send('/webauthenticate', { body: { email: 'owner@cedar.test', password: 'Lantern-Harbor-42' } }),
        );
      },
      end: endHeavy,
    },
    {
      alerts: ['GatehouseGuessing', 'GatehouseAttack'],
      async begin() {
        heavy = startCalls(1, 100, () =>
          first.send('/webauthenticate', {
            headers: { 'x-forwarded-for': '203.0.113.9' },
            body: { email: oneAccount.email, password: 'Wrong-Harbor-42' },
          }),
        );
        for (let guess = 0; guess < 25; guess += 1)
          await first.send('/webauthenticate', {
            headers: { 'x-forwarded-for': '203.0.113.9' },
            body: { email: `nobody-${guess}@many.test`, password: 'Wrong-Harbor-42' },
          });
      },
      end: endHeavy,
    },
    {
      alerts: ['GatehouseWebhooksWaiting'],
      async begin() {
        await locks.run('lock tables billing_customers read, billing_subscriptions read, subscriptions read');
        await pay(event('waiting'));
        await sql('update @webhook_log set received_at_ms = received_at_ms - 660000');
      },
      end: () => locks.run('unlock tables'),
    },
    {
      alerts: ['GatehouseWebhooksFailed'],
      begin: () => pay({ ...event('failed'), data: { id: 7 } }),
      end: () => Promise.resolve(),
    },
    {
      alerts: ['GatehouseWebhooksRejected'],
      async begin() {
        for (let each = 0; each < 12; each += 1)
          await pay(event(`forged-${each}`), 'pdl_ntfset_forged-forged');
      },
      end: () => Promise.resolve(),
    },
    {
      alerts: ['GatehouseMailsWaiting'],
      async begin() {
        mails.fail();
        await mailTo(oneAccount.email);
        await sql(`update @mail_outbox set ${AGO} where state = 'pending'`);
      },
      async end() {
        mails.accept();
        await sql("update @mail_outbox set due_at_ms = 0 where state = 'pending'");
      },
    },
    {
      alerts: ['GatehouseFault'],
      async begin() {
        mails.fail();
        await mailTo(oneAccount.email);
        // Like a mail that was encrypted under another key.
        await sql(
          "update @mail_outbox set text = 'unreadable', html = 'unreadable', due_at_ms = 0, lease_until_ms = 0 where state = 'pending'",
        );
      },
      async end() {
        mails.accept();
        await sql("delete from @mail_outbox where state = 'pending'");
      },
    },
    {
      alerts: ['GatehouseMailsDead'],
      async begin() {
        mails.refuse();
        for (const { email } of members) await mailTo(email);
      },
      end: async () => mails.accept(),
    },
  ];
  expect(faults.flatMap(({ alerts }) => alerts).toSorted()).toEqual(
    readAlertRules()
      .map(({ name }) => name)
      .toSorted(),
  );

  await until(
    async () => (await prometheus.count('up == 1')) === 4,
    async () => 'not every node answers Prometheus',
  );
  const quietUntil = performance.now() + QUIET_MS;
  while (performance.now() < quietUntil) {
    expect(await prometheus.firing()).toEqual([]);
    await pause(500);
  }
  for (const fault of faults) await meet(prometheus, fault);
  await db.close();

  const queries = dashboardQueries('10s');
  const shown = await Promise.all(queries.map((query) => prometheus.count(query)));
  const empty = queries.filter((_, index) => shown[index] === 0);
  printMeasurements('queries of the dashboard with series', { queries: queries.length, empty: empty.length });
  // A query with `> 0` returns nothing while all is well.
  expect(empty.filter((query) => !query.includes('> 0') && !query.includes('ALERTS'))).toEqual([]);
});
