import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Form } from '@gatehouse/ui/form/form';
import { AddressField } from '@gatehouse/ui/form/text-field';
import { Button } from '@gatehouse/ui/parts/button';
import { Link } from '@gatehouse/ui/parts/link';
import { rich } from '@gatehouse/ui/parts/rich';
import { type ReactElement, useEffect, useState } from 'react';
import { gatehouse } from '../client.js';
import { SCREENS } from '../links.js';
import { kept } from '../tab-storage.js';
import { AuthLayout } from './auth-layout.js';
import { mountScreen } from './mount-screen.js';
import { OutboxNote } from './outbox-note.js';
import { t } from './words.js';

const back = new URLSearchParams(location.search).get('back');

/** Where this screen leads back to: the console's sign-in for staff who came from there, as the service confirms. */
function useWayBack(): string {
  const [wayBack, setWayBack] = useState<string>(SCREENS.signIn);
  useEffect(() => {
    if (back === null) return;
    gatehouse.api.portal.settings.query({ back }).then(
      ({ data }) => setWayBack(data.back ?? SCREENS.signIn),
      () => undefined,
    );
  }, []);
  return wayBack;
}

function Forgot(): ReactElement {
  const wayBack = useWayBack();
  const mutation = useMutationState('email');
  const [sentTo, setSentTo] = useState<string>();
  if (sentTo !== undefined) {
    return (
      <AuthLayout
        title={t('forgot.sent')}
        lead={rich(t('forgot.sentLead'), {
          email: () => <bdi className="font-semibold text-ink">{sentTo}</bdi>,
        })}
        tone="pending"
        takesFocus
      >
        <OutboxNote />
        <p className="text-quiet">{t('forgot.noMail')}</p>
        <div className="flex flex-wrap items-center gap-4">
          <Button isWide onClick={() => setSentTo(undefined)}>
            {t('forgot.other')}
          </Button>
          <Link href={wayBack}>{t('back.signIn')}</Link>
        </div>
      </AuthLayout>
    );
  }
  return (
    <AuthLayout title={t('forgot.title')} lead={t('forgot.lead')}>
      <Form
        mutation={mutation}
        onSend={async ({ email = '' }, signal) => {
          await gatehouse.api.password.forgot.mutate({ email: email.trim() }, { signal });
          setSentTo(email.trim());
        }}
      >
        <AddressField
          name="email"
          label={t('field.email')}
          autoComplete="username"
          defaultValue={kept('address')}
          required
        />
        <Button isWide type="submit" kind="primary" isBusy={mutation.isBusy}>
          {t('forgot.submit')}
        </Button>
      </Form>
      <p>
        <Link href={wayBack}>{t('back.signIn')}</Link>
      </p>
    </AuthLayout>
  );
}

void mountScreen(Forgot);
