import { createVerifier, isAccessRefused, isUnavailable, type Verified } from '@gatehouse/client-sdk/verify';
import { GATEHOUSE_URL } from '../../../gatehouse';

const verifier = createVerifier({ url: GATEHOUSE_URL });

/** A route handler for callers with `member.list` in the selected account, by their cookie or by a token in the request. */
function withCaller(handle: (caller: Verified) => Response): (request: Request) => Promise<Response> {
  const verify = verifier.require('member.list');
  return async (request) => {
    try {
      return handle(await verify(request));
    } catch (error) {
      if (isAccessRefused(error)) return Response.json({ code: error.code }, { status: error.status });
      if (isUnavailable(error)) return Response.json({ code: 'unavailable' }, { status: 503 });
      throw error;
    }
  };
}

export const GET = withCaller(({ member, account }) =>
  Response.json({ member: member.id, account: account?.id }),
);
