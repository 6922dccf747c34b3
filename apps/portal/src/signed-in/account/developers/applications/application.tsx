import { ApplicationOfPath } from '@gatehouse/ui/developers/application';
import { inLanguage } from '@gatehouse/ui/screen/screen';
import { useNavigate, useParams } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { keep, takeKept } from '../../../../tab-storage.js';
import { usePlace } from '../../account-place.js';
import { ApplicationsOfAccount } from './applications-of-account.js';

export const ApplicationScreen = inLanguage(ApplicationOfAccount);

/** An application of the account. */
function ApplicationOfAccount(): ReactElement {
  const { accountId } = usePlace();
  const { application } = useParams({ strict: false });
  const navigate = useNavigate();
  const [notice] = useState(() => takeKept('notice'));
  return (
    <ApplicationsOfAccount>
      <ApplicationOfPath
        id={application}
        firstNotice={notice}
        onRemoved={async (text) => {
          keep('notice', text);
          await navigate({
            to: '/a/$account/developers/applications',
            params: { account: String(accountId) },
          });
        }}
      />
    </ApplicationsOfAccount>
  );
}
