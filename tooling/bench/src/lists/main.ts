import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { measure } from '../measure.js';
import { startTarget } from '../target.js';
import { listRequests } from './list-requests.js';
import { type SignedIn, signInAs } from './sign-in-as.js';

const { values: options } = parseArgs({
  options: {
    url: { type: 'string' },
    owner: { type: 'string' },
    staff: { type: 'string' },
    conversation: { type: 'string' },
    seconds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '8' },
  },
});

/** A service over a database that is there already; its tokens and secrets live as long as the measurement. */
function environmentOver(url: string): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    NODE_ENV: 'production',
    DATABASE_URL: url,
    JWT_SECRET_KEY: randomBytes(48).toString('base64url'),
    SESSION_SECRET: randomBytes(48).toString('base64url'),
    DATA_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    APP_URL: 'http://127.0.0.1:4000',
    BASE_URL: 'http://127.0.0.1:4000',
    LOG_LEVEL: 'warn',
  };
}

async function main(): Promise<void> {
  const { url, owner, staff, conversation } = options;
  if (!url || !owner || !staff || !conversation)
    throw new Error('--url, --owner, --staff and --conversation are needed: seed-load prints the last three');
  const settings = { seconds: Number(options.seconds), connections: Number(options.connections) };
  const target = await startTarget('gatehouse', { env: environmentOver(url) });
  try {
    const callers: SignedIn = {
      root: await signInAs(target.origin, 'root@gatehouse.test', { inAccount: false }),
      owner: await signInAs(target.origin, owner, { inAccount: true }),
      staff: await signInAs(target.origin, staff, { inAccount: false }),
    };
    const lines: string[] = [];
    for (const { name, caller, requests } of listRequests(callers, Number(options.conversation))) {
      const load = { url: target.origin, headers: caller.headers, requests };
      await measure(load, { ...settings, seconds: 1 });
      const { requestsPerSecond, p50Ms, p99Ms } = await measure(load, settings);
      lines.push(`| ${name} | ${Math.round(requestsPerSecond).toLocaleString('en')} | ${p50Ms} | ${p99Ms} |`);
      process.stderr.write(`${lines.at(-1)}\n`);
    }
    process.stdout.write(
      `| Request | Requests/s | p50 ms | p99 ms |\n|---|---:|---:|---:|\n${lines.join('\n')}\n`,
    );
  } finally {
    target.process.disconnect();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
});
