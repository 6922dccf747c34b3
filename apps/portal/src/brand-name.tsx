import { Mark } from '@gatehouse/ui/parts/mark';
import type { ReactElement } from 'react';
import { useSettings } from './signed-out/use-settings.js';

/** The logo and the name of the product. Nothing stands there until they are known. */
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
