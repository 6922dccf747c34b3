import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { frameRoute } from '../frame-route.js';
import { readAuditFilters } from './audit-filters.js';
import { readTrailFilter } from './trail-filter.js';

const getParentRoute = () => frameRoute;

/** The screens about what happened. */
export const auditRoutes = [
  createRoute({
    getParentRoute,
    path: '/audit',
    validateSearch: readAuditFilters,
    component: lazyRouteComponent(() => import('./audit.js'), 'AuditScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/members/$memberId/trail',
    validateSearch: readTrailFilter,
    component: lazyRouteComponent(() => import('./trail.js'), 'TrailScreen'),
  }),
] as const;
