import { type ComponentProps, type ReactElement, type ReactNode, useEffect, useState } from 'react';
import { useMutationState } from '../failure/use-mutation-state.js';
import { FailureNote } from '../form/form.js';
import type { Language, LoadMessages } from '../messages/language.js';
import { Button } from '../parts/button.js';
import { OtherLanguages } from '../parts/other-languages.js';
import { t } from './words.js';

/** The name of the product, the navigation, and the person signed in. On a phone it opens from a bar at the top. */
export function Side({
  path,
  home,
  children,
}: {
  /** The path of the screen. The menu closes when it changes. */
  readonly path: string;
  /** The link to the first screen, with the name of the product; it looks as `HOME_LINK` says. */
  readonly home: ReactNode;
  readonly children: ReactNode;
}): ReactElement {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(false), [path]);
  return (
    <header className="print:hidden relative z-20 border-b border-line bg-well wide:fixed wide:inset-y-0 wide:start-0 wide:flex wide:w-52 wide:flex-col wide:overflow-y-auto wide:border-e wide:border-b-0">
      <a href="#main" className="sr-only focus-visible:not-sr-only focus-visible:block focus-visible:p-3">
        {t('frame.skip')}
      </a>
      <div className="flex items-center justify-between gap-3 px-4 py-2.5 wide:px-3 wide:py-4">
        {home}
        <span className="wide:hidden">
          <Button aria-expanded={isOpen} aria-controls="side" onClick={() => setOpen(!isOpen)}>
            {t(isOpen ? 'frame.closeMenu' : 'frame.menu')}
          </Button>
        </span>
      </div>
      <div
        id="side"
        className={`${isOpen ? 'flex' : 'hidden'} absolute inset-x-0 top-full flex-col gap-6 border-y border-line bg-well px-3 py-4 shadow-2xl wide:static wide:flex wide:flex-1 wide:justify-between wide:border-0 wide:pt-0 wide:shadow-none`}
      >
        {children}
      </div>
    </header>
  );
}

/** How the link to the first screen looks. */
export const HOME_LINK = 'flex min-h-8 min-w-0 items-center gap-2.5 text-lead font-bold';

/**
 * A link of the navigation.
 * @param isHere whether it leads to the screen that is shown, not to one that is loading
 */
export function NavigationLink({
  isHere,
  isDense = false,
  link,
  children,
}: {
  readonly isHere: boolean;
  /** Whether there are many, which have to fit a low window. */
  readonly isDense?: boolean;
  readonly link: ComponentProps<'a'>;
  readonly children: ReactNode;
}): ReactElement {
  const look = isHere ? 'border-harbour bg-card font-semibold' : 'border-transparent hover:bg-card';
  return (
    <a
      {...link}
      aria-current={isHere ? 'page' : undefined}
      className={`flex min-h-10 items-center border-s-3 px-2 ${isDense ? 'wide:min-h-7' : 'wide:min-h-8'} ${look}`}
    >
      {children}
    </a>
  );
}

/** The signed-in person, with the sign-out and the other languages. */
export function Person({
  name,
  note,
  messages,
  onSignOut,
  children,
}: {
  readonly name: ReactNode;
  readonly note: ReactNode;
  readonly messages: Readonly<Record<Language, LoadMessages>>;
  /** Absent if the sign-out is elsewhere. */
  readonly onSignOut?: (() => Promise<unknown>) | undefined;
  /** Content at the end. */
  readonly children?: ReactNode;
}): ReactElement {
  const mutation = useMutationState();
  return (
    <div className="flex flex-col gap-3 border-t border-line pt-4">
      <p className="px-2">
        <span className="block font-semibold">{name}</span>
        <span className="block text-note text-quiet">{note}</span>
      </p>
      {mutation.failure === undefined ? null : <FailureNote failure={mutation.failure} />}
      <div className="flex flex-wrap items-center justify-between gap-3 px-2">
        {onSignOut === undefined ? null : (
          <Button
            isBusy={mutation.isBusy}
            onClick={() =>
              mutation.send(async () => {
                await onSignOut();
              })
            }
          >
            {t('frame.signOut')}
          </Button>
        )}
        <OtherLanguages messages={messages} />
      </div>
      <div className="px-2 empty:hidden">{children}</div>
    </div>
  );
}
