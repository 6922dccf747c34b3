/** How many attempts a node makes at once to one endpoint. */
const PLACES_PER_ENDPOINT = 8;

/** How many to one that keeps failing. */
const PLACES_PER_FAILING_ENDPOINT = 1;

const FAILING_AFTER = 5;

/** How many to one host. */
const PLACES_PER_HOST = 32;

const PLACES_PER_NODE = 256;

/** The part of the places of a node, and of a host, that endpoints that were slow lately may hold: others never wait for them. */
const PART_OF_SLOW = 0.5;

/** An endpoint that a node serves. */
export interface Served {
  readonly host: string;
  readonly isSlow: boolean;
}

/** The places that one endpoint holds on a node while it is served. */
export interface Places extends Served {
  readonly places: number;
}

/** The host that shares places: one name on all ports, with or without the dot of the root. */
export function hostOf(url: string): string {
  return new URL(url).hostname.replace(/\.$/, '');
}

/**
 * Whether an endpoint with this many failures since its last success gets one event after the other, to see whether it accepts
 * one.
 */
export const isFailing = (failures: number): boolean => failures >= FAILING_AFTER;

/** How many deliveries may be under way at once to an endpoint with this many failures since its last success. */
export const placesOf = (failures: number): number =>
  isFailing(failures) ? PLACES_PER_FAILING_ENDPOINT : PLACES_PER_ENDPOINT;

/** How many more places an endpoint may take. */
export function freePlaces(held: Iterable<Places>, { host, isSlow }: Served): number {
  let ofNode = PLACES_PER_NODE;
  let ofHost = PLACES_PER_HOST;
  let slowOfNode = PLACES_PER_NODE * PART_OF_SLOW;
  let slowOfHost = PLACES_PER_HOST * PART_OF_SLOW;
  for (const each of held) {
    const atHost = each.host === host ? each.places : 0;
    ofNode -= each.places;
    ofHost -= atHost;
    if (!each.isSlow) continue;
    slowOfNode -= each.places;
    slowOfHost -= atHost;
  }
  const free = Math.min(ofHost, ofNode);
  return isSlow ? Math.min(free, slowOfHost, slowOfNode) : free;
}
