#!/usr/bin/env node
import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { withDevelopmentSecrets } from '@gatehouse/runtime/config/secrets';
import { paddleLife } from './billing/paddle-life.js';
import { DAY_MS, MONTH_MS, sendLife } from './billing/send-life.js';
import { shuffled } from './billing/shop.js';
import { stripeLife } from './billing/stripe-life.js';
import { DEFAULT_EVENTS_PORT } from './events/forward-deliveries.js';
import { DEFAULT_PARTNER_PORT } from './partner/partner-front-end.js';
import { playProviders } from './social/play-providers.js';

const USAGE = `usage: simulate providers
       simulate billing [options]

"providers" plays the six social providers and the two payment providers on PORT (4020) until it is stopped;
docs/social.md and docs/payments.md say more. "billing" delivers the whole life of a subscription, signed, to a running service.

  --endpoint NAME   stripe, paddle-sandbox (default), paddle-production or paddle-admin
  --account N       the account that pays (1)
  --url URL         the service (http://127.0.0.1:4000)
  --secret SECRET   the endpoint's secret; else its variable, else the one kept under .data/
  --steps N         stop after this many of the twenty events
  --times N         deliver each event this often, at once (1)
  --pause-ms N      wait between two events (300)
  --shuffle         deliver the events in any order
  --simulator URL   tells the simulated payment providers, where they run (http://127.0.0.1:4020)
`;

const ENDPOINTS = {
  stripe: { provider: 'stripe', path: '/stripe_webhooks', secret: 'STRIPE_WEBHOOK_SECRET' },
  'paddle-sandbox': {
    provider: 'paddle',
    path: '/paddle_sandbox_webhooks',
    secret: 'PADDLE_SANDBOX_WEBHOOK_SECRET',
  },
  'paddle-production': {
    provider: 'paddle',
    path: '/paddle_production_webhooks',
    secret: 'PADDLE_PRODUCTION_WEBHOOK_SECRET',
  },
  'paddle-admin': {
    provider: 'paddle',
    path: '/paddle_Admin_webhooks',
    secret: 'PADDLE_ADMIN_WEBHOOK_SECRET',
  },
} as const;

async function main(): Promise<number> {
  if (process.argv[2] === 'providers') {
    return playProviders({
      port: Number(process.env['PORT'] ?? 4020),
      host: '127.0.0.1',
      partnerPort: Number(process.env['PARTNER_PORT'] ?? DEFAULT_PARTNER_PORT),
      eventsPort: Number(process.env['EVENTS_PORT'] ?? DEFAULT_EVENTS_PORT),
      receivers: receiversIn(process.env),
    });
  }
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      endpoint: { type: 'string', default: 'paddle-sandbox' },
      account: { type: 'string', default: '1' },
      url: { type: 'string', default: 'http://127.0.0.1:4000' },
      secret: { type: 'string' },
      steps: { type: 'string', default: '20' },
      times: { type: 'string', default: '1' },
      'pause-ms': { type: 'string', default: '300' },
      shuffle: { type: 'boolean', default: false },
      simulator: { type: 'string', default: `http://127.0.0.1:${process.env['SIMULATOR_PORT'] ?? 4020}` },
    },
  });
  const endpoint = Object.entries(ENDPOINTS).find(([name]) => name === values.endpoint)?.[1];
  const [accountId, count, times, pauseMs] = [
    values.account,
    values.steps,
    values.times,
    values['pause-ms'],
  ].map(Number);
  const numbers = [accountId, count, times, pauseMs];
  if (positionals[0] !== 'billing' || !endpoint || numbers.some((number) => !Number.isSafeInteger(number))) {
    process.stdout.write(USAGE);
    return 2;
  }
  const secret =
    values.secret ?? withDevelopmentSecrets(process.env, '.data')[endpoint.secret]?.split(',')[0] ?? '';
  const life = { stripe: stripeLife, paddle: paddleLife }[endpoint.provider];
  const steps = life({
    accountId: accountId ?? 1,
    startMs: Date.now() - 4 * MONTH_MS - 2 * DAY_MS,
    key: randomBytes(6).toString('hex'),
  }).slice(0, count);
  const url = `${values.url.replace(/\/+$/, '')}${endpoint.path}`;
  const options = { provider: endpoint.provider, url, secret, pauseMs: pauseMs ?? 0, times: times ?? 1 };

  let isWell = true;
  for await (const { step, statuses } of sendLife(values.shuffle ? shuffled(steps) : steps, options)) {
    await tellSimulator(values.simulator, endpoint.provider, step.event);
    isWell &&= statuses.every((status) => status === 200);
    const standing = values.shuffle ? '' : `→ ${step.standing}`;
    process.stdout.write(`${statuses.join(' ')}  ${step.type.padEnd(32)} ${standing}\n`);
  }
  return isWell ? 0 : 1;
}

/** The webhook addresses of this environment's service, for the simulated payment providers. */
function receiversIn(env: NodeJS.ProcessEnv) {
  const url = env['BASE_URL'] ?? 'http://127.0.0.1:4000';
  return Object.fromEntries(
    [ENDPOINTS.stripe, ENDPOINTS['paddle-sandbox']].flatMap(({ provider, path, secret }) => {
      const key = env[secret]?.split(',')[0];
      return key === undefined || key === '' ? [] : [[provider, { url: `${url}${path}`, secret: key }]];
    }),
  );
}

/** Reports an event to the simulator, so that its API lists the subscription. It need not be running. */
async function tellSimulator(url: string, provider: string, event: object): Promise<void> {
  const body = JSON.stringify({ provider, event });
  await fetch(`${url}/control/billing`, { method: 'POST', body }).catch(() => undefined);
}

/** The reason why a life cannot be delivered, as a sentence. */
function explain(error: unknown): string {
  const isUnreached = error instanceof TypeError && error.cause instanceof Error;
  return isUnreached
    ? 'No service answers there: start one with pnpm start, or name its address with --url.'
    : String(error);
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = 1;
  },
);
