import Stripe from 'stripe';

/**
 * A client of Stripe's API with a time limit.
 * @param url the URL of the API
 */
export function connectStripe({
  apiKey,
  url,
  timeoutMs,
}: {
  apiKey: string;
  url: string;
  timeoutMs: number;
}): Stripe {
  const { protocol, hostname, port } = new URL(url);
  const isPlain = protocol === 'http:';
  return new Stripe(apiKey, {
    host: hostname,
    port: port === '' ? (isPlain ? 80 : 443) : Number(port),
    protocol: isPlain ? 'http' : 'https',
    timeout: timeoutMs,
    maxNetworkRetries: 1,
    telemetry: false,
  });
}
