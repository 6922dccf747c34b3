import { More, usePages } from '@gatehouse/ui/list/paged-list';
import { Banner } from '@gatehouse/ui/parts/banner';
import { Card } from '@gatehouse/ui/parts/card';
import { QueryView } from '@gatehouse/ui/screen/asked';
import { type ReactElement, useState } from 'react';
import type { MailState } from '../address-filters.js';
import { gatehouse } from '../client.js';
import { t } from '../words.js';
import { type ListedMail, type Mail, MailRow } from './mail-row.js';

/** Mails, newest first. */
export function MailList({
  queryKey,
  filter,
  mayRetry,
}: {
  readonly queryKey: readonly unknown[];
  readonly filter: { readonly memberId?: number; readonly state?: MailState; readonly kind?: string };
  /** Whether one may try to deliver a mail again. */
  readonly mayRetry: (mail: Mail) => boolean;
}): ReactElement {
  const list = usePages<ListedMail>(queryKey, (page, signal) =>
    gatehouse.api.mail.list.query({ ...page, ...filter }, { signal }),
  );
  const [isRetried, setRetried] = useState(false);
  const isFiltered = filter.state !== undefined || filter.kind !== undefined;
  return (
    <div className="flex flex-col gap-4">
      {isRetried ? <Banner tone="ok">{t('mail.retried')}</Banner> : null}
      <Card title={t('mail.sheet')}>
        <QueryView answer={list} isPart>
          {(mails) => (
            <>
              {mails.length === 0 ? (
                <p className="p-3 text-quiet">{t(isFiltered ? 'mail.none' : 'mail.noneYet')}</p>
              ) : null}
              <ul className="divide-y divide-line">
                {mails.map((mail) => (
                  <MailRow
                    key={mail.id}
                    mail={mail}
                    {...(filter.memberId === undefined ? { memberName: mail.memberName } : {})}
                    {...(mayRetry(mail) ? { onRetried: () => setRetried(true) } : {})}
                  />
                ))}
              </ul>
              <More of={list} />
            </>
          )}
        </QueryView>
      </Card>
    </div>
  );
}
