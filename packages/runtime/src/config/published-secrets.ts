/** Secrets of the demonstration, which are public in its documents. */
export const DEMONSTRATION_PASSWORD = 'Lantern-Harbor-42';
export const DEMONSTRATION_PARTNER_SECRET = 'acme-partner-demo-secret-0123456789';

/** In lower case. A prefix is enough if no other value begins like it. */
const PUBLISHED = [
  DEMONSTRATION_PASSWORD.toLowerCase(),
  'acme-partner-demo-secret',
  'simulated-',
  'analytical-engine-1843',
  'copper-meadow-17',
  'first-compiler-1952',
  '0123456789abcdef',
];

/** Whether a secret is, or contains, a value published in this repository, in plain text or base64. */
export function isPublishedSecret(secret: string): boolean {
  const forms = [secret, Buffer.from(secret, 'base64').toString('latin1')].map((form) => form.toLowerCase());
  return PUBLISHED.some((value) => forms.some((form) => form.includes(value)));
}
