/** How far the clocks of two honest systems differ. */
export const SKEW_MS = 60_000;

/** A moment in UTC, as SAML writes it, in milliseconds; undefined for anything else. */
export function readSamlTime(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/.test(text)) return undefined;
  const ms = Date.parse(text.replace(/(\.\d{3})\d+Z$/, '$1Z'));
  return Number.isNaN(ms) ? undefined : ms;
}
