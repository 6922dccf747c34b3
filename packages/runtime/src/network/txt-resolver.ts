import { NODATA, NOTFOUND } from 'node:dns';
import { Resolver } from 'node:dns/promises';

/** The text records of a name, each with its chunks joined, or that no name server answered in time. */
export type TxtAnswer = { readonly records: readonly string[] } | { readonly failure: true };

/** Asks name servers for text records. */
export type TxtResolver = (name: string) => Promise<TxtAnswer>;

const WHOLE_MS = 5_000;

const ONE_TRY_MS = 2_000;

/**
 * A resolver that asks these name servers, or those of the machine if there are none, for at most five seconds. It asks from this process,
 * not in the threads that hash passwords.
 * @param servers `ip:port`
 */
export function createTxtResolver(servers: readonly string[]): TxtResolver {
  return async (name) => {
    const resolver = new Resolver({ timeout: ONE_TRY_MS, tries: 2 });
    if (servers.length > 0) resolver.setServers([...servers]);
    const timer = setTimeout(() => resolver.cancel(), WHOLE_MS);
    try {
      const records = await resolver.resolveTxt(name);
      return { records: records.map((chunks) => chunks.join('')) };
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      return code === NODATA || code === NOTFOUND ? { records: [] } : { failure: true };
    } finally {
      clearTimeout(timer);
    }
  };
}

/** Whether these are name servers that can be asked, such as `10.0.0.2:53` or `[2001:db8::2]:53`. */
export function areNameServers(servers: readonly string[]): boolean {
  try {
    new Resolver().setServers([...servers]);
    return true;
  } catch {
    return false;
  }
}
