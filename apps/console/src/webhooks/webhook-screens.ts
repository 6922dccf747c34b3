import { WebhookScreen } from './webhook.js';
import { WebhooksScreen } from './webhooks.js';

/** The screens about payments and webhooks, which a browser loads as one file: people go from a list to its rows. */
export const webhookScreens = { WebhookScreen, WebhooksScreen };
