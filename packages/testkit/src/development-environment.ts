/**
 * Variables that make a deployment under test behave like `pnpm start`: mails are readable at `/dev/outbox`, and
 * their links lead to its own pages.
 */
export function developmentEnvironment(url = 'http://127.0.0.1:4000'): Record<string, string> {
  return { NODE_ENV: 'development', APP_URL: url, BASE_URL: url, PASSKEY_ORIGINS: '' };
}
