import { isAccessRefused, isUnavailable, type Permission, type Verified } from '@gatehouse/client-sdk/verify';
import { serve } from '@hono/node-server';
import { Hono, type MiddlewareHandler } from 'hono';
import { PORT, verifier } from './verifier.js';

interface Env {
  Variables: { caller: Verified };
}

/** Lets in only callers with the permission in the selected account. */
function needs(permission: Permission): MiddlewareHandler<Env> {
  const verify = verifier.require(permission);
  return async (context, next) => {
    context.set('caller', await verify(context.req.raw));
    await next();
  };
}

const app = new Hono<Env>();
app.onError((error, context) => {
  if (isAccessRefused(error)) return context.json({ code: error.code }, error.status);
  return context.json({ code: 'error' }, isUnavailable(error) ? 503 : 500);
});
app.get('/colleagues', needs('member.list'), (context) => {
  const { member, account } = context.get('caller');
  return context.json({ member: member.id, account: account?.id });
});
app.get('/billing', needs('billing.manage'), (context) => context.json({ paid: true }));
serve({ fetch: app.fetch, port: PORT, hostname: '127.0.0.1' }, () => console.log(`http://127.0.0.1:${PORT}`));
