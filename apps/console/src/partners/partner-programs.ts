import type { Programs } from '@gatehouse/ui/developers/programs';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { gatehouse } from '../client.js';

/** The calls about the endpoints of a partner, as the screens that all endpoints share make them. */
export function programsOfPartner(partnerId: number): Programs {
  const { event, key, machine, partnerEvent } = gatehouse.api;
  return {
    key: ['partner endpoints', partnerId],
    isPartner: true,
    proving: withReauth,
    api: {
      event,
      key,
      machine,
      eventEndpoint: {
        list: { query: (_, options) => partnerEvent.listEndpoints.query({ partnerId }, options) },
        save: {
          mutate: (endpoint, options) =>
            partnerEvent.saveEndpoint.mutate({ partnerId, ...endpoint }, options),
        },
        remove: {
          mutate: (one, options) => partnerEvent.removeEndpoint.mutate({ partnerId, ...one }, options),
        },
        rotateSecret: {
          mutate: (one, options) => partnerEvent.rotateSecret.mutate({ partnerId, ...one }, options),
        },
        test: { mutate: (one, options) => partnerEvent.testEndpoint.mutate({ partnerId, ...one }, options) },
        resume: {
          mutate: (one, options) => partnerEvent.resumeEndpoint.mutate({ partnerId, ...one }, options),
        },
      },
      eventDelivery: {
        list: {
          query: (page, options) => partnerEvent.listDeliveries.query({ partnerId, ...page }, options),
        },
        detail: {
          query: (one, options) => partnerEvent.deliveryDetail.query({ partnerId, ...one }, options),
        },
        redeliver: {
          mutate: (chosen, options) => partnerEvent.redeliver.mutate({ partnerId, ...chosen }, options),
        },
      },
    },
  };
}
