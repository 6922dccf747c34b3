import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { frameRoute } from '../frame-route.js';

const getParentRoute = () => frameRoute;

/** The screens about one member. */
export const memberRoutes = [
  createRoute({
    getParentRoute,
    path: '/members/$memberId',
    component: lazyRouteComponent(() => import('./member.js'), 'MemberScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/members/$memberId/sessions',
    component: lazyRouteComponent(() => import('./sessions.js'), 'SessionsScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/members/$memberId/mail',
    component: lazyRouteComponent(() => import('./member-mail.js'), 'MemberMailScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/members/$memberId/edit',
    component: lazyRouteComponent(() => import('./edit.js'), 'EditScreen'),
  }),
] as const;
