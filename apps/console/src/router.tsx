import { createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { accountRoutes } from './account/account-routes.js';
import { affiliateRoutes } from './affiliates/affiliate-routes.js';
import { auditRoutes } from './audit/audit-routes.js';
import { bulkRoute } from './bulk/bulk-route.js';
import { deletedRoute } from './deletion/deleted-route.js';
import { frameRoute, rootRoute } from './frame-route.js';
import { helpRoute } from './help/help-route.js';
import { mailRoute } from './mail/mail-route.js';
import { meRoute } from './me/me-route.js';
import { memberRoutes } from './member/member-routes.js';
import { membersRoute } from './members/members-route.js';
import { homeRoute } from './overview/home-route.js';
import { partnerRoutes } from './partners/partner-routes.js';
import { LostScreen } from './shell/lost-screen.js';
import { staffRoutes } from './staff/staff-routes.js';
import { webhooksRoute } from './webhooks/webhooks-route.js';

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  component: lazyRouteComponent(() => import('./sign-in/sign-in.js'), 'SignInScreen'),
});

/** Every screen. Each is loaded when it is opened. */
export const router = createRouter({
  routeTree: rootRoute.addChildren([
    signInRoute,
    frameRoute.addChildren([
      homeRoute,
      membersRoute,
      ...memberRoutes,
      ...accountRoutes,
      ...auditRoutes,
      mailRoute,
      deletedRoute,
      ...staffRoutes,
      ...partnerRoutes,
      webhooksRoute,
      ...affiliateRoutes,
      meRoute,
      bulkRoute,
      helpRoute,
    ]),
  ]),
  basepath: '/console',
  defaultPreload: 'intent',
  scrollRestoration: true,
  caseSensitive: false,
  defaultNotFoundComponent: LostScreen,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
