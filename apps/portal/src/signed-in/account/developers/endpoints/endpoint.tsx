import { deliverySearch } from '@gatehouse/ui/developers/delivery-search';
import { EndpointOfPath } from '@gatehouse/ui/developers/endpoint';
import { inLanguage } from '@gatehouse/ui/screen/screen';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { keep } from '../../../../tab-storage.js';
import { usePlace } from '../../account-place.js';
import { DeveloperFrame } from '../developer-frame.js';

export const EndpointScreen = inLanguage(EndpointOfAccount);

/** An endpoint that gets the events of the account. */
function EndpointOfAccount(): ReactElement {
  const { accountId } = usePlace();
  const { endpoint } = useParams({ strict: false });
  const search = deliverySearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  return (
    <DeveloperFrame permission="event.manage">
      <EndpointOfPath
        id={endpoint}
        search={search}
        onSearch={(next) => void navigate({ to: '.', search: next, replace: true })}
        onRemoved={async (notice) => {
          keep('notice', notice);
          await navigate({ to: '/a/$account/developers/endpoints', params: { account: String(accountId) } });
        }}
      />
    </DeveloperFrame>
  );
}
