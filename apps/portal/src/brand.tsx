import { LANGUAGES } from '@gatehouse/ui/messages/language';
import { catalogue } from '@gatehouse/ui/messages/translate';
import { Mark } from '@gatehouse/ui/parts/icons';
import { Link } from '@gatehouse/ui/parts/link';
import type { ReactElement } from 'react';
import { useSettings } from './signed-out/settings.js';

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

/** The logo and the name of the product, empty until they are known. */
export function BrandName(): ReactElement {
  const { brand } = useSettings();
  if (brand.name === '') return <span className="h-6" />;
  return (
    <>
      {brand.logo === undefined ? (
        <Mark />
      ) : (
        <img src={brand.logo} alt="" className="h-6 max-w-40 shrink-0 object-contain" />
      )}
      <bdi className="min-w-0">{brand.name}</bdi>
    </>
  );
}
