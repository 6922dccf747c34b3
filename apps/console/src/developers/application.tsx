import { ApplicationOfPath } from '@gatehouse/ui/developers/application';
import { inLanguage } from '@gatehouse/ui/screen/screen';
import { useNavigate, useParams } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { ApplicationsOfDeployment } from './applications-of-deployment.js';
import { leaveNotice, takeLeftNotice } from './left-notice.js';

export const ApplicationScreen = inLanguage(ApplicationOfDeployment);

/** An application of the deployment. */
function ApplicationOfDeployment(): ReactElement {
  const { applicationId } = useParams({ strict: false });
  const navigate = useNavigate();
  const [notice] = useState(takeLeftNotice);
  return (
    <ApplicationsOfDeployment>
      <ApplicationOfPath
        id={applicationId}
        firstNotice={notice}
        onRemoved={async (text) => {
          leaveNotice(text);
          await navigate({ to: '/developers/applications' });
        }}
      />
    </ApplicationsOfDeployment>
  );
}
