const FORMAT = new Intl.DateTimeFormat('de-DE', { dateStyle: 'long', timeStyle: 'medium', timeZone: 'UTC' });

/** A time in German mails: `5. Januar 2026 um 09:30:00 Uhr (UTC)`. */
export function germanTime(atMs: number): string {
  return `${FORMAT.format(atMs)} Uhr (UTC)`;
}
