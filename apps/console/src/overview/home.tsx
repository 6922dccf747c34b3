import { Navigate } from '@tanstack/react-router';
import { lazy, type ReactElement, Suspense } from 'react';
import { mayAsStaff, useMe } from '../session/me.js';

const Overview = lazy(async () => ({ default: (await import('./overview.js')).OverviewScreen }));

/** The overview for those who may see it, else the search for a person. */
export function HomeScreen(): ReactElement {
  if (!mayAsStaff(useMe(), 'audit.read')) return <Navigate to="/members" replace />;
  return (
    <Suspense>
      <Overview />
    </Suspense>
  );
}
