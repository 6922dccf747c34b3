import { Navigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { mayAsStaff, useMe } from '../session/me.js';
import { OverviewScreen } from './overview.js';

/** The overview for those who may see it, else the search for a person. */
export function OverviewOrSearch(): ReactElement {
  return mayAsStaff(useMe(), 'audit.read') ? <OverviewScreen /> : <Navigate to="/members" replace />;
}
