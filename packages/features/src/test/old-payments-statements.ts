import { expect } from 'vitest';
import { deliver, RECEIVERS } from './billing.js';
import { OK, type OldStatement } from './old-statement.js';
import { newPerson, OWNER } from './old-world.js';

const aText = expect.any(String) as string;

/** An event that concerns no account. */
const eventAt = (path: string) =>
  path === '/stripe_webhooks'
    ? { id: `evt_${path.length}`, type: 'charge.updated', created: 1, data: { object: {} } }
    : {
        event_id: `evt_${path}`,
        event_type: 'address.updated',
        occurred_at: new Date().toISOString(),
        data: {},
      };

/** The webhooks of payment providers, and subscriptions. */
export const PAYMENT_STATEMENTS: readonly OldStatement[] = [
  ...RECEIVERS.flatMap(({ path }): OldStatement[] => [
    {
      says: `a signed event at ${path} is received, and logged with its type and a status`,
      ask: async (world) => {
        const { status } = await deliver(world.main, { path, event: eventAt(path) });
        return { ...(await world.askRoot('POST', '/v1/webhook/list', { limit: 1 })), status };
      },
      answers: {
        status: 200,
        body: {
          data: [{ type: expect.stringMatching(/\.updated$/) as string, status: aText, reason: null }],
        },
      },
    },
    {
      says: `an event at ${path} that another secret signed is refused, and logged`,
      ask: async (world) => {
        const { status } = await deliver(world.main, { path, event: eventAt(path), secret: 'x'.repeat(32) });
        return { ...(await world.askRoot('POST', '/v1/webhook/list', { limit: 1 })), status };
      },
      answers: { status: 400, body: { data: [{ status: 'rejected', reason: aText }] } },
    },
    {
      says: `an event without a signature at ${path} is refused`,
      ask: (world) => world.ask('POST', path),
      answers: { status: 400, body: { status: false } },
    },
    {
      says: `an event without a body at ${path} is logged`,
      ask: async (world) => {
        await world.ask('POST', path);
        return world.askRoot('POST', '/v1/webhook/list', { limit: 1 });
      },
      answers: { ...OK, body: { data: [{ status: 'rejected', type: null, bodyBytes: 0 }] } },
    },
  ]),
  {
    says: 'the log has the body of an event',
    ask: async (world) => {
      const path = '/stripe_webhooks';
      await deliver(world.main, { path, event: { ...eventAt(path), id: 'evt_with_body' } });
      const { body } = await world.askRoot('POST', '/v1/webhook/list', { limit: 1 });
      const [{ id }] = body['data'] as [{ id: number }];
      return world.askRoot('POST', '/v1/webhook/detail', { id });
    },
    answers: { ...OK, text: expect.stringContaining('evt_with_body') as string },
  },
  {
    says: 'a registration creates a trial of 14 days',
    ask: async (world) => {
      const { body } = await world.ask('POST', '/register', { body: newPerson() });
      const asked = { token: String(body['token']), account: Number(body['accountId']) };
      const answer = await world.ask('POST', '/subscriptionList', asked);
      const [{ periodEndsAt }] = answer.body['data'] as [{ periodEndsAt: string }];
      const days = (Date.parse(periodEndsAt) - Date.now()) / 86_400_000;
      return { ...answer, text: String(Math.round(days)) };
    },
    answers: { ...OK, body: { data: [{ state: 'trialing' }] }, text: '14' },
  },
  ...['GET', 'POST'].map(
    (method): OldStatement => ({
      says: `${method} /subscriptionList lists subscriptions`,
      ask: async (world) =>
        world.ask(method, '/subscriptionList', { token: await world.signIn(OWNER), account: 1 }),
      answers: { ...OK, body: { data: [{ id: 'trial', state: 'trialing' }] } },
    }),
  ),
];
