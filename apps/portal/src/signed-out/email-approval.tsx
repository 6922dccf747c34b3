import type { MainOutputs } from '@gatehouse/client-sdk';
import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { FailureNote, Form, StillAsking } from '@gatehouse/ui/form/form';
import { PasswordField } from '@gatehouse/ui/form/text-field';
import { Button, ButtonLink } from '@gatehouse/ui/parts/button';
import { Link } from '@gatehouse/ui/parts/link';
import { rich } from '@gatehouse/ui/parts/rich';
import { shownTime } from '@gatehouse/ui/screen/shown-time';
import { type ReactElement, type ReactNode, useEffect, useRef, useState } from 'react';
import { gatehouse } from '../client.js';
import { SCREENS } from '../links.js';
import { takeLink } from '../take-link.js';
import { AuthLayout } from './auth-layout.js';
import { Loaded, useLoad } from './loaded.js';
import { mountScreen } from './mount-screen.js';
import { t } from './words.js';

/** The token of the link mailed to the present address. */
const token = takeLink().get('token') ?? '';

const strong = (text: string) => (): ReactNode => <bdi className="font-semibold text-ink">{text}</bdi>;

type Answer = MainOutputs['email']['approve']['data'] & { readonly isApproved: boolean };

function EmailApproval(): ReactElement {
  const details = useLoad(() => gatehouse.api.email.approvalDetails.query({ token }));
  const [answer, setAnswer] = useState<Answer>();
  if (answer?.wasAnswered === true) return <Answered />;
  if (answer?.isApproved === true) {
    const { effectiveAt } = answer;
    const isSignedIn = details.data?.isSignedIn === true;
    return (
      <AuthLayout
        title={t('approval.agreed')}
        lead={
          effectiveAt === null
            ? t('approval.agreedLead')
            : t('approval.agreedLater', { at: shownTime(effectiveAt) })
        }
        tone={effectiveAt === null ? 'ok' : 'pending'}
        takesFocus
      >
        <div>
          <ButtonLink isWide kind="primary" href={isSignedIn ? SCREENS.profile : SCREENS.signIn}>
            {t(isSignedIn ? 'confirm.toProfile' : 'signIn.submit')}
          </ButtonLink>
        </div>
      </AuthLayout>
    );
  }
  if (answer !== undefined) {
    const lead = t(answer.sessionsEnded ? 'approval.stoppedLead' : 'approval.stoppedOnly');
    return (
      <AuthLayout title={t('approval.stopped')} lead={lead} tone="error" takesFocus>
        <div>
          <ButtonLink isWide kind="primary" href={SCREENS.forgot}>
            {t('reset.title')}
          </ButtonLink>
        </div>
      </AuthLayout>
    );
  }
  return (
    <Loaded
      from={details}
      refused={t('approval.over')}
      again={
        <>
          {t('approval.overLead')} <Link href={SCREENS.signIn}>{t('back.signIn')}</Link>
        </>
      }
    >
      {({ change, isSignedIn }) =>
        change === null ? (
          <Answered />
        ) : (
          <AuthLayout
            title={t('approval.title')}
            lead={rich(t('approval.lead'), {
              email: strong(change.email),
              pending: strong(change.pendingEmail),
            })}
            tone="pending"
          >
            {change.effectiveAt === null ? null : (
              <p>{t('approval.counting', { at: shownTime(change.effectiveAt) })}</p>
            )}
            <Answering isSignedIn={isSignedIn} onAnswer={setAnswer} />
          </AuthLayout>
        )
      }
    </Loaded>
  );
}

function Answered(): ReactElement {
  return <AuthLayout title={t('approval.answered')} lead={t('approval.answeredLead')} takesFocus />;
}

/** Two buttons, of which one answers. A member who is not signed in is then asked for the password, which they may leave out. */
function Answering({
  isSignedIn,
  onAnswer,
}: {
  readonly isSignedIn: boolean;
  readonly onAnswer: (answer: Answer) => void;
}): ReactElement {
  const mutation = useMutationState('password');
  const [chosen, setChosen] = useState<boolean>();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.querySelector('input')?.focus(), [chosen]);
  const answer = async (isApproved: boolean, password: string, signal: AbortSignal): Promise<void> => {
    const proof = password === '' ? {} : { password };
    const input = { token, approve: isApproved, ...proof };
    const { data } = await gatehouse.api.email.approve.mutate(input, { signal });
    onAnswer({ ...data, isApproved });
  };
  if (chosen === undefined) {
    const choose = (isApproved: boolean) => () =>
      isSignedIn ? mutation.send((signal) => answer(isApproved, '', signal)) : setChosen(isApproved);
    return (
      <>
        {mutation.failure === undefined ? null : <FailureNote failure={mutation.failure} />}
        <div className="grid gap-3 rows:grid-cols-2">
          <Button kind="primary" isWide isBusy={mutation.isBusy} onClick={choose(true)}>
            {t('approval.agree')}
          </Button>
          <Button kind="grave" isWide isBusy={mutation.isBusy} onClick={choose(false)}>
            {t('approval.refuse')}
          </Button>
        </div>
        <StillAsking mutation={mutation} />
        <p className="text-quiet">{t('approval.notYou')}</p>
      </>
    );
  }
  return (
    <div ref={place}>
      <Form mutation={mutation} onSend={({ password = '' }, signal) => answer(chosen, password, signal)}>
        <PasswordField
          name="password"
          label={t(chosen ? 'approval.agreePassword' : 'approval.refusePassword')}
          hint={t(chosen ? 'approval.agreeHint' : 'approval.refuseHint')}
          autoComplete="current-password"
        />
        <Button type="submit" kind={chosen ? 'primary' : 'grave'} isWide isBusy={mutation.isBusy}>
          {t(chosen ? 'approval.agree' : 'approval.refuse')}
        </Button>
        <div>
          <Button
            isBusy={mutation.isBusy}
            onClick={() => {
              mutation.fail(undefined);
              setChosen(undefined);
            }}
          >
            {t('approval.back')}
          </Button>
        </div>
      </Form>
    </div>
  );
}

void mountScreen(EmailApproval);
