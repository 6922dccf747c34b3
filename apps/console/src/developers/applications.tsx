import { Applications } from '@gatehouse/ui/developers/applications';
import { inLanguage } from '@gatehouse/ui/screen/screen';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { ApplicationsOfDeployment } from './applications-of-deployment.js';
import { leaveNotice, takeLeftNotice } from './left-notice.js';
import { t } from './words.js';

export const ApplicationsScreen = inLanguage(List);

/** The applications that all members sign in to through the service. */
function List(): ReactElement {
  const navigate = useNavigate();
  const [notice] = useState(takeLeftNotice);
  return (
    <ApplicationsOfDeployment>
      <Applications
        lead={t('staffApplications.lead')}
        none={t('staffApplications.none')}
        firstNotice={notice}
        linkTo={(applicationId, look) => (
          <Link
            to="/developers/applications/$applicationId"
            params={{ applicationId: String(applicationId) }}
            {...look}
          />
        )}
        onRegistered={async (applicationId, text) => {
          leaveNotice(text);
          await navigate({
            to: '/developers/applications/$applicationId',
            params: { applicationId: String(applicationId) },
          });
        }}
      />
    </ApplicationsOfDeployment>
  );
}
