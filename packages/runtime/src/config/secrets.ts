import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

interface HeldSecret {
  readonly name: string;
  readonly values: readonly string[];
}

/** Pairs of variables with the same secret. A key is not compared with its previous value. */
export function equalSecrets(held: readonly HeldSecret[]): [string, string][] {
  return held.flatMap(({ name, values }, position) =>
    held
      .slice(position + 1)
      .filter((other) => familyOf(other.name) !== familyOf(name))
      .filter((other) => other.values.some((value) => values.includes(value)))
      .map((other): [string, string] => [name, other.name]),
  );
}

function familyOf(name: string): string {
  return name.replace(/_PREVIOUS$/, '');
}

/** Secrets of the demonstration, which are public in its documents. */
export const DEMONSTRATION_PASSWORD = 'Lantern-Harbor-42';

export const DEMONSTRATION_PARTNER_SECRET = 'acme-partner-demo-secret-0123456789';

/** The key of the demonstration's machine. */
export const DEMONSTRATION_API_KEY = 'gthk_DemonstrationKeyOfTheNightlyRepor4enA8R';

/** The secret of the demonstration's endpoint for events: `whsec_` and 32 bytes in base64. */
export const DEMONSTRATION_EVENT_SECRET = `whsec_${Buffer.from('the-endpoint-of-the-demonstratio').toString('base64')}`;

/** In lower case. A prefix is enough if no other value begins like it. */
const PUBLISHED = [
  DEMONSTRATION_PASSWORD.toLowerCase(),
  'acme-partner-demo-secret',
  'gthk_demonstration',
  DEMONSTRATION_EVENT_SECRET.toLowerCase().slice('whsec_'.length, 26),
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

const fileShape = z.record(z.string(), z.string());

const webhookSecret = () => `whsec_${randomBytes(24).toString('base64url')}`;

const MAKERS: Readonly<Record<string, () => string>> = {
  JWT_SECRET_KEY: () => randomBytes(48).toString('base64url'),
  SESSION_SECRET: () => randomBytes(48).toString('base64url'),
  DATA_ENCRYPTION_KEY: () => randomBytes(32).toString('base64'),
  STRIPE_WEBHOOK_SECRET: webhookSecret,
  PADDLE_SANDBOX_WEBHOOK_SECRET: webhookSecret,
  PADDLE_PRODUCTION_WEBHOOK_SECRET: webhookSecret,
  PADDLE_ADMIN_WEBHOOK_SECRET: webhookSecret,
};

/**
 * For development only: fills in missing secrets. They are created once and stored in a file under
 * `directory` that only its owner can read.
 */
export function withDevelopmentSecrets(
  env: Readonly<Record<string, string | undefined>>,
  directory: string,
): Record<string, string | undefined> {
  const path = join(directory, 'development-secrets.json');
  const kept = readKept(path);
  // A file of an earlier version, or a copy, may be readable by others.
  if (Object.keys(kept).length > 0) chmodSync(path, 0o600);
  const missing = Object.entries(MAKERS).filter(([name]) => !env[name] && !kept[name]);
  if (missing.length > 0) {
    for (const [name, make] of missing) kept[name] = make();
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    writeFileSync(path, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 });
  }
  return { ...kept, ...Object.fromEntries(Object.entries(env).filter(([, value]) => value)) };
}

function readKept(path: string): Record<string, string> {
  try {
    return fileShape.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw error;
  }
}
