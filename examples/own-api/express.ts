import type { Permission, Verified } from '@gatehouse/client-sdk/verify';
import express, { type RequestHandler, type Response } from 'express';
import { PORT, verifier } from './verifier.js';

/** Lets through callers who hold the permission in the selected account; Express answers others with the error's status. */
function needs(permission: Permission): RequestHandler {
  const verify = verifier.require(permission);
  return async (request, response, next) => {
    response.locals['caller'] = await verify(request);
    next();
  };
}

const app = express();
app.get('/colleagues', needs('member.list'), (_, response: Response<object, { caller: Verified }>) => {
  const { member, account } = response.locals.caller;
  response.json({ member: member.id, account: account?.id });
});
app.get('/billing', needs('billing.manage'), (_, response) => {
  response.json({ paid: true });
});
app.listen(PORT, '127.0.0.1', () => console.log(`http://127.0.0.1:${PORT}`));
