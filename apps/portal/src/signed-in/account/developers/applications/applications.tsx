import { Applications } from '@gatehouse/ui/developers/applications';
import { inLanguage } from '@gatehouse/ui/screen/screen';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { keep, takeKept } from '../../../../tab-storage.js';
import { usePlace } from '../../account-place.js';
import { t } from '../words.js';
import { ApplicationsOfAccount } from './applications-of-account.js';

export const ApplicationsScreen = inLanguage(List);

/** The applications that members of the account sign in to through the service. */
function List(): ReactElement {
  const { accountId } = usePlace();
  const navigate = useNavigate();
  const [notice] = useState(() => takeKept('notice'));
  const paramsOf = (applicationId: number) => ({
    account: String(accountId),
    application: String(applicationId),
  });
  return (
    <ApplicationsOfAccount>
      <Applications
        lead={t('applications.lead')}
        none={t('applications.none')}
        firstNotice={notice}
        linkTo={(applicationId, look) => (
          <Link
            to="/a/$account/developers/applications/$application"
            params={paramsOf(applicationId)}
            {...look}
          />
        )}
        onRegistered={async (applicationId, text) => {
          keep('notice', text);
          await navigate({
            to: '/a/$account/developers/applications/$application',
            params: paramsOf(applicationId),
          });
        }}
      />
    </ApplicationsOfAccount>
  );
}
