import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Form } from '@gatehouse/ui/form/form';
import { AddressField, PASSWORD_LENGTH, PasswordField, TextField } from '@gatehouse/ui/form/text-field';
import { shownLanguage } from '@gatehouse/ui/messages/language';
import { Button } from '@gatehouse/ui/parts/button';
import { Link } from '@gatehouse/ui/parts/link';
import { rich } from '@gatehouse/ui/parts/rich';
import { leaveTo } from '@gatehouse/ui/session/leave-to';
import { type ReactElement, useRef } from 'react';
import { gatehouse } from '../client.js';
import { keepingNext, SCREENS } from '../links.js';
import { AuthLayout } from './auth-layout.js';
import { beginSession, type Tries } from './begin-session.js';
import { mountScreen } from './mount-screen.js';
import { SignedInNote } from './signed-in-note.js';
import { t } from './words.js';

/** The code of an affiliate whose link led here. */
const ref = new URLSearchParams(location.search).get('ref');

function Register(): ReactElement {
  const mutation = useMutationState('email', 'username', 'password', 'accountName');
  const tries = useRef<Tries>({ mayBeDone: false });
  return (
    <AuthLayout title={t('register.title')} lead={t('register.lead')}>
      <SignedInNote />
      <Form
        mutation={mutation}
        onSend={async ({ email = '', username = '', password = '', accountName = '' }, signal) => {
          const person = { email: email.trim(), username: username.trim(), password };
          const organization = accountName.trim();
          await beginSession(person, tries.current, () =>
            gatehouse.api.registration.register.mutate(
              {
                ...person,
                locale: shownLanguage(),
                ...(organization === '' ? {} : { accountName: organization }),
                ...(ref === null ? {} : { ref }),
              },
              { signal },
            ),
          );
          await leaveTo(
            `${keepingNext(SCREENS.confirm)}#${new URLSearchParams({ sent: person.email }).toString()}`,
          );
        }}
      >
        <AddressField name="email" label={t('field.email')} autoComplete="email" required />
        <TextField
          name="username"
          label={t('field.username')}
          hint={t('field.usernameHint')}
          autoComplete="nickname"
          maxLength={100}
          required
        />
        <PasswordField
          name="password"
          label={t('field.password')}
          hint={t('field.passwordHint')}
          leastLength={PASSWORD_LENGTH}
          autoComplete="new-password"
          required
        />
        <TextField
          name="accountName"
          label={t('field.organization')}
          hint={t('field.organizationHint')}
          autoComplete="organization"
          maxLength={100}
        />
        <Button isWide type="submit" kind="primary" isBusy={mutation.isBusy}>
          {t('register.submit')}
        </Button>
      </Form>
      <p>
        {rich(t('register.signIn'), {
          signIn: (inner) => <Link href={keepingNext(SCREENS.signIn)}>{inner}</Link>,
          forgot: (inner) => <Link href={SCREENS.forgot}>{inner}</Link>,
        })}
      </p>
    </AuthLayout>
  );
}

void mountScreen(Register);
