import { deliverySearch } from '@gatehouse/ui/developers/delivery-search';
import { inLanguage } from '@gatehouse/ui/screen/screen';
import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import {
  readAccountFilters,
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
    component: lazyRouteComponent(() => import('./account/accounts.js'), 'AccountsScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/accounts/$accountId',
    component: lazyRouteComponent(() => import('./account/account.js'), 'AccountScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/accounts/$accountId/members',
    component: lazyRouteComponent(() => import('./account/people.js'), 'PeopleScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/accounts/$accountId/billing',
    component: lazyRouteComponent(() => import('./account/account-billing.js'), 'BillingScreen'),
  }),
] as const;

/** The screens about affiliates. */
const affiliateRoutes = [
  createRoute({
    getParentRoute,
    path: '/affiliates',
    validateSearch: readSearched,
    component: lazyRouteComponent(() => import('./affiliates/affiliates.js'), 'AffiliatesScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/affiliates/$memberId',
    component: lazyRouteComponent(() => import('./affiliates/affiliate.js'), 'AffiliateScreen'),
  }),
] as const;

/** The screens about what happened. */
const auditRoutes = [
  createRoute({
    getParentRoute,
    path: '/audit',
    validateSearch: readAuditFilters,
    component: lazyRouteComponent(() => import('./audit/audit.js'), 'AuditScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/members/$memberId/trail',
    validateSearch: readTrailFilter,
    component: lazyRouteComponent(() => import('./audit/trail.js'), 'TrailScreen'),
  }),
] as const;

/** Bulk actions and their results. */
const bulkRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/bulk',
  component: lazyRouteComponent(() => import('./bulk/bulk.js'), 'BulkScreen'),
});

const deletedRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/deleted',
  validateSearch: readDeletedFilter,
  component: lazyRouteComponent(() => import('./deletion/deleted.js'), 'DeletedScreen'),
});

/** The screens about programs. */
const developerRoutes = [
  createRoute({
    getParentRoute,
    path: '/developers',
    component: lazyRouteComponent(() => import('./developers/keys.js'), 'KeysScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/developers/endpoints',
    component: lazyRouteComponent(() => import('./developers/endpoints.js'), 'EndpointsScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/developers/endpoints/$endpointId',
    validateSearch: deliverySearch,
    component: lazyRouteComponent(() => import('./developers/endpoint.js'), 'EndpointScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/developers/applications',
    component: lazyRouteComponent(() => import('./developers/applications.js'), 'ApplicationsScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/developers/applications/$applicationId',
    component: lazyRouteComponent(() => import('./developers/application.js'), 'ApplicationScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/developers/apis',
    component: lazyRouteComponent(() => import('./developers/resources.js'), 'ResourcesScreen'),
  }),
] as const;

/** Why a person cannot sign in. */
const helpRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/help',
  validateSearch: ({ who }: Record<string, unknown>): { readonly who?: string } =>
    typeof who === 'string' || typeof who === 'number' ? { who: String(who) } : {},
  component: lazyRouteComponent(() => import('./help/help.js'), 'HelpScreen'),
});

const mailRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/mail',
  validateSearch: readMailFilter,
  component: lazyRouteComponent(() => import('./mail/mail.js'), 'MailScreen'),
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
    component: lazyRouteComponent(() => import('./member/member.js'), 'MemberScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/members/$memberId/sessions',
    component: lazyRouteComponent(() => import('./member/member-sessions.js'), 'SessionsScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/members/$memberId/mail',
    component: lazyRouteComponent(() => import('./member/member-mail.js'), 'MemberMailScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/members/$memberId/edit',
    component: lazyRouteComponent(() => import('./member/edit-member.js'), 'EditScreen'),
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
  component: lazyRouteComponent(() => import('./overview/home.js'), 'HomeScreen'),
});

/** The screens about partners. */
const partnerRoutes = [
  createRoute({
    getParentRoute,
    path: '/partners',
    component: lazyRouteComponent(() => import('./partners/partners.js'), 'PartnersScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/partners/new',
    component: lazyRouteComponent(() => import('./partners/new-partner.js'), 'NewPartnerScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/partners/$partnerId',
    component: lazyRouteComponent(() => import('./partners/partner.js'), 'PartnerScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/partners/$partnerId/endpoints',
    component: lazyRouteComponent(() => import('./partners/partner-endpoints.js'), 'PartnerEndpointsScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/partners/$partnerId/endpoints/$endpointId',
    validateSearch: deliverySearch,
    component: lazyRouteComponent(() => import('./partners/partner-endpoints.js'), 'PartnerEndpointScreen'),
  }),
] as const;

/** The screens about colleagues, and about oneself. */
const staffRoutes = [
  createRoute({
    getParentRoute,
    path: '/staff',
    validateSearch: readSearched,
    component: lazyRouteComponent(() => import('./staff/staff.js'), 'StaffScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/staff/new',
    component: lazyRouteComponent(() => import('./staff/new-colleague.js'), 'NewColleagueScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/staff/$personnelId',
    component: lazyRouteComponent(() => import('./staff/colleague.js'), 'ColleagueScreen'),
  }),
] as const;

const webhookRoutes = [
  createRoute({
    getParentRoute,
    path: '/webhooks',
    validateSearch: readWebhookFilter,
    component: lazyRouteComponent(() => import('./webhooks/webhooks.js'), 'WebhooksScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/webhooks/$webhookId',
    component: lazyRouteComponent(() => import('./webhooks/webhook.js'), 'WebhookScreen'),
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
      deletedRoute,
      ...staffRoutes,
      ...partnerRoutes,
      ...developerRoutes,
      ...webhookRoutes,
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
