import type { Permission, Verified } from '@gatehouse/client-sdk/verify';
import fastify, { type FastifyRequest } from 'fastify';
import { PORT, verifier } from './verifier.js';

declare module 'fastify' {
  interface FastifyRequest {
    caller?: Verified;
  }
}

/** Lets in only callers with the permission in the selected account. Fastify answers the status of the error: 401, 403 or 503. */
function needs(permission: Permission) {
  const verify = verifier.require(permission);
  return {
    onRequest: async (request: FastifyRequest) => {
      request.caller = await verify(request);
    },
  };
}

const app = fastify();
app.get('/colleagues', needs('member.list'), async ({ caller }) => ({
  member: caller?.member.id,
  account: caller?.account?.id,
}));
app.get('/billing', needs('billing.manage'), async () => ({ paid: true }));
await app.listen({ port: PORT, host: '127.0.0.1' });
console.log(`http://127.0.0.1:${PORT}`);
