import { createContext } from 'react';

/** Whether something is in a table, where each row would add a stop for the Tab key. */
export const InTable = createContext(false);
