import { Environment, LogLevel, Paddle } from '@paddle/paddle-node-sdk';

/**
 * A client of Paddle's API, without a time limit.
 * @param url the URL of the API; by default that of the key's environment
 */
export function connectPaddle({ apiKey, url }: { apiKey: string; url: string | undefined }): Paddle {
  const own = apiKey.includes('_sdbx_') ? Environment.sandbox : Environment.production;
  return new Paddle(apiKey, {
    environment: url === undefined ? own : environmentAt(url),
    logLevel: LogLevel.none,
  });
}

/** The SDK treats any text other than an environment name as the URL of the API. */
function environmentAt(url: string): Environment {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the guarantee is the one stated above, and the tests page through an API at such an address
  return url as Environment;
}
