import { deliverySearch } from '@gatehouse/ui/developers/delivery-search';
import { EndpointOfPath } from '@gatehouse/ui/developers/endpoint';
import { Endpoints } from '@gatehouse/ui/developers/endpoints';
import { ProgramsContext } from '@gatehouse/ui/developers/programs';
import { Denied, QueryView } from '@gatehouse/ui/screen/asked';
import { inLanguage } from '@gatehouse/ui/screen/screen';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type ReactElement, type ReactNode, useMemo, useState } from 'react';
import { leaveNotice, takeLeftNotice } from '../developers/left-notice.js';
import { mayAsStaff, useMe } from '../session/me.js';
import { LINK } from '../shell/action-links.js';
import { Trail } from '../shell/breadcrumbs.js';
import { LostScreen } from '../shell/lost-screen.js';
import { t } from '../words.js';
import { programsOfPartner } from './partner-programs.js';
import { type Partner, usePartner } from './partner-secret.js';

/** A screen about the endpoints of the partner in the path, for those who manage partners. */
function PartnerFrame({ children }: { readonly children: (partner: Partner) => ReactNode }): ReactElement {
  const { partnerId = '' } = useParams({ strict: false });
  return mayAsStaff(useMe(), 'partner.manage') ? (
    <Asking key={partnerId} partnerId={Number(partnerId)}>
      {children}
    </Asking>
  ) : (
    <Denied />
  );
}

function Asking({
  partnerId,
  children,
}: {
  readonly partnerId: number;
  readonly children: (partner: Partner) => ReactNode;
}): ReactElement {
  const answer = usePartner(partnerId);
  const programs = useMemo(() => programsOfPartner(partnerId), [partnerId]);
  return (
    <QueryView
      answer={answer}
      title={t('partnerEndpoints.title')}
      trail={<Trail to="/partners" all={t('frame.partners')} id={partnerId} name={answer.data?.name} />}
    >
      {(partner) =>
        partner === null ? (
          <LostScreen />
        ) : (
          <ProgramsContext value={programs}>
            <div className="flex flex-col gap-4">{children(partner)}</div>
          </ProgramsContext>
        )
      }
    </QueryView>
  );
}

export const PartnerEndpointsScreen = inLanguage(PartnerEndpoints);

/** The endpoints that get the events of a partner. */
function PartnerEndpoints(): ReactElement {
  const [notice] = useState(takeLeftNotice);
  return (
    <PartnerFrame>
      {({ id, name }) => (
        <>
          <Link to="/partners/$partnerId" params={{ partnerId: String(id) }} className={`${LINK} self-start`}>
            {t('partnerEndpoints.back')}
          </Link>
          <Endpoints
            lead={t('partnerEndpoints.lead', { name })}
            firstNotice={notice}
            linkTo={(endpointId, look) => (
              <Link
                to="/partners/$partnerId/endpoints/$endpointId"
                params={{ partnerId: String(id), endpointId: String(endpointId) }}
                {...look}
              />
            )}
          />
        </>
      )}
    </PartnerFrame>
  );
}

export const PartnerEndpointScreen = inLanguage(PartnerEndpoint);

/** One endpoint, and its deliveries. */
function PartnerEndpoint(): ReactElement {
  const { endpointId } = useParams({ strict: false });
  const search = deliverySearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  return (
    <PartnerFrame>
      {({ id }) => {
        const to = { to: '/partners/$partnerId/endpoints', params: { partnerId: String(id) } } as const;
        return (
          <>
            <Link {...to} className={`${LINK} self-start`}>
              {t('partnerEndpoints.all')}
            </Link>
            <EndpointOfPath
              id={endpointId}
              search={search}
              onSearch={(next) => void navigate({ to: '.', search: next, replace: true })}
              onRemoved={async (notice) => {
                leaveNotice(notice);
                await navigate(to);
              }}
            />
          </>
        );
      }}
    </PartnerFrame>
  );
}
