import { initTRPC } from '@trpc/server';
import { createHTTPServer } from '@trpc/server/adapters/standalone';
import { listenAndReport, payloadFromParent } from '../target.js';

const payload = await payloadFromParent();
const t = initTRPC.create();
const router = t.router({ session: { me: t.procedure.query(() => payload) } });

listenAndReport(createHTTPServer({ router, basePath: '/trpc/' }));
