import { Link } from '@gatehouse/ui/parts/link';
import type { ReactElement } from 'react';
import { useSettings } from './settings.js';

/** Leads to the support of the product, if its brand says where that is. */
export function SupportLink({ children }: { readonly children: string }): ReactElement {
  const { support } = useSettings().brand;
  return support === undefined ? <>{children}</> : <Link href={support}>{children}</Link>;
}
