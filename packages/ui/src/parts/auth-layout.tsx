import { type ReactElement, type ReactNode, useEffect } from 'react';
import type { Language, LoadMessages } from '../messages/language.js';
import type { StatusTone } from './icons.js';
import { Illustration } from './illustration.js';
import { OfflineBar } from './offline-bar.js';
import { OtherLanguages } from './other-languages.js';
import { PageHeader } from './page-header.js';

/** What a screen for a person who is signed out says and shows. */
export interface AuthPage {
  readonly title: string;
  readonly lead?: ReactNode;
  /** The state that the title names. A sign stands before the title unless it only asks or waits. */
  readonly tone?: StatusTone;
  readonly illustration?: StatusTone;
  /** Whether the title takes the focus, because it is news to the reader. */
  readonly takesFocus?: boolean;
  readonly children?: ReactNode;
}

/** The frame of every screen for people who are not signed in: a form beside a picture. */
export function AuthLayout({
  title,
  lead,
  tone,
  illustration = tone ?? 'pending',
  takesFocus = false,
  product,
  brand,
  messages,
  help,
  links,
  children,
}: AuthPage & {
  /** Part of the document's title; empty while it is not known. */
  readonly product: string;
  /** The mark and the name of the product. */
  readonly brand: ReactNode;
  readonly messages: Readonly<Record<Language, LoadMessages>>;
  /** Stands at the foot before the other languages. */
  readonly help?: ReactNode;
  /** Stands at the foot after the other languages. */
  readonly links?: ReactNode;
}): ReactElement {
  useEffect(() => {
    document.title = product === '' ? title : `${title} · ${product}`;
  }, [title, product]);
  return (
    <div className="min-h-dvh wide:grid wide:grid-cols-[minmax(0,34rem)_minmax(0,1fr)]">
      <main className="flex min-h-dvh flex-col bg-card px-4 py-8 rows:px-12 rows:pt-[12dvh]">
        <div className="mx-auto flex w-full max-w-md flex-col gap-6 wrap-anywhere">
          <p className="flex items-center gap-2.5 text-lead font-bold">{brand}</p>
          <OfflineBar />
          <PageHeader
            title={title}
            takesFocus={takesFocus}
            {...(tone === undefined || tone === 'pending' ? {} : { tone })}
          >
            {lead}
          </PageHeader>
          {children}
          <div className="flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line pt-4 text-body">
            {help}
            <OtherLanguages messages={messages} />
            {links}
          </div>
        </div>
      </main>
      <div className="hidden bg-well wide:block wide:sticky wide:top-0 wide:h-dvh">
        <Illustration tone={illustration} />
      </div>
    </div>
  );
}
