import { Endpoints } from '@gatehouse/ui/developers/endpoints';
import { inLanguage } from '@gatehouse/ui/screen/screen';
import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { takeKept } from '../../../../tab-storage.js';
import { usePlace } from '../../account-place.js';
import { DeveloperFrame } from '../developer-frame.js';
import { t } from '../words.js';

export const EndpointsScreen = inLanguage(EndpointsOfAccount);

/** The endpoints that get the events of the account. */
function EndpointsOfAccount(): ReactElement {
  const { accountId } = usePlace();
  const [notice] = useState(() => takeKept('notice'));
  return (
    <DeveloperFrame permission="event.manage">
      <Endpoints
        lead={t('endpoints.lead')}
        firstNotice={notice}
        linkTo={(endpointId, look) => (
          <Link
            to="/a/$account/developers/endpoints/$endpoint"
            params={{ account: String(accountId), endpoint: String(endpointId) }}
            {...look}
          />
        )}
      />
    </DeveloperFrame>
  );
}
