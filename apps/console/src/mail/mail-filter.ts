export const MAIL_STATES = ['queued', 'sent', 'failed', 'held'] as const;
export type MailState = (typeof MAIL_STATES)[number];

/** The mails that an address names; without a state, all of them. */
export function readMailFilter({ state }: Record<string, unknown>): { readonly state?: MailState } {
  const known = MAIL_STATES.find((each) => each === state);
  return known === undefined ? {} : { state: known };
}
