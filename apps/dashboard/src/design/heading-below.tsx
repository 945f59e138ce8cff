import { createContext, type ReactNode, useContext } from 'react';

/** Whether something stands in a panel, which has a second heading. */
export const InPanel = createContext(false);

/** A heading one level below what it stands in: a page, or a panel of it. */
export function HeadingBelow({ children }: { readonly children: ReactNode }) {
  const Level = useContext(InPanel) ? 'h3' : 'h2';
  return <Level>{children}</Level>;
}
