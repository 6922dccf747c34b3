import { Endpoints } from '@gatehouse/ui/developers/endpoints';
import { inLanguage } from '@gatehouse/ui/screen/screen';
import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { DeveloperFrame } from './developer-frame.js';
import { takeLeftNotice } from './left-notice.js';
import { t } from './words.js';

export const EndpointsScreen = inLanguage(EndpointsOfDeployment);

/** The endpoints that get the events of the deployment. */
function EndpointsOfDeployment(): ReactElement {
  const [notice] = useState(takeLeftNotice);
  return (
    <DeveloperFrame screen="endpoints">
      <Endpoints
        lead={t('staffEndpoints.lead')}
        firstNotice={notice}
        linkTo={(endpointId, look) => (
          <Link
            to="/developers/endpoints/$endpointId"
            params={{ endpointId: String(endpointId) }}
            {...look}
          />
        )}
      />
    </DeveloperFrame>
  );
}
