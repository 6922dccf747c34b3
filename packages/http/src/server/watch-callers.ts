import type { Logger } from '@gatehouse/runtime/log/log';

/** Requests that are compared with each other. */
const WINDOW = 100;
/** After this many requests without a finding, callers are assumed to have their own addresses, and the watch ends. */
const MAX_WINDOWS = 20;
/** Signs that several people call. One of them may be a person with two accounts, or one who forges headers. */
const LEAST_MEMBERS = 5;
const LEAST_CLAIMS = 5;

/** One request, apart from health checks and scrapes. */
export interface SeenRequest {
  /** The caller's address, by which the limits are counted. */
  readonly address: string;
  /** Who connected to the service. */
  readonly peer: string | undefined;
  readonly forwardedFor: string | undefined;
  readonly memberId: number | undefined;
}

/**
 * Watches the first requests after a start for a proxy that is not trusted: several people call, and all of them have one address. Warns
 * once, and ends.
 */
export interface CallerWatch {
  readonly isOpen: boolean;
  see(request: SeenRequest): void;
}

/** See `CallerWatch`. */
export function watchCallers(log: Pick<Logger, 'warning'>): CallerWatch {
  const addresses = new Set<string>();
  const claims = new Set<string>();
  const members = new Set<number>();
  let seen = 0;
  let windows = 0;
  let isOpen = true;

  function conclude(): void {
    const [address = ''] = addresses;
    const areSeveral = members.size >= LEAST_MEMBERS || claims.size >= LEAST_CLAIMS;
    if (addresses.size === 1 && areSeveral) {
      isOpen = false;
      log.warning('proxy.untrusted', {
        count: seen,
        detail: `All of the last ${seen} requests have the address ${address}. If that is a proxy, all callers behind it share one address and its limits: name it in TRUSTED_PROXIES, or let the balancer behind it trust it (TRUSTED_FRONTS).`,
      });
    }
    windows += 1;
    isOpen &&= windows < MAX_WINDOWS;
    for (const set of [addresses, claims, members]) set.clear();
    seen = 0;
  }

  return {
    get isOpen() {
      return isOpen;
    },
    see({ address, peer, forwardedFor, memberId }) {
      if (!isOpen) return;
      seen += 1;
      addresses.add(address);
      // What a trusted proxy wrote is already in the address.
      const isPeer = peer === address || peer === `::ffff:${address}`;
      if (forwardedFor !== undefined && isPeer) claims.add(forwardedFor);
      if (memberId !== undefined) members.add(memberId);
      if (seen === WINDOW) conclude();
    },
  };
}
