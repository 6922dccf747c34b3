import { NewPartnerScreen } from './new-partner.js';
import { PartnerScreen } from './partner.js';
import { PartnerEndpointScreen, PartnerEndpointsScreen } from './partner-endpoints.js';
import { PartnersScreen } from './partners.js';

/** The screens about partners, which a browser loads as one file: people go from a list to its rows. */
export const partnerScreens = {
  NewPartnerScreen,
  PartnerEndpointScreen,
  PartnerEndpointsScreen,
  PartnerScreen,
  PartnersScreen,
};
