import { createServer } from 'node:http';
import express from 'express';
import { listenAndReport, payloadFromParent } from '../target.js';

const payload = await payloadFromParent();
const app = express();
app.get('/auth/me', (_request, response) => {
  response.json(payload);
});

listenAndReport(createServer(app));
