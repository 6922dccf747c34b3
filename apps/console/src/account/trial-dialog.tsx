import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { SelectField } from '@gatehouse/ui/form/select-field';
import { shownDay } from '@gatehouse/ui/screen/shown-time';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { gatehouse } from '../client.js';
import { ReasonField } from '../deletion/reason-field.js';
import { type AccountPage, accountKey } from './account-page.js';
import { t } from './words.js';

const DAY_MS = 86_400_000;

/** The service takes 90 days at most. */
const DAYS = [7, 14, 30, 60, 90] as const;

/** The possible new ends of an account's trial, all at least a day later than the current one. */
function trialEnds({ subscription }: AccountPage, nowMs: number): readonly number[] {
  const presentMs =
    subscription?.active === true && subscription.trialEndsAt !== null
      ? Date.parse(subscription.trialEndsAt)
      : 0;
  return DAYS.map((days) => nowMs + days * DAY_MS).filter((endsAtMs) => endsAtMs > presentMs + DAY_MS);
}

/** Whether the trial of an account can be extended by at least a day. */
export const hasTrialAhead = (page: AccountPage): boolean =>
  page.actions.includes('extendTrial') && trialEnds(page, Date.now()).length > 0;

/** Asks for the new end of an account's trial, and the reason. */
export function TrialDialog({
  page,
  onNotice,
  onClose,
}: {
  readonly page: AccountPage;
  readonly onNotice: (notice: string) => void;
  readonly onClose: () => void;
}): ReactElement {
  const queries = useQueryClient();
  const mutation = useMutationState('until', 'reason');
  const [ends] = useState(() => trialEnds(page, Date.now()));
  const { id: accountId, name: account } = page.account;
  return (
    <Confirm
      title={t('trial.title', { account })}
      effect={t('trial.effect')}
      action={t('trial.open')}
      isGrave={false}
      mutation={mutation}
      onConfirm={async ({ until = '', reason = '' }, signal) => {
        const { api } = gatehouse;
        const wanted = { accountId, until, reason: reason.trim() };
        const { data } = await withReauth(() => api.subscription.extendTrial.mutate(wanted, { signal }));
        await queries.invalidateQueries({ queryKey: accountKey(accountId) });
        onNotice(t('trial.done', { account, day: shownDay(data.trialEndsAt) }));
        onClose();
      }}
      onClose={onClose}
    >
      <SelectField
        name="until"
        label={t('trial.until')}
        choices={ends.map((endsAtMs) => ({
          value: new Date(endsAtMs).toISOString(),
          label: shownDay(endsAtMs),
        }))}
      />
      <ReasonField />
    </Confirm>
  );
}
