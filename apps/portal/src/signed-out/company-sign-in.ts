import { gatehouse } from '../client.js';
import { startCompanySignIn } from '../provider-flow.js';

/** The identity provider by which the people of a company sign in. */
export interface Company {
  readonly startUrl: string;
  /** Its name, as given by the owners; unknown if a refusal revealed it. */
  readonly name?: string;
  /** Whether only exempt admins sign in otherwise. */
  readonly isRequired: boolean;
}

/** The domain of what was typed, if it looks like a whole address. */
export function domainIn(address: string): string | undefined {
  return /^[^\s@]+@([^\s@.]+(?:\.[^\s@.]+)+)$/.exec(address.trim())?.[1]?.toLowerCase();
}

/** Whether two URLs start the sign-in of the same connection. The service may have several hosts. */
export function isSameStart(one: string, other: string): boolean {
  return new URL(one).pathname === new URL(other).pathname;
}

const found = new Map<string, Promise<Company | undefined>>();

/** The company of an address, requested once for each domain. Undefined if there is none, or if it cannot be determined now. */
export function findCompany(address: string): Promise<Company | undefined> {
  const domain = domainIn(address);
  if (domain === undefined) return Promise.resolve(undefined);
  const known = found.get(domain);
  if (known !== undefined) return known;
  const asked = gatehouse.api.sso.discover.mutate({ email: address.trim() }).then(
    ({ data }) =>
      data === null
        ? undefined
        : {
            startUrl: `${gatehouse.url}/sso/${data.key}/start`,
            name: data.name,
            isRequired: data.required,
          },
    () => {
      found.delete(domain);
      return undefined;
    },
  );
  found.set(domain, asked);
  return asked;
}

/** Goes to the page of the company. It never resolves: the browser leaves this page, so nothing on it should look finished. */
export function leaveForCompany({ startUrl }: Pick<Company, 'startUrl'>): Promise<never> {
  startCompanySignIn(startUrl, location.search);
  return new Promise<never>(() => undefined);
}
