export const WEBHOOK_STATUSES = ['failed', 'received', 'processed', 'ignored', 'rejected'] as const;
export type WebhookStatus = (typeof WEBHOOK_STATUSES)[number];

/** The deliveries that an address names; without a status, all of them. */
export function readWebhookFilter({ status }: Record<string, unknown>): { readonly status?: WebhookStatus } {
  const known = WEBHOOK_STATUSES.find((each) => each === status);
  return known === undefined ? {} : { status: known };
}
