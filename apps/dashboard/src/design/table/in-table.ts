import { createContext } from 'react';

/** Whether the component is inside a table, where each row would add a Tab stop. */
export const InTable = createContext(false);
