import { ApplicationScreen } from './application.js';
import { ApplicationsScreen } from './applications.js';
import { EndpointScreen } from './endpoint.js';
import { EndpointsScreen } from './endpoints.js';
import { KeysScreen } from './keys.js';
import { ResourcesScreen } from './resources.js';

/** The screens about programs, which a browser loads as one file: people go from a list to its rows. */
export const developerScreens = {
  ApplicationScreen,
  ApplicationsScreen,
  EndpointScreen,
  EndpointsScreen,
  KeysScreen,
  ResourcesScreen,
};
