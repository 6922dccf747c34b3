import { createServer } from 'node:http';
import { hashPassword, verifyPassword } from '@gatehouse/auth-core';
import { DEMONSTRATION_PASSWORD } from '@gatehouse/runtime/config/secrets';
import express from 'express';
import { listenAndReport, payloadFromParent } from '../target.js';

const payload = await payloadFromParent();
const stored = await hashPassword(DEMONSTRATION_PASSWORD);
const app = express();
app.get('/auth/me', (_request, response) => {
  response.json(payload);
});
app.post('/webauthenticate', async (_request, response) => {
  response.json({ signedIn: await verifyPassword(DEMONSTRATION_PASSWORD, stored) });
});

/** Express comparing a password for every login, without a limit, a database or a session. */
listenAndReport(createServer(app));
