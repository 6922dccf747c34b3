import { ConnectionsScreen } from './connections.js';
import { StaffConnectionsScreen } from './staff-connections.js';

export const singleSignOnScreens = { ConnectionsScreen, StaffConnectionsScreen };
