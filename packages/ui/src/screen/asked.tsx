import { isGatehouseError } from '@gatehouse/client-sdk';
import { type ReactElement, type ReactNode, useEffect, useState } from 'react';
import { explainError } from '../failure/use-mutation-state.js';
import { FailureNote } from '../form/form.js';
import { Banner } from '../parts/banner.js';
import { Button } from '../parts/button.js';
import { PageHeader } from '../parts/page-header.js';
import { Screen, useProduct } from './screen.js';
import { shownTime } from './shown-time.js';
import { t } from './words.js';

/** Why a person may not see something, the role they hold, and who could. */
export function Denied({
  role,
  isPart = false,
}: {
  /** The role that is held in the account; absent if the role does not decide it. */
  readonly role?: string;
  readonly isPart?: boolean;
}): ReactElement {
  const { whoGivesRoles } = useProduct();
  const why = role === undefined ? t('denied.lead') : t('denied.leadRole', { role });
  if (isPart) return <Banner tone="error">{why}</Banner>;
  return (
    <Screen title={t('denied.title')} tone="error" lead={why}>
      <p>{whoGivesRoles}</p>
    </Screen>
  );
}

/** How long nothing is shown, so that quick answers do not flicker. */
const QUIET_MS = 200;

const SLOW_MS = 5_000;

/** A query of a screen, in the form of TanStack Query. */
export interface Answer<Data> {
  readonly data: Data | undefined;
  readonly error: Error | null;
  readonly dataUpdatedAt: number;
  refetch(): unknown;
}

/**
 * Shows what a query returned, or why it failed. Data read before stays, with its time.
 * @param isPart whether it is a part of a screen that already has a page header
 * @param title the heading until the answer arrives
 * @param gone the heading if it does not exist, or not for this person
 * @param trail the breadcrumbs above it
 */
export function QueryView<Data>({ trail, ...shown }: Asked<Data> & Place): ReactElement {
  if (trail === undefined) return <View {...shown} />;
  return (
    <div className="flex flex-col gap-4">
      {trail}
      <View {...shown} />
    </div>
  );
}

interface Asked<Data> {
  readonly answer: Answer<Data>;
  readonly children: (data: Data) => ReactNode;
}

type Place =
  | { readonly isPart: true; readonly title?: never; readonly gone?: never; readonly trail?: never }
  | {
      readonly isPart?: false;
      readonly title: string;
      readonly gone?: string;
      readonly trail?: ReactNode;
    };

function View<Data>({
  answer,
  isPart = false,
  title = '',
  gone = t('asked.gone'),
  children,
}: Asked<Data> & {
  readonly isPart?: boolean;
  readonly title?: string | undefined;
  readonly gone?: string | undefined;
}): ReactElement {
  const { data, error, dataUpdatedAt } = answer;
  const retry = (
    <div>
      <Button onClick={() => void answer.refetch()}>{t('asked.retry')}</Button>
    </div>
  );
  if (data !== undefined) {
    const failure = error === null ? undefined : explainError(error);
    return (
      <>
        {failure === undefined ? null : (
          <div className="flex flex-col gap-3 pb-6">
            <FailureNote
              failure={{
                ...failure,
                message: `${failure.message} ${t('asked.stale', { time: shownTime(dataUpdatedAt) })}`,
              }}
            />
            {retry}
          </div>
        )}
        {children(data)}
      </>
    );
  }
  if (error === null) {
    const waiting = <Waiting isPart={isPart} onRetry={() => void answer.refetch()} />;
    return isPart ? (
      waiting
    ) : (
      <Screen title={title} isWaiting>
        <div aria-busy="true">{waiting}</div>
      </Screen>
    );
  }
  if (isGatehouseError(error, 'permission_denied', 'account_forbidden')) return <Denied isPart={isPart} />;
  const failure = explainError(error);
  // A retry does not bring it back.
  if (isGatehouseError(error, 'not_found'))
    return isPart ? (
      <p className="p-3 text-quiet">{failure?.message}</p>
    ) : (
      <Screen title={gone} tone="error" lead={t('asked.goneLead')} />
    );
  const told = failure === undefined ? null : <FailureNote failure={failure} />;
  if (isPart)
    return (
      <div className="flex flex-col gap-3 p-3">
        {told}
        {retry}
      </div>
    );
  return (
    <Screen title={t('asked.failed')} tone="error" actions={retry}>
      {told}
    </Screen>
  );
}

/** Nothing at first, then still bars, and after a while a word. */
function Waiting({
  isPart,
  onRetry,
}: {
  readonly isPart: boolean;
  readonly onRetry: () => void;
}): ReactElement | null {
  const [waited, setWaited] = useState<'short' | 'long' | 'slow'>('short');
  useEffect(() => {
    const timers = [
      setTimeout(() => setWaited('long'), QUIET_MS),
      setTimeout(() => setWaited('slow'), SLOW_MS),
    ];
    return () => timers.forEach(clearTimeout);
  }, []);
  if (waited === 'short') return null;
  return (
    <div role="status" className={`flex max-w-4xl flex-col gap-4 ${isPart ? 'p-3' : ''}`}>
      <p className="sr-only">{t('asked.wait')}</p>
      <div className="h-5 w-full bg-well" />
      <div className="h-5 w-5/6 bg-well" />
      {waited === 'slow' ? (
        <div className="flex flex-wrap items-center gap-3">
          {t('asked.slow')}
          <Button onClick={onRetry}>{t('asked.retry')}</Button>
        </div>
      ) : null}
    </div>
  );
}

/** Replaces every screen if it is not known who is signed in. */
export function Unreached({
  title,
  error,
  onRetry,
  children,
}: {
  readonly title: string;
  readonly error: Error;
  readonly onRetry: () => void;
  /** Content above. */
  readonly children?: ReactNode;
}): ReactElement {
  const failure = explainError(error);
  return (
    <main className="mx-auto flex max-w-2xl flex-col gap-6 px-4 py-8">
      {children}
      <PageHeader tone="error" title={title} />
      {failure === undefined ? null : <FailureNote failure={failure} />}
      <div>
        <Button kind="primary" onClick={onRetry}>
          {t('asked.retry')}
        </Button>
      </div>
    </main>
  );
}
