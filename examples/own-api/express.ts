import { isAccessRefused, isUnavailable, type Permission, type Verified } from '@gatehouse/client-sdk/verify';
import express, { type ErrorRequestHandler, type RequestHandler, type Response } from 'express';
import { PORT, verifier } from './verifier.js';

/** Lets through callers who hold the permission in the selected account. */
function needs(permission: Permission): RequestHandler {
  const verify = verifier.require(permission);
  return async (request, response, next) => {
    response.locals['caller'] = await verify(request);
    next();
  };
}

/** Without it Express answers the same status with a page, and prints each refusal. */
const refusals: ErrorRequestHandler = (error, _, response, next) => {
  if (isAccessRefused(error)) response.status(error.status).json({ code: error.code });
  else if (isUnavailable(error)) response.status(503).set('Retry-After', '5').end();
  else next(error);
};

const app = express();
app.get('/colleagues', needs('member.list'), (_, response: Response<object, { caller: Verified }>) => {
  const { member, account } = response.locals.caller;
  response.json({ member: member.id, account: account?.id });
});
app.get('/billing', needs('billing.manage'), (_, response) => {
  response.json({ paid: true });
});
app.use(refusals);
app.listen(PORT, '127.0.0.1', () => console.log(`http://127.0.0.1:${PORT}`));
