import type { Permission, Verified } from '@gatehouse/client-sdk/verify';
import express, { type RequestHandler } from 'express';
import { PORT, verifier } from './verifier.js';

/** Only for who has the permission in the selected account. Express answers the status of the error: 401, 403 or 503. */
function needs(permission: Permission): RequestHandler {
  const verify = verifier.require(permission);
  return async (request, response, next) => {
    response.locals['caller'] = await verify(request);
    next();
  };
}

const app = express();
app.get('/colleagues', needs('member.list'), (_, response) => {
  const { member, account } = response.locals['caller'] as Verified;
  response.json({ member: member.id, account: account?.id });
});
app.get('/billing', needs('billing.manage'), (_, response) => {
  response.json({ paid: true });
});
app.listen(PORT, '127.0.0.1', () => console.log(`http://127.0.0.1:${PORT}`));
