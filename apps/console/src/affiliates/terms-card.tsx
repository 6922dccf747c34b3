import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { AddressField } from '@gatehouse/ui/form/address-field';
import { Form } from '@gatehouse/ui/form/form';
import { TextField } from '@gatehouse/ui/form/text-field';
import { Button } from '@gatehouse/ui/parts/button';
import { Card } from '@gatehouse/ui/parts/card';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { gatehouse } from '../client.js';
import { t } from '../words.js';
import { AFFILIATES_KEY, type Affiliate } from './affiliate-query.js';

/** What was agreed with an affiliate. */
export function TermsCard({
  affiliate: { memberId, code, commissionPercent, payoutEmail },
  onNotice,
}: {
  readonly affiliate: Affiliate;
  readonly onNotice: (notice: string | undefined) => void;
}): ReactElement {
  const queries = useQueryClient();
  const mutation = useMutationState('code', 'commissionPercent', 'payoutEmail');
  return (
    <Card title={t('affiliates.terms')}>
      <div className="max-w-md p-3">
        <Form
          mutation={mutation}
          onSend={async (fields, signal) => {
            onNotice(undefined);
            const terms = {
              affiliateId: memberId,
              memberId,
              code: (fields['code'] ?? '').trim(),
              commissionPercent: Number((fields['commissionPercent'] ?? '').replace(',', '.')),
              payoutEmail: (fields['payoutEmail'] ?? '').trim(),
            };
            await gatehouse.api.affiliate.save.mutate(terms, { signal });
            await queries.invalidateQueries({ queryKey: AFFILIATES_KEY });
            onNotice(t('edit.done'));
          }}
        >
          <TextField
            name="code"
            label={t('affiliates.code')}
            hint={t('affiliates.codeHint')}
            defaultValue={code}
            autoComplete="off"
            spellCheck={false}
            required
          />
          <TextField
            name="commissionPercent"
            label={t('affiliates.commission')}
            defaultValue={String(commissionPercent)}
            inputMode="decimal"
            autoComplete="off"
            required
          />
          <AddressField
            name="payoutEmail"
            label={t('affiliates.payout')}
            defaultValue={payoutEmail}
            autoComplete="off"
            required
          />
          <div>
            <Button type="submit" isBusy={mutation.isBusy}>
              {t('edit.submit')}
            </Button>
          </div>
        </Form>
      </div>
    </Card>
  );
}
