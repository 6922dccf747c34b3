/**
 * Variables that make a deployment under test behave like `pnpm start`: mails are readable at `/dev/outbox`, and
 * their links lead to its own pages.
 */
export function developmentEnvironment(url = 'http://127.0.0.1:4000'): Record<string, string> {
  // No test asks a real name server.
  const names = { DNS_SERVERS: '127.0.0.1:9' };
  return { NODE_ENV: 'development', APP_URL: url, BASE_URL: url, PASSKEY_ORIGINS: '', ...names };
}
