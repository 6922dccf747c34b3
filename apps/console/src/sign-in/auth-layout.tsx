import { Mark } from '@gatehouse/ui/parts/icons';
import { Illustration } from '@gatehouse/ui/parts/illustration';
import { OfflineBar } from '@gatehouse/ui/parts/offline-bar';
import { OtherLanguages } from '@gatehouse/ui/parts/other-languages';
import { PageHeader } from '@gatehouse/ui/parts/page-header';
import { type ReactElement, type ReactNode, useEffect } from 'react';
import { MESSAGES, t } from '../words.js';

/** The frame of what staff see before they are signed in. */
export function AuthLayout({
  title,
  lead,
  takesFocus = false,
  children,
}: {
  readonly title: string;
  readonly lead: string;
  readonly takesFocus?: boolean;
  readonly children: ReactNode;
}): ReactElement {
  useEffect(() => {
    document.title = `${title} – ${t('product')}`;
  }, [title]);
  return (
    <div className="min-h-dvh wide:grid wide:grid-cols-[minmax(0,34rem)_minmax(0,1fr)]">
      <main className="flex min-h-dvh flex-col justify-center bg-card px-4 py-8 rows:px-12">
        <div className="mx-auto flex w-full max-w-md flex-col gap-6">
          <p className="flex items-center gap-2.5 text-lead font-bold">
            <Mark />
            {t('product')}
          </p>
          <OfflineBar />
          <PageHeader title={title} takesFocus={takesFocus}>
            {lead}
          </PageHeader>
          {children}
          <div className="border-t border-line pt-4">
            <OtherLanguages messages={MESSAGES} />
          </div>
        </div>
      </main>
      <div className="hidden bg-well wide:block wide:sticky wide:top-0 wide:h-dvh">
        <Illustration tone="pending" />
      </div>
    </div>
  );
}
