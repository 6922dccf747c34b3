import { z } from 'zod';

const order = z.object({
  url: z.string(),
  emails: z.array(z.string()),
  password: z.string(),
  count: z.number(),
});

/** Sends that many logins at once, each on its own connection, and reports each answer. */
async function storm({ url, emails, password, count }: z.infer<typeof order>): Promise<void> {
  const logins = await Promise.all(
    Array.from({ length: count }, async (_, number) => {
      const startMs = performance.now();
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: emails[number % emails.length], password }),
      });
      await response.arrayBuffer();
      return {
        status: response.status,
        retryAfter: response.headers.get('retry-after'),
        tookMs: performance.now() - startMs,
      };
    }),
  );
  process.send?.({ logins });
}

process.on('message', (message) => {
  void storm(order.parse(message));
});
process.on('disconnect', () => process.exit(0));
process.send?.({ port: 0 });
