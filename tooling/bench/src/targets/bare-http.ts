import { createServer } from 'node:http';
import { listenAndReport, payloadFromParent } from '../target.js';

const body = JSON.stringify(await payloadFromParent());

listenAndReport(
  createServer((_request, response) => {
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.end(body);
  }),
);
