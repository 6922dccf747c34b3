import { loginFrom } from './login-from.js';

/**
 * Sends logins all at once, each from another address, from a separate process, and returns the answer to
 * each.
 */
async function sendLogins({ url, emails, password }: LoginStorm): Promise<void> {
  const answers = await Promise.all(
    emails.map(async (email, index) => {
      const startedMs = performance.now();
      const address = `127.0.${8 + Math.floor(index / 200)}.${(index % 200) + 1}`;
      const { status, headers } = await loginFrom({ url }, address, { email, password });
      const retryAfter = Number(headers['retry-after'] ?? 0);
      return { status, retryAfter, tookMs: performance.now() - startedMs };
    }),
  );
  process.send?.(answers);
}

export interface LoginStorm {
  readonly url: string;
  readonly emails: readonly string[];
  readonly password: string;
}

export interface StormAnswer {
  readonly status: number;
  readonly retryAfter: number;
  readonly tookMs: number;
}

process.once('message', (storm) => {
  void sendLogins(storm as LoginStorm);
});
