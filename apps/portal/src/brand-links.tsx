import { LANGUAGES } from '@gatehouse/ui/messages/language';
import { catalogue } from '@gatehouse/ui/messages/translate';
import { Link } from '@gatehouse/ui/parts/link';
import type { ReactElement } from 'react';
import { useSettings } from './signed-out/use-settings.js';

/** Links of the product, such as to its privacy notice. */
export function BrandLinks(): ReactElement | null {
  const { links = [] } = useSettings().brand;
  const language = LANGUAGES.find((each) => each === catalogue.locale) ?? 'en';
  if (links.length === 0) return null;
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1">
      {links.map(({ href, text }) => (
        <li key={href} className="flex min-h-6 items-center">
          <Link href={href}>{text[language]}</Link>
        </li>
      ))}
    </ul>
  );
}
