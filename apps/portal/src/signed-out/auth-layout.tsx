import type { StatusTone } from '@gatehouse/ui/parts/icons';
import { Illustration } from '@gatehouse/ui/parts/illustration';
import { Link } from '@gatehouse/ui/parts/link';
import { OfflineBar } from '@gatehouse/ui/parts/offline-bar';
import { OtherLanguages } from '@gatehouse/ui/parts/other-languages';
import { PageHeader } from '@gatehouse/ui/parts/page-header';
import { type ReactElement, type ReactNode, useEffect } from 'react';
import { BrandLinks, BrandName } from '../brand.js';
import { SCREENS } from '../links.js';
import { useSettings } from './settings.js';
import { MESSAGES, t } from './words.js';

/** The frame of every screen for people who are not signed in: a form beside a picture. */
export function AuthLayout({
  title,
  lead,
  tone,
  illustration = tone ?? 'pending',
  takesFocus = false,
  isHelp = false,
  children,
}: {
  readonly title: string;
  readonly lead?: ReactNode;
  /** The icon before the title, where the title tells a state. */
  readonly tone?: StatusTone;
  readonly illustration?: StatusTone;
  readonly takesFocus?: boolean;
  /** Whether this is what the link at the foot leads to. */
  readonly isHelp?: boolean;
  readonly children?: ReactNode;
}): ReactElement {
  const { brand } = useSettings();
  useEffect(() => {
    document.title = brand.name === '' ? title : `${title} – ${brand.name}`;
  }, [title, brand.name]);
  return (
    <div className="min-h-dvh wide:grid wide:grid-cols-[minmax(0,34rem)_minmax(0,1fr)]">
      <main className="flex min-h-dvh flex-col justify-center bg-card px-4 py-8 rows:px-12">
        <div className="mx-auto flex w-full max-w-md flex-col gap-6">
          <p className="flex items-center gap-2.5 text-lead font-bold">
            <BrandName />
          </p>
          <OfflineBar />
          <PageHeader title={title} takesFocus={takesFocus} {...(tone === undefined ? {} : { tone })}>
            {lead}
          </PageHeader>
          {children}
          <Foot isHelp={isHelp} />
        </div>
      </main>
      <div className="hidden bg-well wide:block wide:sticky wide:top-0 wide:h-dvh">
        <Illustration tone={illustration} />
      </div>
    </div>
  );
}

function Foot({ isHelp }: { readonly isHelp: boolean }): ReactElement {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line pt-4 text-body">
      {isHelp ? null : <Link href={SCREENS.help}>{t('foot.help')}</Link>}
      <OtherLanguages messages={MESSAGES} />
      <BrandLinks />
    </div>
  );
}
