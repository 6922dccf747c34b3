import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { toNodeHandler } from 'better-auth/node';
import { createPool } from 'mysql2/promise';
import { z } from 'zod';
import { listenAndReport } from '../target.js';

/** The peer: Better Auth over the same MariaDB, with its defaults except its own rate limit. */
const auth = betterAuth({
  secret: randomBytes(32).toString('base64url'),
  baseURL: 'http://127.0.0.1',
  trustedOrigins: ['*'],
  database: createPool({
    uri: z.string().parse(process.env['DATABASE_URL']),
    connectionLimit: 10,
    timezone: 'Z',
  }),
  emailAndPassword: { enabled: true },
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
});

const { runMigrations } = await getMigrations(auth.options);
await runMigrations();
const answer = toNodeHandler(auth);
listenAndReport(createServer((request, response) => void answer(request, response)));
