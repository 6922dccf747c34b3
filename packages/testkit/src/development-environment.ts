/**
 * Variables that make a deployment under test behave as `pnpm start` does: mails stay readable at `/dev/outbox`, and
 * the pages they lead to are its own.
 */
export function developmentEnvironment(url = 'http://127.0.0.1:4000'): Record<string, string> {
  return { NODE_ENV: 'development', APP_URL: url, BASE_URL: url };
}
