/** What opens the demonstration, for everybody who has read its documents. */
export const DEMONSTRATION_PASSWORD = 'Lantern-Harbor-42';
export const DEMONSTRATION_PARTNER_SECRET = 'acme-partner-demo-secret-0123456789';

/** Each in lower case, and the beginning where that says enough. */
const PUBLISHED = [
  DEMONSTRATION_PASSWORD.toLowerCase(),
  'acme-partner-demo-secret',
  'simulated-',
  'analytical-engine-1843',
  'copper-meadow-17',
  '0123456789abcdef',
];

/** Whether a secret is, or is made of, a value that this repository shows to everybody, in base64 too. */
export function isPublishedSecret(secret: string): boolean {
  const forms = [secret, Buffer.from(secret, 'base64').toString('latin1')].map((form) => form.toLowerCase());
  return PUBLISHED.some((value) => forms.some((form) => form.includes(value)));
}
