import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { FailureNote, Form } from '@gatehouse/ui/form/form';
import { PasswordField } from '@gatehouse/ui/form/text-field';
import { Banner } from '@gatehouse/ui/parts/banner';
import { Button, ButtonLink } from '@gatehouse/ui/parts/button';
import { Link } from '@gatehouse/ui/parts/link';
import { rich } from '@gatehouse/ui/parts/rich';
import { shownAddress } from '@gatehouse/ui/screen/shown-address';
import { type ReactElement, useEffect, useState } from 'react';
import { gatehouse } from '../client.js';
import { nextScreen, SCREENS } from '../links.js';
import { takeLink } from '../take-link.js';
import { AuthLayout } from './auth-layout.js';
import { ConfirmMove } from './confirm-move.js';
import { Loaded, useLoad } from './loaded.js';
import { mountScreen } from './mount-screen.js';
import { OutboxNote } from './outbox-note.js';
import { t } from './words.js';

const KEPT = 'gatehouse.confirmation';

const brought = takeLink();
/** A tab keeps the link until it is used, so that the page can be reloaded. */
const token = brought.get('token') ?? (brought.has('sent') ? null : sessionStorage.getItem(KEPT));
if (token !== null) sessionStorage.setItem(KEPT, token);
/** The address that the mail of a registration went to. */
const sentTo = brought.get('sent');

function Confirm(): ReactElement {
  if (token !== null) return <ByLink token={token} />;
  return (
    <AuthLayout
      title={t(sentTo === null ? 'confirm.lookUnknown' : 'confirm.look')}
      lead={
        sentTo === null
          ? t('confirm.lookLead')
          : rich(t('confirm.lookAt'), { email: () => <bdi className="font-semibold text-ink">{sentTo}</bdi> })
      }
      tone="pending"
    >
      <OutboxNote />
      <p className="text-quiet">{t('confirm.noMail')}</p>
      {sentTo === null ? null : <SendAgain email={sentTo} />}
      <div className="flex flex-wrap items-center gap-4">
        <ButtonLink isWide kind="primary" href={nextScreen()}>
          {t('confirm.goOn')}
        </ButtonLink>
      </div>
    </AuthLayout>
  );
}

/** For somebody who has just registered, and is signed in: another mail, or another address. */
function SendAgain({ email }: { readonly email: string }): ReactElement {
  const mutation = useMutationState();
  const [isSent, setSent] = useState(false);
  return (
    <>
      {isSent ? <Banner tone="ok">{t('confirm.resent', { email })}</Banner> : null}
      {mutation.failure === undefined ? null : <FailureNote failure={mutation.failure} />}
      <div>
        <Button
          isWide
          isBusy={mutation.isBusy}
          onClick={() =>
            mutation.send(async (signal) => {
              setSent(false);
              await gatehouse.api.registration.resendConfirmation.mutate(undefined, { signal });
              setSent(true);
            })
          }
        >
          {t('confirm.resend')}
        </Button>
      </div>
      <p>
        {rich(t('confirm.wrong'), {
          change: (inner) => <Link href={SCREENS.profile}>{inner}</Link>,
        })}
      </p>
    </>
  );
}

function ByLink({ token }: { readonly token: string }): ReactElement {
  const details = useLoad(async () => {
    const me = await gatehouse.api.session.me.query().catch(() => undefined);
    const details = await gatehouse.api.registration.confirmationDetails.query({ token });
    // Another member's session proves nothing, nor does one that a partner began.
    const isSignedIn = me?.partner === null && me.member.username === details.username;
    return { ...details, isSignedIn };
  });
  const [done, setDone] = useState<Done>();
  const mutation = useMutationState('password');

  useEffect(() => {
    if (done !== undefined || details.data?.alreadyConfirmed === true || details.failure?.mayRetry === false)
      sessionStorage.removeItem(KEPT);
  }, [done, details]);

  if (done !== undefined) return <Confirmed {...done} isSignedIn={details.data?.isSignedIn === true} />;
  return (
    <Loaded
      from={details}
      refused={t('confirm.refused')}
      again={<Link href={SCREENS.signIn}>{t('confirm.again')}</Link>}
    >
      {({ email: address, username, alreadyConfirmed, isChange, asksProof, isSignedIn }) =>
        alreadyConfirmed ? (
          <Confirmed email={address} isChange={isChange} awaitsOld={isChange} isSignedIn={isSignedIn} />
        ) : asksProof && !isSignedIn ? (
          <ConfirmMove
            token={token}
            email={address}
            username={username}
            onDone={(awaitsOld) => setDone({ email: address, isChange, awaitsOld })}
          />
        ) : (
          <AuthLayout
            title={t(isChange ? 'confirm.changeTitle' : 'confirm.title')}
            lead={rich(t(isChange ? 'confirm.moveLead' : 'confirm.lead'), {
              email: () => <bdi className="font-semibold text-ink">{address}</bdi>,
              username: () => <bdi className="font-semibold text-ink">{username}</bdi>,
            })}
            tone="pending"
            takesFocus
          >
            <Form
              mutation={mutation}
              onSend={async ({ password = '' }, signal) => {
                const proof = password === '' ? {} : { password };
                const { awaitsOld } = await gatehouse.api.registration.confirm.mutate(
                  { token, ...proof },
                  { signal },
                );
                setDone({ email: address, isChange, awaitsOld });
              }}
            >
              <input type="text" name="username" autoComplete="username" value={address} hidden readOnly />
              {isSignedIn ? null : (
                <PasswordField
                  name="password"
                  label={t('confirm.password')}
                  hint={t(isChange ? 'confirm.changeHint' : 'confirm.passwordHint')}
                  autoComplete="current-password"
                />
              )}
              <Button isWide type="submit" kind="primary" isBusy={mutation.isBusy}>
                {t('confirm.submit')}
              </Button>
            </Form>
            <p className="text-quiet">{t(isChange ? 'confirm.moveNotYou' : 'confirm.notYou')}</p>
          </AuthLayout>
        )
      }
    </Loaded>
  );
}

/** What a confirmation did. */
interface Done {
  readonly email: string;
  /** Whether it is about the next address of a member. */
  readonly isChange: boolean;
  /** Whether the mailbox of the current address has yet to agree. */
  readonly awaitsOld: boolean;
}

function Confirmed({
  email,
  isChange,
  awaitsOld,
  isSignedIn,
}: Done & { readonly isSignedIn: boolean }): ReactElement {
  const isMoved = isChange && !awaitsOld;
  return (
    <AuthLayout
      title={t(isMoved ? 'confirm.changed' : 'confirm.done')}
      lead={rich(
        t(awaitsOld ? 'confirm.changeWaits' : isMoved ? 'confirm.changedLead' : 'confirm.doneLead'),
        { email: () => <bdi className="font-semibold text-ink">{shownAddress(email)}</bdi> },
      )}
      tone={awaitsOld ? 'pending' : 'ok'}
      takesFocus
    >
      <div>
        <ButtonLink
          isWide
          kind="primary"
          href={isSignedIn ? (isChange ? SCREENS.profile : SCREENS.home) : SCREENS.signIn}
        >
          {t(isSignedIn ? (isChange ? 'confirm.toProfile' : 'confirm.goOn') : 'signIn.submit')}
        </ButtonLink>
      </div>
    </AuthLayout>
  );
}

void mountScreen(Confirm);
