import type { Database } from '@gatehouse/db/database';
import {
  listImportedSubscriptions,
  listKnownSubscriptions,
} from '@gatehouse/db/queries/billing-subscriptions';
import { isUnanswered } from '@gatehouse/features/billing/ask-provider';
import {
  type AskingServices,
  compareWithProvider,
  correctByProvider,
  type SubscriptionInQuestion,
} from '@gatehouse/features/billing/compare-with-provider';
import { createPaymentApis } from '@gatehouse/features/billing/payment-apis';
import { BILLING_PROVIDERS } from '@gatehouse/features/core/billing/billing-event';
import { configShape, readConfig } from '@gatehouse/features/core/config';
import type { CommandContext } from '../command.js';
import { defineCommand } from '../define-command.js';
import { createProgressCount } from '../progress-bar.js';
import { withDatabase } from '../with-database.js';

const AT_ONCE = 200;

export const billing = defineCommand({
  name: 'billing',
  summary: 'ask the payment providers about every subscription, and correct what their events left out',
  usage: ['reconcile [--dry-run]; see docs/payments.md'],
  words: { least: 1, most: 1 },
  options: {
    'dry-run': { type: 'boolean', default: false, about: 'list what is different; nothing is written' },
  },
  async run(context, { values, positionals }) {
    if (positionals[0] !== 'reconcile') {
      context.say('usage: gatehouse billing reconcile [--dry-run]');
      return 2;
    }
    const isDry = values['dry-run'];
    return withDatabase(context, (db) => reconcile(context, askingServices(context, db), isDry));
  },
});

/**
 * What the requests to the providers need, from the variables of the services.
 * @throws {ConfigError} if one of them is not valid
 */
export function askingServices({ env }: Pick<CommandContext, 'env'>, db: Database): AskingServices {
  const { STRIPE_API_KEY, STRIPE_API_URL, PADDLE_API_KEY, PADDLE_API_URL, BILLING_PLANS } = configShape;
  const shape = { STRIPE_API_KEY, STRIPE_API_URL, PADDLE_API_KEY, PADDLE_API_URL, BILLING_PLANS };
  const config = readConfig(shape, env);
  return { db, config, billing: { apis: createPaymentApis(config) }, now: Date.now };
}

async function reconcile(
  { say, draw }: CommandContext,
  services: AskingServices,
  isDry: boolean,
): Promise<number> {
  const progress = createProgressCount({ title: 'subscriptions', draw });
  const counts = { asked: 0, different: 0, failed: 0, unasked: 0 };
  const silent = new Set<string>();
  for await (const { provider: name, subscriptionId, customerId } of allSubscriptions(services.db)) {
    progress.advance(1);
    const provider = BILLING_PROVIDERS.find((each) => each === name);
    if (provider === undefined || services.billing.apis[provider] === undefined) {
      counts.unasked += 1;
      continue;
    }
    if (silent.has(provider)) {
      counts.failed += 1;
      continue;
    }
    counts.asked += 1;
    const line = `${provider}  ${subscriptionId}`;
    try {
      if (!(await isDifferent(services, { provider, subscriptionId, customerId }, isDry))) continue;
      counts.different += 1;
      say(`${line}  ${isDry ? 'is different at the provider' : 'corrected'}`);
    } catch (error) {
      counts.failed += 1;
      say(`${line}  not compared: ${error instanceof Error ? error.message : 'unknown'}`);
      if (!isUnanswered(error)) continue;
      silent.add(provider);
      say(`${provider}  does not answer; run this again later`);
    }
  }
  say(
    `${counts.asked} compared, ${counts.different} different${isDry ? '' : ' and corrected'}, ${counts.failed} failed, ${counts.unasked} of a provider without an API key.`,
  );
  return counts.failed === 0 && !(isDry && counts.different > 0) ? 0 : 1;
}

async function isDifferent(
  services: AskingServices,
  subscription: SubscriptionInQuestion,
  isDry: boolean,
): Promise<boolean> {
  if (!isDry) return correctByProvider(services, subscription);
  return (await compareWithProvider(services, subscription)).isDifferent;
}

/** Subscriptions known from events, then those from an import. */
async function* allSubscriptions(
  db: Database,
): AsyncGenerator<{ provider: string; subscriptionId: string; customerId: string }> {
  const imported = await listImportedSubscriptions(db);
  for (let afterId = 0; ; ) {
    const page = await listKnownSubscriptions(db, { afterId, limit: AT_ONCE });
    yield* page;
    const last = page.at(-1);
    if (last === undefined) break;
    afterId = last.id;
  }
  yield* imported;
}
