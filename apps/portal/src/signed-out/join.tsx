import { isGatehouseError, type MainOutputs } from '@gatehouse/client-sdk';
import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { FailureNote, Form } from '@gatehouse/ui/form/form';
import { AddressField, PASSWORD_LENGTH, PasswordField, TextField } from '@gatehouse/ui/form/text-field';
import { shownLanguage } from '@gatehouse/ui/messages/language';
import { Button, ButtonLink } from '@gatehouse/ui/parts/button';
import { Link } from '@gatehouse/ui/parts/link';
import { rich } from '@gatehouse/ui/parts/rich';
import { leaveTo } from '@gatehouse/ui/session/leave-to';
import { shownName } from '@gatehouse/ui/session/who-is-here';
import { roleName } from '@gatehouse/ui/team/role-name';
import { type ReactElement, type ReactNode, useRef, useState } from 'react';
import { gatehouse } from '../client.js';
import { keepFlow } from '../kept-flow.js';
import { SCREENS } from '../links.js';
import { keep, kept } from '../tab-storage.js';
import { takeLink } from '../take-link.js';
import { AuthLayout } from './auth-layout.js';
import { beginSession, type Tries } from './begin-session.js';
import { Loaded, useLoad } from './loaded.js';
import { mountScreen } from './mount-screen.js';
import { t } from './words.js';

type Invitation = MainOutputs['invitation']['preview'] & {
  /** The address of the member at this browser, if the invitation is for another one. */
  readonly other?: string | undefined;
};

/** The token of the link that led here; this tab keeps it while its reader signs in first. */
const token = takeLink().get('token') ?? kept('invitation');
keep('invitation', token);

function Join(): ReactElement {
  const invitation = useLoad(loadInvitation);
  const [isDeclined, setDeclined] = useState(false);
  if (isDeclined) return <AuthLayout title={t('join.declined')} lead={t('join.declinedLead')} takesFocus />;
  return (
    <Loaded
      from={invitation}
      refused={t('join.refused')}
      again={<Link href={SCREENS.home}>{t('join.goOn')}</Link>}
    >
      {(shown) => (
        <AuthLayout
          title={t('join.title', { account: shown.accountName })}
          lead={<Lead of={shown} />}
          tone="pending"
        >
          <Answer to={shown} onDeclined={() => setDeclined(true)} />
        </AuthLayout>
      )}
    </Loaded>
  );
}

async function loadInvitation(): Promise<Invitation> {
  const shown = await gatehouse.api.invitation.preview.query({ token: token ?? '' });
  if (shown.signedInAs !== 'mismatch') return shown;
  const { member } = await gatehouse.api.session.me.query();
  return { ...shown, other: member.email ?? shownName(member) };
}

const strong = (text: string) => (): ReactNode => <bdi className="font-semibold text-ink">{text}</bdi>;

function Lead({ of: { inviterName, email, role } }: { readonly of: Invitation }): ReactElement {
  const names = {
    inviter: strong(inviterName),
    email: strong(email),
    role: () => <bdi>{roleName(role)}</bdi>,
  };
  return <>{rich(t('join.lead'), names)}</>;
}

function Answer({
  to,
  onDeclined,
}: {
  readonly to: Invitation;
  readonly onDeclined: () => void;
}): ReactElement {
  const declining = useMutationState();
  return (
    <>
      <Accept invitation={to} />
      {declining.failure === undefined ? null : <FailureNote failure={declining.failure} />}
      {/* Not as wide as the button above it, where a second click would meet it once a failure is gone. */}
      <div>
        <Button
          isBusy={declining.isBusy}
          onClick={() =>
            declining.send(async (signal) => {
              await gatehouse.api.invitation.decline.mutate({ token: token ?? '' }, { signal });
              keep('invitation', undefined);
              onDeclined();
            })
          }
        >
          {t('join.decline')}
        </Button>
      </div>
    </>
  );
}

function Accept({ invitation }: { readonly invitation: Invitation }): ReactElement {
  const { email, accountName } = invitation;
  const onJoined = () => {
    keep('invitation', undefined);
    keep('notice', t('join.done', { account: accountName }));
    return leaveTo(SCREENS.home);
  };
  if (invitation.isReturning) return <AsReturning email={email} onJoined={onJoined} />;
  if (!invitation.isRegistered) return <AsNew email={email} onJoined={onJoined} />;
  if (invitation.signedInAs === 'match') return <AsMember email={email} onJoined={onJoined} />;
  return <AsSomebodyElse email={email} other={invitation.other} />;
}

interface Joining {
  readonly email: string;
  /** Continues to the next page, which says what was joined. */
  readonly onJoined: () => Promise<void>;
}

/** A member whose address is not proven is mailed a code, enters it, and comes back here. */
function AsMember({ email, onJoined }: Joining): ReactElement {
  const mutation = useMutationState();
  return (
    <>
      {mutation.failure === undefined ? null : <FailureNote failure={mutation.failure} />}
      <Button
        kind="primary"
        isWide
        isBusy={mutation.isBusy}
        onClick={() =>
          mutation.send(async (signal) => {
            const flow = await acceptOrProve(signal);
            if (flow !== undefined) {
              keepFlow({ flow, email });
              const next = new URLSearchParams({ next: SCREENS.join });
              return leaveTo(`${SCREENS.code}?${next.toString()}`);
            }
            return onJoined();
          })
        }
      >
        {t('join.accept')}
      </Button>
    </>
  );
}

/** Accepts, or returns the flow of the mail that was sent because the address must be proven first. */
async function acceptOrProve(signal: AbortSignal): Promise<string | undefined> {
  try {
    await gatehouse.api.invitation.accept.mutate({ token: token ?? '' }, { signal });
    return undefined;
  } catch (error) {
    const flow = isGatehouseError(error, 'unconfirmed') ? error.data.flow : undefined;
    if (flow === undefined) throw error;
    return flow;
  }
}

/** The address belongs to a member who is not signed in at this browser, or shares it with another one. */
function AsSomebodyElse({
  email,
  other,
}: {
  readonly email: string;
  readonly other: string | undefined;
}): ReactElement {
  const mutation = useMutationState();
  const signIn = `${SCREENS.signIn}?${new URLSearchParams({ next: SCREENS.join }).toString()}`;
  if (other === undefined) {
    return (
      <>
        <p>{t('join.signInFirst')}</p>
        <ButtonLink kind="primary" isWide href={signIn}>
          {t('signIn.submit')}
        </ButtonLink>
      </>
    );
  }
  return (
    <>
      <p>{t('join.mismatch', { email, other })}</p>
      {mutation.failure === undefined ? null : <FailureNote failure={mutation.failure} />}
      <Button
        kind="primary"
        isWide
        isBusy={mutation.isBusy}
        onClick={() =>
          mutation.send(async () => {
            await gatehouse.api.session.end.mutate();
            await leaveTo(signIn);
          })
        }
      >
        {t('join.switch')}
      </Button>
    </>
  );
}

/** A member who deleted themselves comes back and joins with their password. Without it a mail restores them first. */
function AsReturning({ email, onJoined }: Joining): ReactElement {
  const mutation = useMutationState('password');
  const tries = useRef<Tries>({ mayBeDone: false });
  return (
    <>
      <p>{t('join.returning')}</p>
      <Form
        mutation={mutation}
        onSend={async ({ password = '' }, signal) => {
          await beginSession({ email, password }, tries.current, () =>
            gatehouse.api.invitation.join.mutate({ token: token ?? '', password }, { signal }),
          );
          await onJoined();
        }}
      >
        <AddressField
          name="email"
          label={t('field.email')}
          autoComplete="username"
          defaultValue={email}
          readOnly
        />
        <PasswordField name="password" label={t('field.password')} autoComplete="current-password" required />
        <Button isWide type="submit" kind="primary" isBusy={mutation.isBusy}>
          {t('join.comeBack')}
        </Button>
      </Form>
      <p>
        <Link href={SCREENS.forgot}>{t('join.returnByMail')}</Link>
      </p>
    </>
  );
}

function AsNew({ email, onJoined }: Joining): ReactElement {
  const mutation = useMutationState('username', 'password');
  const tries = useRef<Tries>({ mayBeDone: false });
  return (
    <Form
      mutation={mutation}
      onSend={async ({ username = '', password = '' }, signal) => {
        const person = { username: username.trim(), password, locale: shownLanguage() };
        await beginSession({ email, password }, tries.current, () =>
          gatehouse.api.invitation.join.mutate({ token: token ?? '', ...person }, { signal }),
        );
        await onJoined();
      }}
    >
      <AddressField
        name="email"
        label={t('field.email')}
        autoComplete="username"
        defaultValue={email}
        readOnly
      />
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
      <Button isWide type="submit" kind="primary" isBusy={mutation.isBusy}>
        {t('join.submit')}
      </Button>
    </Form>
  );
}

void mountScreen(Join);
