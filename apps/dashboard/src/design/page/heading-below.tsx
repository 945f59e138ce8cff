import { createContext, type ReactNode, useContext } from 'react';

/** Whether the component is inside a panel, which has a heading of level 2. */
export const InPanel = createContext(false);

/** A heading one level below that of the surrounding page or panel. */
export function HeadingBelow({ children }: { readonly children: ReactNode }) {
  const Level = useContext(InPanel) ? 'h3' : 'h2';
  return <Level>{children}</Level>;
}
