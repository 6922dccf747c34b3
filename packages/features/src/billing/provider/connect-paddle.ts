import { Environment, LogLevel, Paddle } from '@paddle/paddle-node-sdk';

/**
 * A client of Paddle's API. It waits for an answer for as long as it takes.
 * @param url where the API is; by default the one the key belongs to
 */
export function connectPaddle({ apiKey, url }: { apiKey: string; url: string | undefined }): Paddle {
  const own = apiKey.includes('_sdbx_') ? Environment.sandbox : Environment.production;
  return new Paddle(apiKey, {
    environment: url === undefined ? own : environmentAt(url),
    logLevel: LogLevel.none,
  });
}

/** The SDK takes any text that is not the name of an environment as the address of the API. */
function environmentAt(url: string): Environment {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the guarantee is the one stated above, and the tests page through an API at such an address
  return url as Environment;
}
