import { createContext, useContext } from 'react';

/** What the screens are told about the product they belong to, in the language that is shown. */
export interface Product {
  /** Stands in the title of every document. */
  readonly name: string;
  /** One sentence: who can give a role that includes more. */
  readonly whoGivesRoles: string;
}

export const ProductContext = createContext<Product>({ name: 'Gatehouse', whoGivesRoles: '' });

export const useProduct = (): Product => useContext(ProductContext);
