import { Button } from '@gatehouse/ui/parts/button';
import { Link, useRouterState } from '@tanstack/react-router';
import { type ReactElement, useEffect, useState } from 'react';
import { BrandName } from '../../brand.js';
import { t } from '../words.js';
import { Navigation } from './navigation.js';
import { Person } from './person.js';

/** The name of the product, where one can go, and who is here. On a phone it opens from a bar at the top. */
export function Side(): ReactElement {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(false), [path]);
  return (
    <header className="border-b border-line bg-well wide:fixed wide:inset-y-0 wide:start-0 wide:flex wide:w-52 wide:flex-col wide:overflow-y-auto wide:border-e wide:border-b-0">
      <a href="#main" className="sr-only focus-visible:not-sr-only focus-visible:block focus-visible:p-3">
        {t('frame.skip')}
      </a>
      <div className="flex items-center justify-between gap-3 px-4 py-2.5 wide:px-3 wide:py-4">
        <Link to="/" className="flex min-h-8 min-w-0 items-center gap-2.5 text-lead font-bold">
          <BrandName />
        </Link>
        <span className="wide:hidden">
          <Button aria-expanded={isOpen} aria-controls="side" onClick={() => setOpen(!isOpen)}>
            {t('frame.menu')}
          </Button>
        </span>
      </div>
      <div
        id="side"
        className={`${isOpen ? 'flex' : 'hidden'} flex-col gap-6 px-3 pb-4 wide:flex wide:flex-1 wide:justify-between`}
      >
        <Navigation />
        <Person />
      </div>
    </header>
  );
}
