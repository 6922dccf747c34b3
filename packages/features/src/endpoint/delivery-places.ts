/** How many attempts a node makes at once to one endpoint. */
const PLACES_PER_ENDPOINT = 8;

/** How many to one that keeps failing. */
const PLACES_PER_FAILING_ENDPOINT = 1;

const FAILING_AFTER = 5;

/** How many to one host. */
const PLACES_PER_HOST = 32;

const PLACES_PER_NODE = 256;

/** The places that one endpoint holds on a node while it is served. */
export interface Places {
  readonly host: string;
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

/** How many more places an endpoint of a host may take. */
export function freePlaces(held: Iterable<Places>, host: string): number {
  let ofNode = PLACES_PER_NODE;
  let ofHost = PLACES_PER_HOST;
  for (const each of held) {
    ofNode -= each.places;
    if (each.host === host) ofHost -= each.places;
  }
  return Math.min(ofHost, ofNode);
}
