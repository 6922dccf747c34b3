import { deliverySearch } from '@gatehouse/ui/developers/delivery-search';
import { EndpointOfPath } from '@gatehouse/ui/developers/endpoint';
import { inLanguage } from '@gatehouse/ui/screen/screen';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { DeveloperFrame } from './developer-frame.js';
import { leaveNotice } from './left-notice.js';

export const EndpointScreen = inLanguage(EndpointOfDeployment);

/** An endpoint that gets the events of the deployment. */
function EndpointOfDeployment(): ReactElement {
  const { endpointId } = useParams({ strict: false });
  const search = deliverySearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  return (
    <DeveloperFrame screen="endpoints">
      <EndpointOfPath
        id={endpointId}
        search={search}
        onSearch={(next) => void navigate({ to: '.', search: next, replace: true })}
        onRemoved={async (notice) => {
          leaveNotice(notice);
          await navigate({ to: '/developers/endpoints' });
        }}
      />
    </DeveloperFrame>
  );
}
