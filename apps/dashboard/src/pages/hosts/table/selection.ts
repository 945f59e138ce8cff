import type { Host } from '@plimsoll/contract';
import { createContext, useContext } from 'react';
import { noSelection, type Selection, useRowSelection } from '../../../design/table/selection.ts';

/** Largest selection: as many hosts as one action may have. */
export const maxSelected = 1_000;

/** The selection within the list named `key`; another list starts without a selection. */
export function useNewSelection(key: string): Selection<Host> {
  return useRowSelection(key, idOf, maxSelected);
}

const idOf = ({ id }: Host) => id;

/** Provides the selection to the rows. */
export const SelectionContext = createContext<Selection<Host>>(noSelection());

/** The selection of the surrounding list. */
export function useSelection(): Selection<Host> {
  return useContext(SelectionContext);
}
