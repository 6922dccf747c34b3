const STATES = ['pending', 'delivered', 'failed', 'skipped'] as const;

export type DeliveryState = (typeof STATES)[number];

/** A state of deliveries; undefined for other texts. */
export const deliveryStateOf = (text: unknown): DeliveryState | undefined =>
  STATES.find((state) => state === text);

/** The filter of the shown deliveries. */
export interface DeliverySearch {
  readonly state?: DeliveryState;
  readonly type?: string;
}

/** The filter in an address. */
export function deliverySearch({ state, type }: Record<string, unknown>): DeliverySearch {
  const known = deliveryStateOf(state);
  return {
    ...(known === undefined ? {} : { state: known }),
    ...(typeof type === 'string' && type !== '' ? { type } : {}),
  };
}
