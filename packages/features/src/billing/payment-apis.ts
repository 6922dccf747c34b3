import type { PaymentApiLoader, PaymentApis } from '../core/billing/billing.js';
import type { PaymentApi } from '../core/billing/payment-api.js';
import type { Config } from '../core/config.js';
import { PROVIDER_TIMEOUT_MS } from './ask-provider.js';

/** The API client of each provider; undefined without an API key. */
export function createPaymentApis(
  config: Pick<Config, 'STRIPE_API_KEY' | 'STRIPE_API_URL' | 'PADDLE_API_KEY' | 'PADDLE_API_URL'>,
): PaymentApis {
  const { STRIPE_API_KEY, STRIPE_API_URL, PADDLE_API_KEY, PADDLE_API_URL } = config;
  return {
    stripe:
      STRIPE_API_KEY === undefined
        ? undefined
        : once(async () => {
            const [{ connectStripe }, { createStripeApi }] = await Promise.all([
              import('./stripe-source.js'),
              import('./stripe-api.js'),
            ]);
            const timeoutMs = PROVIDER_TIMEOUT_MS;
            return createStripeApi(
              connectStripe({ apiKey: STRIPE_API_KEY, url: STRIPE_API_URL, timeoutMs }),
              STRIPE_API_URL,
            );
          }),
    paddle:
      PADDLE_API_KEY === undefined
        ? undefined
        : once(async () => {
            const [{ connectPaddle }, { createPaddleApi }] = await Promise.all([
              import('./paddle-source.js'),
              import('./paddle-api.js'),
            ]);
            return createPaddleApi(connectPaddle({ apiKey: PADDLE_API_KEY, url: PADDLE_API_URL }));
          }),
  };
}

function once(load: PaymentApiLoader): PaymentApiLoader {
  let loaded: Promise<PaymentApi> | undefined;
  return () => {
    loaded ??= load();
    return loaded;
  };
}
