import { Button } from '@gatehouse/ui/parts/button';
import { type ReactElement, type ReactNode, useId, useState } from 'react';
import { t } from '../words.js';

/** Actions that are seldom needed, behind a button of their own. */
export function MoreActions({ children }: { readonly children: ReactNode }): ReactElement {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
        {t('more.open')}
      </Button>
      <div id={id} className={isOpen ? 'flex w-full flex-wrap gap-3' : 'hidden'}>
        {children}
      </div>
    </>
  );
}
