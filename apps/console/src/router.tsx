import { deliverySearch } from '@gatehouse/ui/developers/delivery-search';
import { inLanguage } from '@gatehouse/ui/screen/screen';
import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import {
  readAccountFilters,
  readConnectionFilters,
  readDeletedFilter,
  readMailFilter,
  readSearched,
  readSpan,
  readTrailFilter,
  readWebhookFilter,
} from './address-filters.js';
import { readAuditFilters } from './audit/audit-filters.js';
import { askAhead } from './session/me.js';
import { Frame } from './shell/frame.js';
import { LostScreen } from './shell/lost-screen.js';
import { readFilters } from './shell/member-filters.js';

// The screens of a folder are one file.
const accountScreens = () => import('./account/account-screens.js').then((loaded) => loaded.accountScreens);
const affiliateScreens = () =>
  import('./affiliates/affiliate-screens.js').then((loaded) => loaded.affiliateScreens);
const auditScreens = () => import('./audit/audit-screens.js').then((loaded) => loaded.auditScreens);
const developerScreens = () =>
  import('./developers/developer-screens.js').then((loaded) => loaded.developerScreens);
const memberScreens = () => import('./member/member-screens.js').then((loaded) => loaded.memberScreens);
const partnerScreens = () => import('./partners/partner-screens.js').then((loaded) => loaded.partnerScreens);
const singleSignOnScreens = () =>
  import('./single-sign-on/single-sign-on-screens.js').then((loaded) => loaded.singleSignOnScreens);
const staffScreens = () => import('./staff/staff-screens.js').then((loaded) => loaded.staffScreens);
const supportScreens = () => import('./help/support-screens.js').then((loaded) => loaded.supportScreens);
const webhookScreens = () => import('./webhooks/webhook-screens.js').then((loaded) => loaded.webhookScreens);

const rootRoute = createRootRoute();

/** The screens for people who are signed in. */
const frameRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'frame',
  component: inLanguage(Frame),
  beforeLoad: askAhead,
});

const getParentRoute = () => frameRoute;

/** The screens about accounts. */
const accountRoutes = [
  createRoute({
    getParentRoute,
    path: '/accounts',
    validateSearch: readAccountFilters,
    component: lazyRouteComponent(accountScreens, 'AccountsScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/accounts/$accountId',
    component: lazyRouteComponent(accountScreens, 'AccountScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/accounts/$accountId/members',
    component: lazyRouteComponent(accountScreens, 'PeopleScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/accounts/$accountId/billing',
    component: lazyRouteComponent(accountScreens, 'BillingScreen'),
  }),
] as const;

/** The screens about affiliates. */
const affiliateRoutes = [
  createRoute({
    getParentRoute,
    path: '/affiliates',
    validateSearch: readSearched,
    component: lazyRouteComponent(affiliateScreens, 'AffiliatesScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/affiliates/$memberId',
    component: lazyRouteComponent(affiliateScreens, 'AffiliateScreen'),
  }),
] as const;

/** The screens about what happened. */
const auditRoutes = [
  createRoute({
    getParentRoute,
    path: '/audit',
    validateSearch: readAuditFilters,
    component: lazyRouteComponent(auditScreens, 'AuditScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/members/$memberId/trail',
    validateSearch: readTrailFilter,
    component: lazyRouteComponent(auditScreens, 'TrailScreen'),
  }),
] as const;

/** Bulk actions and their results. */
const bulkRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/bulk',
  component: lazyRouteComponent(supportScreens, 'BulkScreen'),
});

const connectionsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/single-sign-on',
  validateSearch: readConnectionFilters,
  component: lazyRouteComponent(singleSignOnScreens, 'ConnectionsScreen'),
});

const staffConnectionsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/single-sign-on/staff',
  validateSearch: ({ test }: Record<string, unknown>): { readonly test?: number } =>
    typeof test === 'number' ? { test } : {},
  component: lazyRouteComponent(singleSignOnScreens, 'StaffConnectionsScreen'),
});

const deletedRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/deleted',
  validateSearch: readDeletedFilter,
  component: lazyRouteComponent(supportScreens, 'DeletedScreen'),
});

/** The screens about programs. */
const developerRoutes = [
  createRoute({
    getParentRoute,
    path: '/developers',
    component: lazyRouteComponent(developerScreens, 'KeysScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/developers/endpoints',
    component: lazyRouteComponent(developerScreens, 'EndpointsScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/developers/endpoints/$endpointId',
    validateSearch: deliverySearch,
    component: lazyRouteComponent(developerScreens, 'EndpointScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/developers/applications',
    component: lazyRouteComponent(developerScreens, 'ApplicationsScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/developers/applications/$applicationId',
    component: lazyRouteComponent(developerScreens, 'ApplicationScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/developers/apis',
    component: lazyRouteComponent(developerScreens, 'ResourcesScreen'),
  }),
] as const;

/** Why a person cannot sign in. */
const helpRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/help',
  validateSearch: ({ who }: Record<string, unknown>): { readonly who?: string } =>
    typeof who === 'string' || typeof who === 'number' ? { who: String(who) } : {},
  component: lazyRouteComponent(supportScreens, 'HelpScreen'),
});

const mailRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/mail',
  validateSearch: readMailFilter,
  component: lazyRouteComponent(supportScreens, 'MailScreen'),
});

const meRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/me',
  component: lazyRouteComponent(() => import('./me/own.js'), 'OwnScreen'),
});

/** The screens about one member. */
const memberRoutes = [
  createRoute({
    getParentRoute,
    path: '/members/$memberId',
    component: lazyRouteComponent(memberScreens, 'MemberScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/members/$memberId/sessions',
    component: lazyRouteComponent(memberScreens, 'SessionsScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/members/$memberId/mail',
    component: lazyRouteComponent(memberScreens, 'MemberMailScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/members/$memberId/edit',
    component: lazyRouteComponent(memberScreens, 'EditScreen'),
  }),
] as const;

const membersRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/members',
  validateSearch: readFilters,
  component: lazyRouteComponent(() => import('./members/members.js'), 'MembersScreen'),
});

/** The first screen after signing in. */
const homeRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/',
  validateSearch: readSpan,
  component: lazyRouteComponent(() => import('./overview/overview-or-search.js'), 'OverviewOrSearch'),
});

/** The screens about partners. */
const partnerRoutes = [
  createRoute({
    getParentRoute,
    path: '/partners',
    component: lazyRouteComponent(partnerScreens, 'PartnersScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/partners/new',
    component: lazyRouteComponent(partnerScreens, 'NewPartnerScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/partners/$partnerId',
    component: lazyRouteComponent(partnerScreens, 'PartnerScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/partners/$partnerId/endpoints',
    component: lazyRouteComponent(partnerScreens, 'PartnerEndpointsScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/partners/$partnerId/endpoints/$endpointId',
    validateSearch: deliverySearch,
    component: lazyRouteComponent(partnerScreens, 'PartnerEndpointScreen'),
  }),
] as const;

/** The screens about colleagues, and about oneself. */
const staffRoutes = [
  createRoute({
    getParentRoute,
    path: '/staff',
    validateSearch: readSearched,
    component: lazyRouteComponent(staffScreens, 'StaffScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/staff/new',
    component: lazyRouteComponent(staffScreens, 'NewColleagueScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/staff/$personnelId',
    component: lazyRouteComponent(staffScreens, 'ColleagueScreen'),
  }),
] as const;

const webhookRoutes = [
  createRoute({
    getParentRoute,
    path: '/webhooks',
    validateSearch: readWebhookFilter,
    component: lazyRouteComponent(webhookScreens, 'WebhooksScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/webhooks/$webhookId',
    component: lazyRouteComponent(webhookScreens, 'WebhookScreen'),
  }),
] as const;

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  component: lazyRouteComponent(() => import('./sign-in/sign-in.js'), 'SignInScreen'),
});

const enrolRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/enrol',
  component: lazyRouteComponent(() => import('./enrol/enrol.js'), 'EnrolScreen'),
});

/** Any other address, within the frame, so that the navigation leads on. */
const lostRoute = createRoute({ getParentRoute, path: '$', component: LostScreen });

/** Every screen. Each is loaded when it is opened. */
export const router = createRouter({
  routeTree: rootRoute.addChildren([
    signInRoute,
    enrolRoute,
    frameRoute.addChildren([
      homeRoute,
      membersRoute,
      ...memberRoutes,
      ...accountRoutes,
      ...auditRoutes,
      mailRoute,
      connectionsRoute,
      staffConnectionsRoute,
      deletedRoute,
      ...staffRoutes,
      ...partnerRoutes,
      ...developerRoutes,
      ...webhookRoutes,
      ...affiliateRoutes,
      meRoute,
      bulkRoute,
      helpRoute,
      lostRoute,
    ]),
  ]),
  basepath: '/console',
  defaultPreload: 'intent',
  scrollRestoration: true,
  caseSensitive: false,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
