import { AffiliateScreen } from './affiliate.js';
import { AffiliatesScreen } from './affiliates.js';

/** The screens about affiliates, which a browser loads as one file: people go from a list to its rows. */
export const affiliateScreens = { AffiliateScreen, AffiliatesScreen };
