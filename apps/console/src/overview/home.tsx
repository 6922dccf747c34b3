import { Navigate } from '@tanstack/react-router';
import { lazy, type ReactElement, Suspense } from 'react';
import { mayAsStaff, useMe } from '../session/me.js';

const Overview = lazy(async () => ({ default: (await import('./overview.js')).OverviewScreen }));

/** How the service does, for those who may know; everybody else begins with looking for somebody. */
export function HomeScreen(): ReactElement {
  if (!mayAsStaff(useMe(), 'audit.read')) return <Navigate to="/members" replace />;
  return (
    <Suspense>
      <Overview />
    </Suspense>
  );
}
